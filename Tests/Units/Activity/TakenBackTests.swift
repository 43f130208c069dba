import STActivityCore
import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Usage that is withdrawn because the member had left")
struct TakenBackTests {
    private static let minute: Int64 = 60_000
    private var lived = Lived()
    private var watcher = Watcher()

    private var now: Int64 { watcher.time.now().bootMs }

    /// Reports the foreground app every five seconds for this many minutes.
    private mutating func reads(
        _ app: String,
        minutes: Int64,
        touchedMs: Int64?,
        shielded: Bool? = nil
    ) throws {
        for _ in 0..<(minutes * 12) {
            try lived.take(
                watcher.sees(app, afterMs: 5_000, inputBootMs: touchedMs ?? now + 5_000, shielded: shielded)
            )
        }
    }

    @Test("When the member becomes idle, the time since the last input is withdrawn")
    mutating func reading() throws {
        try lived.take(watcher.sees("reader", inputBootMs: now))
        try reads("reader", minutes: 10, touchedMs: nil)
        let touched = now
        try reads("reader", minutes: 5, touchedMs: touched)
        #expect(lived.story == ["reader active 900000"])
        try lived.take(watcher.sees("reader", .idle, inputBootMs: touched))
        #expect(lived.story == ["reader active 600000", "reader idle 300000"])
        #expect(lived.takenBack.map { $0.toBoot - $0.fromBoot } == [.seconds(300)])
        try lived.take(watcher.sees("reader", afterMs: 60_000, inputBootMs: now + 60_000))
        #expect(lived.story == ["reader active 600000", "reader idle 360000", "reader active 0"])
    }

    @Test("A shield that appears after the member has left leaves no usage")
    mutating func shielded() throws {
        try lived.take(watcher.sees("game", inputBootMs: now))
        let touched = now
        try reads("game", minutes: 3, touchedMs: touched)
        try reads("game", minutes: 2, touchedMs: touched, shielded: true)
        // The segments are still open and not in the ledger.
        #expect(lived.closed.isEmpty && lived.timeline.open.map(\.durationMs) == [185_000, 115_000])
        #expect(UsageNow.Reply(open: lived.timeline.open).foregroundSegments.map(\.shielded) == [true])
        try lived.take(watcher.sees("game", .idle, inputBootMs: touched))
        #expect(lived.story == ["game active 0", "game active 0", "game idle 300000"])
        #expect(Set(lived.opened.map(\.segment)) == Set(lived.rows.map(\.segment)))
    }

    @Test("Usage that ended before or at an input is stored immediately and is not withdrawn")
    mutating func touched() throws {
        try lived.take(watcher.sees("editor", inputBootMs: now))
        try lived.take(watcher.sees("browser", afterMs: 10_000, inputBootMs: now + 9_000))
        #expect(lived.closed.map(\.durationMs) == [10_000])
        let touched = now
        try lived.take(watcher.sees("player", afterMs: 12_000, inputBootMs: touched))
        #expect(lived.closed.count == 1)
        try lived.take(watcher.sees("player", afterMs: 5_000, inputBootMs: now + 5_000))
        #expect(lived.closed.map(\.durationMs) == [10_000, 12_000])
    }

    @Test("More than ten rows that may still be withdrawn are listed by their time")
    mutating func order() throws {
        let desk = try LedgerDesk()
        let touched = now
        let seen = (0..<12).map { index in
            watcher.sees("app-\(index % 2)", afterMs: 1_000, inputBootMs: touched)
        }
        _ = try desk.observe(seen)
        let starts = try desk.now().map(\.startBootMs)
        #expect(starts == starts.sorted())
        #expect(starts.count > 10)
    }

    @Test("Without input reports, and after a lock, silence or sleep, no usage is withdrawn")
    mutating func others() throws {
        try lived.take(watcher.sees("editor"))
        try lived.take(watcher.sees(nil, .idle, afterMs: 5_000))
        try lived.take(watcher.sees("editor", afterMs: 5_000, inputBootMs: now + 5_000))
        let touched = now
        try lived.take(watcher.sees(nil, .locked, afterMs: 10_000, inputBootMs: touched))
        try lived.take(watcher.sees("editor", afterMs: 5_000, inputBootMs: now))
        try lived.take(watcher.sees(nil, .idle, afterMs: 100_000, inputBootMs: touched))
        watcher.time.suspend(forMs: 60_000)
        try lived.take(watcher.sees("editor", afterMs: 5_000, inputBootMs: touched))
        watcher.time.suspend(forMs: 60_000)
        try lived.take(watcher.sees(nil, .idle, afterMs: 5_000, inputBootMs: touched))
        #expect(lived.takenBack.isEmpty)
    }

    @Test("At most one hour of usage is withdrawn at a time")
    mutating func most() throws {
        try lived.take(watcher.sees("game", inputBootMs: now))
        let touched = now
        try reads("game", minutes: 90, touchedMs: touched)
        try lived.take(watcher.sees(nil, .idle, inputBootMs: touched))
        #expect(lived.story == ["game active 1800000", "- idle 3600000"])
    }

