import STTestSupport
import Synchronization
import Testing

@testable import STPlatform

@Suite("True time")
struct TrueTimeTests {
    private static let startMs: Int64 = 1_790_000_000_000
    private static let dayMs: Int64 = 86_400_000

    private let scratch: ScratchDirectory
    private let machine = SimulatedTimeSource(wallMs: startMs)
    private let path: String
    private let keeper: TrustedTimeSource
    private let reader: TrustedTimeSource

    init() throws {
        scratch = try ScratchDirectory()
        path = scratch.file("clock")
        reader = TrustedTimeSource(machine, reading: path)
        keeper = TrustedTimeSource(machine, keeping: path)
    }

    private var wallMs: [Int64] { [keeper, reader].map { $0.now().wallMs - Self.startMs } }
    private var asideMs: [Int64] { [keeper, reader].map(\.clockOffsetMs) }

    @Test("True time advances only by elapsed time if a person sets the clock forward or back")
    func byHand() {
        machine.stepWall(byMs: Self.dayMs)
        machine.advance(byMs: 5_000)
        #expect(wallMs == [5_000, 5_000])
        #expect(asideMs == [Self.dayMs, Self.dayMs])

        machine.stepWall(byMs: -2 * Self.dayMs)
        machine.suspend(forMs: 60_000)
        #expect(wallMs == [65_000, 65_000])
        #expect(asideMs == [-Self.dayMs, -Self.dayMs])

        machine.stepWall(byMs: Self.dayMs)
        #expect(wallMs == [65_000, 65_000])
        #expect(asideMs == [0, 0])
    }

    @Test("True time follows a synchronised clock, also after a person has set the clock")
    func synchronised() {
        machine.stepWall(byMs: 7_200_000)
        #expect(wallMs == [0, 0])
        machine.stepWall(byMs: -3_600_000, isSynchronised: true)
        #expect(wallMs == [3_600_000, 3_600_000])
        #expect(asideMs == [0, 0])
        // A later change by hand is ignored.
        machine.stepWall(byMs: 3_600_000)
        #expect(wallMs == [3_600_000, 3_600_000])
    }

    @Test("Small steps of the clock do not add up in true time")
    func creeping() {
        for _ in 0..<1_000 {
            machine.advance(byMs: 61_000)
            machine.stepWall(byMs: 900)
            _ = keeper.now()
        }
        #expect(wallMs.allSatisfy { abs($0 - 61_000_000) <= 1_000 })
    }

    @Test("After the machine's clock is accepted, true time equals it")
    func accepted() throws {
        machine.stepWall(byMs: 7_200_000)
        try keeper.acceptClock()
        #expect(wallMs == [7_200_000, 7_200_000])
        #expect(asideMs == [0, 0])
    }

    @Test("True time is unchanged if its keeper restarts during the same boot")
    func restart() throws {
        machine.stepWall(byMs: Self.dayMs)
        let next = TrustedTimeSource(machine, keeping: path)
        #expect(next.now().wallMs == Self.startMs)
    }

    @Test("After a boot, true time continues from the saved time unless the clock is later or synchronised")
    func otherBoot() throws {
        machine.advance(byMs: Self.dayMs)
        _ = keeper.now()
        func start(_ wallMs: Int64, isSynchronised: Bool = false) throws -> Int64 {
            let other = SimulatedTimeSource(wallMs: wallMs, bootID: "other \(wallMs)".filter { $0 != " " })
            if isSynchronised { other.stepWall(byMs: 0, isSynchronised: true) }
            let kept = try AtomicFile.read(path, limitBytes: 1_000)
            defer { try? AtomicFile.write(kept, to: path, durable: false) }
            return TrustedTimeSource(other, keeping: path).now().wallMs
        }
        #expect(try start(1_000_000) == Self.startMs + Self.dayMs)
        #expect(try start(1_000_000, isSynchronised: true) == 1_000_000)
        #expect(try start(Self.startMs + 5 * Self.dayMs) == Self.startMs + 5 * Self.dayMs)
        // A reader ignores an anchor of another boot.
        let stranger = SimulatedTimeSource(wallMs: 5, bootID: "stranger")
        #expect(TrustedTimeSource(stranger, reading: path).now().wallMs == 5)
    }

    @Test(
        "An invalid anchor file is replaced, and until then a reader uses the machine's clock",
        arguments: [
            "", "simulated", "simulated 1 2 3", "simulated -1 5",
            "simulated 9223372036854775807 -9223372036854775808",
            "simulated 1 9223372036854775807", "\u{0}\u{0}\u{0}",
        ]
    )
    func damaged(_ text: String) throws {
        try AtomicFile.write(Array(text.utf8), to: path, durable: false)
        #expect(TrustedTimeSource(machine, reading: path).now().wallMs == Self.startMs)
        #expect(TrustedTimeSource(machine, keeping: path).now().wallMs == Self.startMs)
        machine.stepWall(byMs: Self.dayMs)
        #expect(TrustedTimeSource(machine, reading: path).now().wallMs == Self.startMs)
    }

    @Test(
        "In random histories, true time is elapsed time plus the changes of a synchronised clock",
        arguments: 0..<300
    )
    func history(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        var keeper = keeper
        var trueMs = Self.startMs
        var setMs: Int64 = 0
        for _ in 0..<40 {
            let ms = Int64(random.number(0...7_200_000))
            switch random.number(0...5) {
            case 0:
                machine.suspend(forMs: ms)
                trueMs += ms
            case 1:
                // A synchronised clock is true, even if a person has set the clock before.
                let wrongMs = Int64(random.number(-5_000_000...5_000_000))
                machine.stepWall(byMs: wrongMs - setMs, isSynchronised: true)
                trueMs += wrongMs
                setMs = 0
                _ = keeper.now()
            case 2: keeper = TrustedTimeSource(machine, keeping: path)
            case 3:
                let stepMs = Int64(random.number(1_001...200_000_000)) * (random.chance(percent: 50) ? 1 : -1)
                machine.stepWall(byMs: stepMs)
                setMs += stepMs
            default:
                machine.advance(byMs: ms)
                trueMs += ms
            }
            #expect(abs(keeper.now().wallMs - trueMs) <= 1_000)
            #expect(abs(reader.now().wallMs - trueMs) <= 1_000)
        }
    }

    @Test(
        "A timer fires at its true time even if the machine's clock is a day ahead or behind",
        arguments: [1, -1]
    )
    func alarms(_ sign: Int64) async throws {
        let loop = try LoopThread(name: "true")
        defer {
            loop.stop()
            loop.join()
        }
        let rings = Atomic(0)
        let time = reader
        let alarm = try DeadlineTimer(loop, time: time) { rings.add(1, ordering: .relaxed) }
        func passBy() async {
            for _ in 0..<3 {
                await withCheckedContinuation { continuation in loop.post { continuation.resume() } }
            }
        }
        alarm.set(wallMs: Self.startMs + 1_000_000)
        machine.stepWall(byMs: sign * Self.dayMs)
        await passBy()
        for _ in 0..<9 {
            machine.advance(byMs: 100_000)
            await passBy()
        }
        machine.advance(byMs: 99_999)
        await passBy()
        #expect(rings.load(ordering: .relaxed) == 0)
        machine.advance(byMs: 1)
        await passBy()
        #expect(rings.load(ordering: .relaxed) == 1)
        withExtendedLifetime(alarm) {}
    }
}
