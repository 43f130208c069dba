import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STDesktopCore

@Suite("Playing a script of observations")
struct ScriptPlayTests {
    private static let startMs: Int64 = 1_790_000_000_000

    private static func play(_ steps: [DesktopPlay.Step]) -> ScriptPlay {
        ScriptPlay(
            run: "run",
            member: "child",
            start: WallTime(ms: startMs),
            zone: "Asia/Seoul",
            steps: steps
        )
    }

    private static let day = [
        DesktopPlay.Step(app: "editor", forMs: 12_000), DesktopPlay.Step(presence: .idle, forMs: 60_000),
        DesktopPlay.Step(app: "browser", domain: "a.example", forMs: 5_000),
    ]

    /// Returns lines of `seconds app presence`.
    private static func text(_ seen: [Observation]) -> [String] {
        seen.map { "\(($0.wallMs - startMs) / 1000) \($0.app ?? "-") \($0.presence.rawValue)" }
    }

    private static let whole = [
        "0 editor active", "5 editor active", "10 editor active", "12 - idle", "72 browser active",
        "77 - away",
    ]

    @Test(
        "A played script reports an active person every five seconds, an absence once, and ends as away"
    )
    func beats() {
        var play = Self.play(Self.day)
        let seen = play.advance(to: WallTime(ms: .max / 2), limit: 100)

        #expect(Self.text(seen) == Self.whole)
        #expect(play.isOver)
        #expect(play.next == nil)
        #expect(play.end.ms == Self.startMs + 77_000)
        #expect(seen.last?.wallMs == play.end.ms)
    }

    @Test("A played script reports apps and sites only while the person is active")
    func domains() {
        var play = Self.play(
            Self.day + [.init(app: "hidden", domain: "b.example", presence: .locked, forMs: 1)]
        )
        let seen = play.advance(to: WallTime(ms: .max / 2), limit: 100)

        #expect(seen.compactMap(\.domain) == ["a.example"])
        #expect(seen.compactMap(\.app).contains("hidden") == false)
    }

    @Test("A played script reports a step's notifications once, when the step begins")
    func notifications() {
        var steps = Self.day
        steps[0].notifications = ["chat": 2]
        steps[1].notifications = ["mail": 1]
        var play = Self.play(steps)
        var seen = play.advance(to: WallTime(ms: Self.startMs + 1), limit: 100)
        play.check(at: BootTime(ms: 2_000))
        seen += play.advance(to: WallTime(ms: .max / 2), limit: 100)

        #expect(seen.count == Self.whole.count + 1)
        let told = seen.compactMap { one in one.notifications.map { (one.wallMs - Self.startMs, $0) } }
        #expect(told.map(\.0) == [0, 12_000])
        #expect(told.map(\.1) == [["chat": 2], ["mail": 1]])
    }

    @Test("A played script reports nothing before its start, and then all observations that are due")
    func pace() {
        var play = Self.play(Self.day)

        #expect(play.advance(to: WallTime(ms: Self.startMs - 1), limit: 100).isEmpty)
        #expect(play.next?.ms == Self.startMs)
        #expect(play.advance(to: WallTime(ms: Self.startMs), limit: 100).count == 1)
        #expect(play.next?.ms == Self.startMs + 5_000)
        #expect(play.advance(to: WallTime(ms: Self.startMs + 71_999), limit: 100).count == 3)
        #expect(play.next?.ms == Self.startMs + 72_000)
    }

