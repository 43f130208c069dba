import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Usage on another machine of the household")
struct ElsewhereTests {
    private static let game = ActivityTarget(kind: .application, id: "game")
    private static let laptop = HouseholdDeviceName(device: "laptop-1", name: "laptop")
    private static let minute: Int64 = 60_000
    private let desk: ActivityDesk

    init() throws {
        desk = try ActivityDesk()
        let event = ActivityDesk.event(
            "limit",
            targets: [Self.game],
            threshold: ActivityDesk.minutes(30),
            past: true
        )
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: [event]))
    }

    private var nowMs: Int64 { desk.bench.time.now().wallMs }

    /// A segment of the laptop, whose boot time is independent of this machine's.
    private func stretch(
        _ number: Int64,
        _ app: String = "game",
        fromWallMs: Int64,
        ms: Int64,
        member: String = "child"
    ) -> Segment {
        let bootMs = 7 + fromWallMs - ActivityDesk.noon
        return Segment(
            segment: "agent/run/\(number)",
            agent: "agent",
            run: "run",
            sequence: number,
            member: member,
            presence: .active,
            app: app,
            domain: nil,
            bootId: "boot of the laptop",
            startBootMs: 50_000_000 + bootMs,
            endBootMs: 50_000_000 + bootMs + ms,
            startWallMs: fromWallMs,
            zone: "UTC",
            device: Self.laptop.device
        )
    }

    @discardableResult
    private func hear(_ rows: [Segment] = [], open: [Segment] = [], agoMs: Int64 = 0) throws
        -> RemoteUsageRoute.Reply
    {
        try desk.bench.ask(
            RemoteUsageRoute.self,
            .init(
                devices: [Self.laptop],
                rows: rows,
                open: open.map { OpenUsageInterval(segment: $0, agoMs: agoMs) }
            )
        )
    }

    private func counted() throws -> Int64 {
        let asked = ActivityExplain.Request(app: nil, member: "child", activity: "day")
        return try desk.bench.ask(ActivityExplain.self, asked).activities[0].events[0].countedMs
    }

    @Test("Usage on another machine counts once towards the limit, and its explanation names the machine")
    func counts() throws {
        try desk.use("game", 10 * Self.minute)
        let row = stretch(1, fromWallMs: nowMs - 5 * Self.minute, ms: 5 * Self.minute)
        #expect(try hear([row]) == .init(added: 1, duplicates: 0))
        #expect(try hear([row]) == .init(added: 0, duplicates: 1))
        #expect(try counted() == 15 * Self.minute)
        let explained = try desk.bench.ask(
            ActivityExplain.self,
            .init(app: nil, member: "child", activity: "day")
        )
        let items = explained.activities[0].events[0].parts.filter(\.counted).map(\.item)
        #expect(items == ["game", "game, on the machine laptop"])
        let known = try desk.bench.ask(UsageList.self, .init()).rows.filter { $0.device != nil }
        #expect(known.map(\.knownBy) == [.elsewhere])
        // The row survives a restart and counts for a later limit.
        try desk.reopen()
        // Until the household is complete, the request is refused and no row is set aside.
        #expect(throws: Problem.self) { try hear([row]) }
        try desk.bench.follow([])
        #expect(try hear([row]).duplicates == 1)
        let later = ActivityDesk.event(
            "later",
            targets: [Self.game],
            threshold: ActivityDesk.minutes(20),
            past: true
        )
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request("later", events: [later]))
        let asked = ActivityExplain.Request(app: nil, member: "child", activity: "later")
        #expect(
            try desk.bench.ask(ActivityExplain.self, asked).activities[0].events[0].countedMs == 15
                * Self.minute
        )
    }

    @Test(
        "Usage on another machine reaches the limit at its own moment, and late usage changes no callback"
    )
    func crosses() throws {
        try desk.use("game", 20 * Self.minute)
        let startMs = nowMs
        desk.bench.time.advance(byMs: 15 * Self.minute)
        try hear(open: [stretch(1, fromWallMs: startMs, ms: 15 * Self.minute)])
        let told = try #require(desk.occurrences().last)
        #expect(told.occasion == .thresholdReached)
        #expect(told.dueWallMs == startMs + 10 * Self.minute)
        #expect(told.dueBootMs == nil)
        let before = desk.lines
        try hear([
            stretch(1, fromWallMs: startMs, ms: 15 * Self.minute),
            stretch(2, fromWallMs: startMs - 86_400_000, ms: Self.minute),
        ])
        #expect(desk.lines == before)
        #expect(try counted() == 35 * Self.minute)
    }

    @Test("The next report accounts for usage on both machines, and is due each second near the limit")
    func together() throws {
        let startMs = nowMs
        #expect(try desk.see("game") == 1_000_000 + 30 * Self.minute)
        try hear(open: [stretch(1, fromWallMs: startMs, ms: 0)])
        // Both machines use the limit from now on.
        desk.bench.time.advance(byMs: 1_000)
        #expect(try desk.see("game") == 1_000_000 + 15 * Self.minute)
        desk.bench.time.advance(byMs: 14 * Self.minute + 49_000)
        try hear(open: [stretch(1, fromWallMs: startMs, ms: 14 * Self.minute + 50_000)])
        let bootMs = desk.bench.time.now().bootMs
        #expect(try desk.see("game") == bootMs + 1_000)
        // An open segment without recent reports does not extend to the present.
        desk.bench.time.advance(byMs: 5_000)
        try hear(open: [stretch(1, fromWallMs: startMs, ms: 14 * Self.minute + 50_000)], agoMs: 60_000)
        let alone = try desk.see("game")
        #expect(alone == 1_000_000 + 15 * Self.minute + 10_000)
    }

    @Test("Usage that its own machine has deleted is removed here, except for a child's usage")
    func deleted() throws {
        try desk.use("game", 10 * Self.minute)
        desk.bench.time.advance(byMs: 80 * Self.minute)
        func row(_ number: Int64, _ member: String) -> Segment {
            let fromMs = nowMs - number * 15 * Self.minute
            return stretch(number, fromWallMs: fromMs, ms: 5 * Self.minute, member: member)
        }
        let rows = [row(1, "guardian"), row(2, "guardian"), row(3, "guardian"), row(4, "child")]
        try hear(rows)
        func copies(after: Int64 = 0, gone: [String] = []) throws -> UsageCopies.Reply {
            let asked = UsageCopies.Request(device: Self.laptop.device, after: after, gone: gone)
            return try desk.bench.ask(UsageCopies.self, asked)
        }
        let known = try copies()
        #expect(known.segments.sorted() == rows.map(\.segment))
        let last = try #require(known.last)
        // The request cannot delete rows of this machine or of a third one.
        let own = try desk.bench.ask(UsageList.self, .init()).rows.filter { $0.device == nil }
        let gone = [rows[0], rows[2], rows[3]].map(\.segment) + ["no such row"] + own.map(\.segment)
        #expect(try copies(after: last, gone: gone).last == nil)
        // Deletion of a child's usage requires a guardian's passcode on this machine.
        #expect(try copies().segments.sorted() == [rows[1].segment, rows[3].segment])
        #expect(try counted() == 15 * Self.minute)
        #expect(try desk.bench.ask(UsageList.self, .init()).rows.count { $0.device == nil } == own.count)
        #expect(try desk.bench.ask(UsageVerify.self, .init()).fault == nil)
        let lines = try desk.bench.ask(HistoryList.self, .init()).lines
        #expect(
            lines.first?.what == .forgotten && lines.first?.why?.english == "deleted on laptop",
            "\(lines)"
        )
        // A row is added if its machine sends it again.
        #expect(try hear([rows[0]]).added == 1)
        let many = Array(repeating: "row", count: UsageCopies.rowsMax + 1)
        let refusal = try desk.bench.refusal(
            UsageCopies.self,
            .init(device: Self.laptop.device, after: 0, gone: many)
        )
        #expect(refusal?.code == "usage.too_many_rows")
    }

    @Test("Usage on another machine counts as its final rows say, in any order, repeated or corrected")
    func anyOrder() throws {
        for seed in UInt64(1)...10 {
            var random = SeededRandom(seed: seed)
            let desk = try ActivityDesk()
            let event = ActivityDesk.event("limit", targets: [Self.game], threshold: ActivityDesk.minutes(30))
            _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: [event]))
            desk.bench.time.advance(byMs: 120 * Self.minute)
            var rows: [Segment] = []
            for number in Int64(1)...12 {
                let ms = random.number(0...(5 * Self.minute))
                let fromMs = ActivityDesk.noon + number * 6 * Self.minute
                rows.append(stretch(number, random.pick(["game", "mail"]) ?? "", fromWallMs: fromMs, ms: ms))
            }
            func tell(_ rows: [Segment], _ open: [Segment]) throws {
                let request = RemoteUsageRoute.Request(
                    devices: [Self.laptop],
                    rows: rows,
                    open: open.map { OpenUsageInterval(segment: $0, agoMs: 0) }
                )
                _ = try desk.bench.ask(RemoteUsageRoute.self, request)
            }
            for _ in 0..<60 {
                guard var row = random.pick(rows) else { continue }
                if random.chance(percent: 30) {
                    try tell([row], [])
                } else if random.chance(percent: 10) {
                    try desk.reopen()
                    try desk.bench.follow([])
                } else {
                    // The length so far, or one beyond the final length.
                    row.endBootMs = row.startBootMs + random.number(0...(row.durationMs + Self.minute))
                    try tell([], [row])
                }
            }
            for row in rows.reversed() { try tell([row], []) }
            let wanted = rows.filter { $0.app == "game" }.map(\.durationMs).reduce(0, +)
            let asked = ActivityExplain.Request(app: nil, member: "child", activity: "day")
            let explained = try desk.bench.ask(ActivityExplain.self, asked).activities[0].events[0]
            #expect(explained.countedMs == wanted, "seed \(seed)")
            let parts = explained.parts.filter(\.counted).map(\.ms).reduce(0, +)
            #expect(parts == wanted, "seed \(seed)")
        }
    }

    /// A forged interval. There are only a few names, so that later intervals change earlier ones.
    private func forged(_ random: inout SeededRandom, before nowMs: Int64) -> Segment {
        let fromMs = nowMs - random.number((20 * Self.minute)...(120 * Self.minute))
        let apps = ["game", "game", "mail"]
        var row = stretch(
            random.number(1...4),
            random.pick(apps) ?? "",
            fromWallMs: fromMs,
            ms: random.number(0...(15 * Self.minute)),
            member: random.chance(percent: 80) ? "child" : "guardian"
        )
        // The boot time and the time of day can differ.
        if random.chance(percent: 50) {
            let bootMs: Int64 = random.pick([7_000_000, 80_000_000, 200_000_000]) ?? 0
            row.endBootMs = bootMs + row.durationMs
            row.startBootMs = bootMs
        }
        // The boot id of this machine.
        if random.chance(percent: 50) { row.bootId = "boot" }
        if random.chance(percent: 20) { row.presence = .idle }
        return row
    }

    @Test(
        "Usage that a household forges or changes does not reduce usage that was observed here",
        arguments: [RuleOverlap.each, .once]
    )
    func lies(overlap: RuleOverlap) throws {
        let midnightMs = ActivityDesk.noon + 720 * Self.minute
        for seed in UInt64(1)...30 {
            var random = SeededRandom(seed: seed)
            let desk = try ActivityDesk()
            let game = TokenItem(kind: .application, id: "game")
            var rule = RuleSpec(kind: .limit, member: "child", targets: [game], durationMs: 30 * Self.minute)
            rule.overlap = overlap
            _ = try desk.bench.ask(RuleAdd.self, .init(rule))
            func counted() throws -> (ms: Int64, parts: Int64) {
                let asked = ActivityExplain.Request(app: BuiltInRules.app, member: "child", activity: "game")
                let event = try desk.bench.ask(ActivityExplain.self, asked).activities[0].events[0]
                return (event.countedMs, event.parts.filter(\.counted).map(\.ms).reduce(0, +))
            }
            func lie() throws {
                let lie = forged(&random, before: desk.bench.time.now().wallMs)
                let isOpen = random.chance(percent: 75)
                let request = RemoteUsageRoute.Request(
                    devices: [Self.laptop],
                    rows: isOpen ? [] : [lie],
                    open: isOpen
                        ? [OpenUsageInterval(segment: lie, agoMs: random.number(0...Self.minute))] : []
                )
                _ = try desk.bench.ask(RemoteUsageRoute.self, request)
                if random.chance(percent: 5) {
                    try desk.reopen()
                    try desk.bench.follow([])
                }
            }
            /// The child's usage of the game since midnight in rows of other machines and in their intervals under way.
            func told() throws -> Int64 {
                let rows = try desk.bench.ask(UsageList.self, .init()).rows.filter {
                    $0.device != nil && $0.member == "child"
                }
                let all = rows.map { UsageInterval($0) } + desk.bench.state.remoteUsage.intervals(of: "child")
                return all.filter { $0.app == "game" && $0.presence == .active }
                    .map { max(0, $0.endWall.ms - max(midnightMs, $0.fromWall.ms)) }.reduce(0, +)
            }
            try desk.pass(10 * 60 * Self.minute)
            for _ in 0..<30 { try lie() }
            try desk.pass(5 * 60 * Self.minute)
            try desk.use("game", 10 * Self.minute)
            let own = try desk.bench.ask(UsageList.self, .init()).rows.filter { $0.device == nil }
            for _ in 0..<30 {
                try lie()
                let found = try counted()
                #expect(found.ms >= 10 * Self.minute, "seed \(seed)")
                guard overlap == .each else { continue }
                #expect(found.ms == 10 * Self.minute + (try told()), "seed \(seed)")
                #expect(found.parts == found.ms, "seed \(seed)")
            }
            let rows = try desk.bench.ask(UsageList.self, .init()).rows
            #expect(rows.filter { $0.device == nil } == own, "seed \(seed)")
            #expect(try desk.bench.ask(UsageVerify.self, .init()).fault == nil, "seed \(seed)")
        }
    }

    @Test("Open intervals of other machines are stored up to a limit, and the oldest no longer count")
    func endless() throws {
        try desk.use("game", 10 * Self.minute)
        desk.bench.time.advance(byMs: 110 * Self.minute)
        var number: Int64 = 0
        for _ in 0..<15 {
            let open = (0..<Int64(RemoteUsageRoute.openMax)).map {
                stretch(number + $0, fromWallMs: nowMs - 100 * Self.minute + (number + $0) * 1_000, ms: 1_000)
            }
            number += Int64(open.count)
            try hear(open: open)
        }
        let kept = desk.bench.state.remoteUsage.intervals(of: "child").count
        #expect(number == 3_000 && kept <= 1_000 + RemoteUsageRoute.openMax, "\(kept) of \(number)")
        #expect(try counted() == 10 * Self.minute + Int64(kept) * 1_000)
        try desk.reopen()
        #expect(desk.bench.state.remoteUsage.intervals(of: "child").count == kept)
    }

    @Test("Late usage on another machine starts no rest and keeps the usage since the last one")
    func breaks() throws {
        var event = ActivityDesk.event("break", targets: [], threshold: ActivityDesk.minutes(50))
        event.restMs = 5 * Self.minute
        let request = ActivityDesk.request("breaks", app: "another", events: [event])
        _ = try desk.bench.ask(ActivityStart.self, request)
        func worked() throws -> Int64 {
            let asked = ActivityExplain.Request(app: nil, member: "child", activity: "breaks")
            return try desk.bench.ask(ActivityExplain.self, asked).activities[0].events[0].countedMs
        }
        desk.bench.time.advance(byMs: 180 * Self.minute)
        try desk.use("mail", 45 * Self.minute)
        let before = desk.lines
        try hear([
            stretch(1, "mail", fromWallMs: nowMs - 170 * Self.minute, ms: 60 * Self.minute),
            stretch(2, "mail", fromWallMs: nowMs - 100 * Self.minute, ms: 20 * Self.minute),
        ])
        #expect(desk.lines == before)
        #expect(try worked() == 45 * Self.minute)
        // Work continues on the other machine without a rest.
        let startMs = nowMs
        desk.bench.time.advance(byMs: 4 * Self.minute)
        try hear(open: [stretch(3, "mail", fromWallMs: startMs - Self.minute, ms: 5 * Self.minute)])
        #expect(try worked() == 49 * Self.minute)
    }

    @Test("Usage on another machine that was deleted here is not added again")
    func forgotten() throws {
        let row = stretch(1, fromWallMs: nowMs - 5 * Self.minute, ms: 5 * Self.minute, member: "guardian")
        try hear([row])
        let range = (nowMs - 10 * Self.minute, nowMs)
        desk.bench.time.advance(byMs: Self.minute)
        let request = UsageForget.Request(fromWallMs: range.0, toWallMs: range.1)
        #expect(try desk.bench.ask(UsageForget.self, request).rows == 1)
        #expect(try hear([row]) == .init(added: 0, duplicates: 1))
        #expect(try desk.bench.ask(UsageList.self, .init()).rows.isEmpty)
    }

    @Test("Invalid usage of another machine is set aside, and the rest is accepted")
    func aside() throws {
        let good = stretch(1, fromWallMs: nowMs - Self.minute, ms: Self.minute)
        let future = stretch(2, fromWallMs: nowMs + 5 * Self.minute, ms: Self.minute)
        let stranger = stretch(3, fromWallMs: nowMs - Self.minute, ms: 1, member: "stranger")
        var nowhere = stretch(4, fromWallMs: nowMs - Self.minute, ms: 1)
        nowhere.zone = "Nowhere/At All"
        let reply = try hear([future, good, stranger, nowhere], open: [future])
        #expect(reply.added == 1 && reply.aside == 4)
        #expect(reply.why?.code == "usage.from_future")
        var unnamed = good
        unnamed.device = nil
        #expect(throws: Problem.self) { try hear([unnamed]) }
        unnamed.device = "another"
        #expect(throws: Problem.self) { try hear([unnamed]) }
        #expect(throws: Problem.self) { try hear(Array(repeating: good, count: 201)) }
        desk.bench.time.advance(byMs: Self.minute)
        let open = stretch(9, fromWallMs: nowMs - Self.minute, ms: Self.minute)
        for agoMs in [-1, Int64.max] {
            try hear(open: [open], agoMs: agoMs)
            #expect(desk.bench.state.remoteUsage.intervals(of: "child").isEmpty)
        }
    }
}