    @Test("Changes of windows without input keep only a limited number of open segments")
    mutating func many() throws {
        try lived.take(watcher.sees("a", inputBootMs: now))
        let touched = now
        for index in 0..<200 {
            try lived.take(watcher.sees(index % 2 == 0 ? "b" : "a", afterMs: 4_000, inputBootMs: touched))
            #expect(lived.timeline.open.count <= Timeline.heldMax + 1)
        }
        try lived.take(watcher.sees(nil, .idle, inputBootMs: touched))
        #expect(lived.rows.reduce(0) { $0 + $1.durationMs } == 800_000)
        #expect(lived.sums["- idle"] == (Int64(Timeline.heldMax) * 4_000))
    }

    @Test(
        "In random reports, passed minus withdrawn usage equals the rows, which cover every moment"
    )
    func random() throws {
        var returns = 0
        for seed in 0..<UInt64(1_000) {
            var life = RandomLife(seed: seed)
            life.touchesPercent = 50
            life.shieldsPercent = 20
            let seen = life.observations()
            var lived = Lived()
            for each in seen { try lived.take(each) }
            var sums: [String: Int64] = [:]
            for piece in lived.passed {
                sums["\(piece.app ?? "-") \(piece.presence) \(piece.isShielded)", default: 0] +=
                    (piece.toBoot - piece.fromBoot).ms
            }
            for piece in lived.takenBack {
                sums["\(piece.app ?? "-") \(piece.presence) \(piece.isShielded)", default: 0] -=
                    (piece.toBoot - piece.fromBoot).ms
            }
            for row in lived.rows {
                sums["\(row.app ?? "-") \(row.presence) \(row.shielded == true)", default: 0] -=
                    row.durationMs
            }
            #expect(sums.values.allSatisfy { $0 == 0 }, "seed \(seed)")
            for (boot, moments) in Dictionary(grouping: seen, by: \.bootId) {
                let rows = lived.rows.filter { $0.bootId == boot }
                let isWhole = zip(rows, rows.dropFirst()).allSatisfy { $0.endBootMs == $1.startBootMs }
                #expect(isWhole && rows.last?.endBootMs == moments.last?.bootMs, "seed \(seed)")
                #expect(rows.first?.startBootMs == moments.first?.bootMs, "seed \(seed)")
            }
            #expect(
                Set(lived.opened.map(\.segment)).isSubset(of: Set(lived.rows.map(\.segment))),
                "seed \(seed)"
            )
            returns += lived.takenBack.count
        }
        #expect(returns > 100)
    }
}

@Suite("Thresholds after withdrawn usage")
struct ReturnedBudgetTests {
    private static let minute: Int64 = 60_000

    private func desk(app: String) throws -> ActivityDesk {
        let desk = try ActivityDesk()
        let game = ActivityTarget(kind: .application, id: "game")
        if app == BuiltInRules.app {
            let targets = [TokenItem(kind: .application, id: "game")]
            let rule = RuleSpec(
                kind: .limit,
                member: "child",
                targets: targets,
                durationMs: 10 * Self.minute,
                then: .shield
            )
            _ = try desk.bench.ask(RuleAdd.self, .init(rule))
            desk.inputBootMs = desk.bench.time.now().bootMs + 8 * Self.minute
            return desk
        }
        let spec = ActivityDesk.event(
            BuiltInRules.usedEvent,
            targets: [game],
            threshold: ActivityDesk.minutes(10),
            past: true
        )
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(app: app, events: [spec]))
        desk.inputBootMs = desk.bench.time.now().bootMs + 8 * Self.minute
        return desk
    }

    private func counted(_ desk: ActivityDesk, _ app: String) throws -> ExplainEvent {
        try desk.bench.ask(ActivityExplain.self, .init(app: app)).activities[0].events[0]
    }

    @Test(
        "A limit is open again after its usage is withdrawn, can be reached again, and the ledger is valid"
    )
    func rules() throws {
        let desk = try desk(app: BuiltInRules.app)
        try desk.use("game", 13 * Self.minute)
        #expect(
            desk.lines == [
                "0 interval_started game", "10 threshold_reached used", "10 threshold_returned used",
            ]
        )
        let event = try counted(desk, BuiltInRules.app)
        #expect(event.countedMs == 8 * Self.minute && !event.reached)
        #expect(
            event.parts.contains {
                $0.because.english.contains("the pointer did not move") && $0.ms == 5 * Self.minute
            }
        )
        #expect(desk.occurrences().last?.evidence.parts.map(\.ms) == [8 * Self.minute])

        try desk.reopen()
        try desk.pass(Self.minute)
        desk.inputBootMs = desk.bench.time.now().bootMs + 60 * Self.minute
        try desk.use("game", 3 * Self.minute)
        #expect(desk.lines.last == "16 threshold_reached used")
        // Since the restart, one decision was published: the limit shields again.
        let decided = try desk.bench.events.filter { $0.header.type == RuleDecided.type }
            .map { try $0.decoded(RuleDecided.self).settings != nil }
        #expect(decided == [true])
        let verified = try desk.bench.ask(UsageVerify.self, .init())
        #expect(verified.fault == nil && verified.checked > 0)
    }

    @Test("An app is notified once per interval, and its count excludes withdrawn usage")
    func apps() throws {
        let desk = try desk(app: "promise")
        try desk.use("game", 13 * Self.minute)
        desk.inputBootMs = desk.bench.time.now().bootMs + 60 * Self.minute
        try desk.use("game", 3 * Self.minute)
        #expect(desk.lines == ["0 interval_started day", "10 threshold_reached used"])
        #expect(try counted(desk, "promise").countedMs == 11 * Self.minute)
    }
}
