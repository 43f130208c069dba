import Glibc
import STPlatform
import STTestSupport
import Testing

@Suite("Virtual clock pages")
struct ClockPageTests {
    static let face = ClockState(
        reading: TimeReading(wallMs: 1_793_000_000_123, bootMs: 5_000, monotonicMs: 4_000),
        zone: "Europe/Berlin",
        bootID: "first"
    )

    @Test("A write to a clock page is visible to its readers and increments its generation")
    func reading() throws {
        let scratch = try ScratchDirectory()
        let page = try ClockPage(creating: scratch.file("clock"), Self.face)
        let other = try ClockPage(opening: scratch.file("clock"))
        #expect(other.state == Self.face)
        let before = other.generation

        var next = Self.face
        next.reading.wallMs = -1
        next.zone = "Asia/Seoul"
        next.bootID = "second"
        try page.write(next)

        #expect(other.state == next)
        #expect(other.generation == before + 1)
    }

    @Test("Invalid clock pages, existing files, bad zone names and writes by readers fail with an error code")
    func refusals() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("not a clock at all", to: "short")
        try scratch.write(String(repeating: "x", count: 4096), to: "long")
        let page = try ClockPage(creating: scratch.file("clock"), Self.face)

        #expect(code { _ = try ClockPage(opening: scratch.file("none")) } == "clock.unreadable")
        #expect(code { _ = try ClockPage(opening: scratch.path) } == "clock.not_a_clock")
        #expect(code { _ = try ClockPage(opening: scratch.file("short")) } == "clock.not_a_clock")
        #expect(code { _ = try ClockPage(opening: scratch.file("long")) } == "clock.not_a_clock")
        #expect(code { _ = try ClockPage(creating: scratch.file("clock"), Self.face) } == "file.failed")
        var nameless = Self.face
        nameless.zone = ""
        #expect(code { try page.write(nameless) } == "clock.bad_name")
        nameless.zone = String(repeating: "z", count: 64)
        #expect(code { try page.write(nameless) } == "clock.bad_name")
        let reader = try ClockPage(opening: scratch.file("clock"))
        #expect(code { try reader.write(Self.face) } == "system.call_failed")
    }

    @Test("A reader of a clock page never sees a partly written state")
    func tearing() throws {
        let scratch = try ScratchDirectory()
        let page = try ClockPage(creating: scratch.file("clock"), Self.made(0))
        let reader = try ClockPage(opening: scratch.file("clock"))
        let isOver = Flag()
        let isWriting = Flag()
        let writer = try LoopThread(name: "writer")
        writer.post {
            var n: Int64 = 0
            while !isOver.take() {
                n += 1
                try? page.write(Self.made(n))
                if n == 100 { isWriting.set() }
            }
        }
        try eventuallyBlocking("it is written") { if !isWriting.take() { throw NotYet("not yet") } }
        var torn = 0
        var faces: Set<Int64> = []
        let startMs = Stopwatch.milliseconds()
        var reads = 0
        // On a busy machine, the two threads may be scheduled late.
        while reads < 100_000 || (faces.count <= 100 && Stopwatch.milliseconds() - startMs < 30_000) {
            reads += 1
            let face = reader.state
            faces.insert(face.reading.wallMs)
            if face != Self.made(face.reading.wallMs) { torn += 1 }
        }
        isOver.set()
        writer.stop()
        writer.join()

        #expect(torn == 0)
        #expect(faces.count > 100, "they ran beside each other")
    }

    private static func made(_ n: Int64) -> ClockState {
        ClockState(
            reading: TimeReading(wallMs: n, bootMs: n + 1, monotonicMs: n + 2),
            zone: "zone-\(n)",
            bootID: "boot-\(n)"
        )
    }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? Problem)?.code
        }
    }
}