    @Test("A played script reports the same observations at any pace and limit")
    func anyPace() {
        for seed in 0..<200 {
            var random = SeededRandom(seed: UInt64(seed))
            let steps = (0..<random.number(1...12)).map { index in
                DesktopPlay.Step(
                    app: random.chance(percent: 80) ? "app\(index)" : nil,
                    presence: random.pick([nil, .active, .idle, .away]) ?? nil,
                    forMs: Int64(random.number(1...40_000))
                )
            }
            var atOnce = Self.play(steps)
            let all = atOnce.advance(to: WallTime(ms: .max / 2), limit: .max)
            var slowly = Self.play(steps)
            var seen: [Observation] = []
            var nowMs = Self.startMs
            while !slowly.isOver {
                nowMs += Int64(random.number(0...9_000))
                seen += slowly.advance(to: WallTime(ms: nowMs), limit: random.number(1...3))
            }

            #expect(seen == all, "seed \(seed)")
            #expect(all.map(\.sequence) == Array(1...Int64(all.count)), "seed \(seed)")
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.bootMs < $1.bootMs }, "seed \(seed)")
            #expect(all.last?.presence == .away)
        }
    }

    @Test("A requested check of a played script adds at most one observation and changes no other")
    func moments() {
        for seed in 0..<200 {
            var random = SeededRandom(seed: UInt64(seed))
            var plain = Self.play(Self.day)
            let whole = plain.advance(to: WallTime(ms: .max / 2), limit: 100)
            var play = Self.play(Self.day)
            var seen: [Observation] = []
            var asked: Set<Int64> = []
            var nowMs = Self.startMs - 1
            while !play.isOver {
                nowMs += Int64(random.number(0...4_000))
                let told = play.advance(to: WallTime(ms: nowMs), limit: 100)
                seen += told
                guard let last = told.last, random.chance(percent: 50) else { continue }
                let checkMs = last.bootMs + Int64(random.number(-1_000...6_000))
                play.check(at: BootTime(ms: checkMs))
                asked.insert(checkMs)
            }
            let more = seen.filter { one in !whole.contains { $0.bootMs == one.bootMs } }

            #expect(seen.map(\.sequence) == Array(1...Int64(seen.count)), "seed \(seed)")
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.bootMs < $1.bootMs }, "seed \(seed)")
            #expect(whole.allSatisfy { one in seen.contains { $0.bootMs == one.bootMs } }, "seed \(seed)")
            #expect(more.allSatisfy { asked.contains($0.bootMs) }, "seed \(seed)")
            for one in more {
                let before = whole.last { $0.bootMs < one.bootMs }
                #expect(one.app == before?.app && one.presence == before?.presence, "seed \(seed)")
            }
        }
    }

    @Test("A played script has its own boot ID and a boot clock that begins with the script")
    func boots() {
        var play = Self.play(Self.day)
        let seen = play.advance(to: WallTime(ms: .max / 2), limit: 100)

        #expect(Set(seen.map(\.bootId)) == ["script-run"])
        #expect(seen.first?.bootMs == 1)
        #expect(seen.allSatisfy { $0.bootMs - 1 == $0.wallMs - Self.startMs && $0.bootMs == $0.monotonicMs })
    }

    @Test("An invalid script is refused with a code and the path of the invalid part")
    func checks() throws {
        let good = DesktopPlay.Step(app: "a", forMs: 1_000)
        let long = String(repeating: "n", count: 257)
        func problem(_ steps: [DesktopPlay.Step], member: String = "m", agoMs: Int64? = nil) throws -> String
        {
            do {
                try ScriptPlay.check(.init(member: member, agoMs: agoMs, steps: steps))
                return "fine"
            } catch let problem as Problem {
                return "\(problem.code) \(problem.field ?? "")"
            }
        }

        #expect(try problem([good]) == "fine")
        #expect(try problem([good], agoMs: ScriptPlay.lengthMax.ms) == "fine")
        #expect(try problem([]) == "script.bad_length /steps")
        #expect(try problem(Array(repeating: good, count: 2_000)) == "fine")
        #expect(try problem(Array(repeating: good, count: 2_001)) == "script.bad_length /steps")
        #expect(try problem([good], member: "") == "script.no_member /member")
        #expect(try problem([good, .init(forMs: 0)]) == "script.bad_duration /steps/1/for_ms")
        #expect(try problem([.init(forMs: .min)]) == "script.bad_duration /steps/0/for_ms")
        #expect(try problem([.init(forMs: .max)]) == "script.bad_duration /steps/0/for_ms")
        #expect(try problem([.init(forMs: ScriptPlay.lengthMax.ms), good]) == "script.too_long /ago_ms")
        #expect(try problem([good], agoMs: -1) == "script.too_long /ago_ms")
        #expect(try problem([good], agoMs: ScriptPlay.lengthMax.ms + 1) == "script.too_long /ago_ms")
        #expect(
            try problem([good, good, .init(presence: .unknown, forMs: 1)])
                == "body.unknown_value /steps/2/presence"
        )
        // A name that the ledger would reject permanently must not block everything after it.
        #expect(try problem([.init(app: long, forMs: 1)]) == "script.bad_name /steps/0/app")
        #expect(try problem([.init(app: "", forMs: 1)]) == "script.bad_name /steps/0/app")
        let counts: [([String: Int64], String)] = [
            (["a": 1, "b": 10_000], "fine"), ([:], "script.bad_notifications"),
            (["a": 0], "script.bad_notifications"), (["a": 10_001], "script.bad_notifications"),
            (["": 1], "script.bad_name"), ([long: 1], "script.bad_name"),
        ]
        for (count, code) in counts {
            let found = try problem([good, .init(forMs: 1, notifications: count)])
            #expect(found == (code == "fine" ? code : "\(code) /steps/1/notifications"))
        }
        #expect(try problem([good, .init(domain: long, forMs: 1)]) == "script.bad_name /steps/1/domain")
    }
}
