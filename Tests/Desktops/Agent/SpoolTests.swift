import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STDesktopCore

@Suite("Spool of observations")
struct SpoolTests {
    private var bench: CoreBench<DesktopState>

    init() throws { bench = try CoreBench(DesktopService.definition()) }

    /// Plays a beat every five seconds and one at the end.
    private func play(minutes: Int64, agoMs: Int64? = nil, app: String = "editor") throws {
        let step = DesktopPlay.Step(app: app, forMs: minutes * 60_000)
        _ = try bench.ask(DesktopPlay.self, .init(member: "child", agoMs: agoMs, steps: [step]))
    }

    private func status() throws -> DesktopStatus.Reply { try bench.ask(DesktopStatus.self, Empty()) }

    private var hasWaiting: Bool { bench.state.hasWaiting }

    private func leftMs() -> Int64? {
        let now = bench.time.now()
        return bench.state.nextObservation(now, bootID: bench.time.bootID).map { ($0 - now.boot).ms }
    }

    private func next() throws -> DesktopSteps.Batch? { try DesktopSteps.next(except: [], bench.database) }

    private func advance() throws {
        try bench.step { try DesktopSteps.advance(&$0, context: $1, change: $2) }
    }

    private func done(_ run: String?, _ through: Int64, checkAt: Int64? = nil) throws {
        let run = try #require(run)
        try bench.step { state, _, change in
            let check = checkAt.map(BootTime.init(ms:))
            try DesktopSteps.discard(run: run, through: through, checkAt: check, &state, change)
        }
    }

    private func renumber(_ run: String?) throws {
        let run = try #require(run)
        try bench.step { state, _, change in try DesktopSteps.renumber(run, state: &state, change: change) }
    }

    private static func beats(_ count: Int64) -> [Int64] { (0..<count).map { $0 * 5_000 + 1 } }

    /// Returns everything that waits, taken as the sender takes it.
    private func drain() throws -> [Observation] {
        var seen: [Observation] = []
        // Limited, because a spool that never shrinks must not block the tests.
        for _ in 0..<100 {
            guard let batch = try next() else { break }
            seen += batch.observations
            try done(batch.run, try #require(batch.observations.last?.sequence))
        }
        return seen
    }

    @Test("No script adds observations to the spool if none is played")
    func empty() throws {
        try advance()

        #expect(try next() == nil)
        #expect(!hasWaiting)
        #expect(leftMs() == nil)
        #expect(try status().source == "none")
        #expect(try status().waiting == 0)
    }

    @Test("The spool fills with observations that are due and returns the wait until the next")
    func filling() throws {
        try play(minutes: 1)
        #expect(!hasWaiting)
        #expect(leftMs() == 0)
        try advance()
        bench.time.advance(byMs: 12_000)
        try advance()

        #expect(try next()?.observations.map(\.sequence) == [1, 2, 3])
        #expect(try status() == .init(source: "scripted", reason: status().reason, seen: 3, waiting: 3))
        #expect(leftMs() == 3_000)
    }

    @Test("The spool returns batches of at most 200 observations of one run, oldest first, until accepted")
    func batches() throws {
        try play(minutes: 30, agoMs: 3_600_000, app: "first")
        try play(minutes: 1, agoMs: 3_600_000, app: "second")
        try advance()
        let first = try #require(try next())

        #expect(first.observations.map(\.sequence) == Array(1...200))
        #expect(try next()?.observations == first.observations)
        #expect(try status().waiting == 361 + 13)
        let seen = try drain()
        #expect(seen.prefix(360).allSatisfy { $0.app == "first" })
        #expect(seen.suffix(13).compactMap(\.app) == Array(repeating: "second", count: 12))
        #expect(try status().source == "none")
        #expect(try status().seen == 374)
    }

    @Test("The spool deletes only observations that were accepted")
    func lettingGo() throws {
        try play(minutes: 1, agoMs: 60_000)
        try advance()
        let run = try next()?.run
        try done(run, 4)
        #expect(try next()?.observations.first?.sequence == 5)
        try done(run, 4)
        try done("another", 100)

        #expect(try status().waiting == 9)
        #expect(try next()?.observations.count == 9)
    }

    @Test("A renumbered run keeps its order and count and begins with 1")
    func renumbering() throws {
        try play(minutes: 1, agoMs: 60_000)
        try advance()
        let old = try #require(try next())
        try done(old.run, 4)
        try renumber(old.run)
        let new = try #require(try next())

        #expect(new.run != old.run)
        #expect(new.observations.map(\.sequence) == Array(1...9))
        #expect(new.observations.map(\.wallMs) == old.observations.dropFirst(4).map(\.wallMs))
        #expect(new.observations.map(\.bootId) == old.observations.dropFirst(4).map(\.bootId))
        #expect(try status().waiting == 9)
        try renumber("another")
        #expect(try next()?.run == new.run)
    }

    @Test("A script that is being played continues under its renumbered run after a restart")
    mutating func renumberingPlay() throws {
        try play(minutes: 2, agoMs: 60_000)
        try advance()
        let old = try #require(try next())
        try done(old.run, 4)
        try renumber(old.run)
        bench = try bench.reopened()
        bench.time.advance(byMs: 60_000)
        try advance()
        let new = try #require(try next())

        #expect(new.observations.count == 21)
        #expect(new.observations.map(\.sequence) == Array(1...21))
        #expect(Set(new.observations.map(\.bootId)) == Set(old.observations.map(\.bootId)))
        #expect(try drain().last?.presence == .away)
        #expect(bench.state.plays.isEmpty)
        #expect(try bench.reopened().state.plays.isEmpty)
    }

    @Test("The spool adds 4,321 past observations in three commits")
    func longPast() throws {
        try play(minutes: 360, agoMs: 86_400_000)
        var commits = 0
        while let left = leftMs(), left <= 0 {
            try advance()
            commits += 1
        }
        let seen = try drain()

        #expect(commits == 3)
        #expect(seen.map(\.sequence) == Array(1...4_321))
    }

    @Test("At most 16 scripts are played at a time, and one more is refused until one has ended")
    func limit() throws {
        for _ in 0..<16 { try play(minutes: 1) }
        let request = DesktopPlay.Request(member: "child", steps: [.init(forMs: 1)])

        #expect(try bench.refusal(DesktopPlay.self, request)?.code == "script.too_many")
        #expect(try bench.refusal(DesktopPlay.self, request)?.retryable == true)
        bench.time.advance(byMs: 60_000)
        try advance()
        #expect(try bench.refusal(DesktopPlay.self, request) == nil)
    }

    @Test("The reply to desktop.play contains the end of the script")
    func ending() throws {
        let steps = [DesktopPlay.Step(forMs: 1_000), DesktopPlay.Step(presence: .idle, forMs: 2_000)]
        let reply = try bench.ask(DesktopPlay.self, .init(member: "m", agoMs: 1_000, steps: steps))

        #expect(reply.steps == 2)
        #expect(reply.endsAt == RFC3339.text(wallMs: bench.time.now().wallMs + 2_000))
    }

    @Test("Restarts between any two steps of the spool lose and repeat no observation")
    mutating func starts() throws {
        for seed in 0..<5 {
            var random = SeededRandom(seed: UInt64(seed))
            bench = try CoreBench(DesktopService.definition())
            try play(minutes: 3, agoMs: 60_000, app: "a")
            bench = try bench.reopened()
            try play(minutes: 1, app: "b")
            var seen: [Observation] = []
            for _ in 0..<110 {
                if random.chance(percent: 25) { bench = try bench.reopened() }
                bench.time.advance(byMs: Int64(random.number(0...4_000)))
                try advance()
                if random.chance(percent: 25) { bench = try bench.reopened() }
                guard let batch = try next() else { continue }
                if random.chance(percent: 20) {
                    try renumber(batch.run)
                    continue
                }
                let accepted = batch.observations.prefix(random.number(1...200))
                seen += accepted
                if random.chance(percent: 25) { bench = try bench.reopened() }
                try done(batch.run, try #require(accepted.last?.sequence))
            }
            let moments = { (app: String) in seen.filter { $0.app == app }.map(\.bootMs) }

            #expect(!hasWaiting, "seed \(seed)")
            #expect(moments("a") == Self.beats(36), "seed \(seed)")
            #expect(moments("b") == Self.beats(12), "seed \(seed)")
            #expect(seen.filter { $0.presence == .away }.count == 2, "seed \(seed)")
        }
    }

    @Test("The spool adds an observation at a requested check time, and ignores past check times")
    mutating func checks() throws {
        try play(minutes: 1)
        try advance()
        let run = try next()?.run
        try done(run, 1, checkAt: 3_335)
        #expect(leftMs() == 3_334)
        bench = try bench.reopened()
        bench.time.advance(byMs: 3_333)
        try advance()
        #expect(try next() == nil)
        bench.time.advance(byMs: 1)
        try advance()
        let seen = try #require(try next()).observations

        #expect(seen.map(\.sequence) == [2])
        #expect(seen.map(\.bootMs) == [3_335])
        #expect(seen.map(\.app) == ["editor"])
        #expect(leftMs() == 1_666)
        // Neither a moment behind the last observation nor none has any effect.
        try done(run, 2, checkAt: 3_000)
        #expect(leftMs() == 1_666)
        try done(run, 2, checkAt: 4_001)
        try done(run, 2)
        #expect(leftMs() == 1_666)
    }

    @Test(
        "Setting the wall clock moves no script forwards or backwards",
        arguments: [Int64(-86_400_000), 86_400_000]
    )
    func wallStep(stepMs: Int64) throws {
        try play(minutes: 1)
        try advance()
        bench.time.advance(byMs: 2_000)
        bench.time.stepWall(byMs: stepMs)

        #expect(leftMs() == 3_000)
        bench.time.advance(byMs: 3_000)
        try advance()
        #expect(try next()?.observations.map(\.bootMs) == [1, 5_001])
    }

    @Test("A script file is played once across restarts, and again after it changes")
    func scriptOnce() throws {
        let script = DesktopPlay.Request(member: "child", steps: [.init(app: "code", forMs: 60_000)])
        func start(_ bench: CoreBench<DesktopState>, _ digest: String) throws -> Bool {
            try bench.step {
                try DesktopSteps.start([script], digest: digest, state: &$0, context: $1, change: $2)
            }
        }

        #expect(try start(bench, "abc"))
        #expect(try !start(bench.reopened(), "abc"))
        #expect(try start(bench.reopened(), "abd"))
    }
}
