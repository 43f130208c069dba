import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

/// A machine of a household in virtual time: a child who comes and goes, an agent, and a link that breaks.
private final class BudgetMachine {
    let desk: ActivityDesk
    let name: HouseholdDeviceName
    var isUsed = false
    var isLinked = true
    private(set) var usedMs: Int64 = 0
    private var event: ActivityEventSpec

    init(_ number: Int, limitMinutes: Int, _ overlap: RuleOverlap) throws {
        name = HouseholdDeviceName(device: "machine-\(number)", name: "machine \(number)")
        desk = try ActivityDesk(bootID: "boot \(number)")
        let game = ActivityTarget(kind: .application, id: "game")
        event = ActivityDesk.event("limit", [game], ActivityDesk.minutes(limitMinutes), past: true)
        event.overlap = overlap
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: [event]))
    }

    var isOver: Bool { desk.occurrences().contains { $0.occasion == .thresholdReached } }

    /// A second goes by. A shield ends the use of what is used up.
    func live(_ ms: Int64) throws {
        let plays = isUsed && !isOver
        try desk.see(plays ? "game" : nil)
        try desk.pass(ms)
        if plays { usedMs += ms }
        try desk.see(plays && !isOver ? "game" : nil)
    }

    /// What it tells: the rows that are finished, and what goes on.
    func told() throws -> (rows: [Segment], open: [OpenStretch]) {
        let rows = desk.bench.events.filter { $0.header.type == SegmentClosed.type }
            .compactMap { try? Segment.decodedBody($0.body) }.filter { $0.device == nil }
        let bootMs = desk.bench.time.now().bootMs
        let open = try desk.bench.ask(UsageNow.self, Empty()).open
            .filter { $0.presence == .active && $0.device == nil }
            .map { OpenStretch(segment: own($0), agoMs: bootMs - $0.endBootMs) }
        return (rows.map(own), open)
    }

    private func own(_ row: Segment) -> Segment {
        var row = row
        row.device = name.device
        return row
    }

    /// By the limit of this day, and by one that is made now.
    func counted() throws -> [Int64] {
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request("later", events: [event]))
        return [try counted("day"), try counted("later")]
    }

    private func counted(_ activity: String) throws -> Int64 {
        let asked = ActivityExplain.Request(app: nil, member: "child", activity: activity)
        return try desk.bench.ask(ActivityExplain.self, asked).activities[0].events[0].countedMs
    }
}

/// Where they meet: it keeps what each has told, and when.
private struct BudgetHousehold {
    private var rows: [Int: [Segment]] = [:]
    private var open: [Int: (stretches: [OpenStretch], atMs: Int64)] = [:]
    private var heard: [Int: [Int: Int]] = [:]

    /// One exchange of a machine; an answer may be lost after it was taken, and rows come in any order.
    mutating func meet(
        _ place: Int,
        _ machines: [BudgetMachine],
        nowMs: Int64,
        _ random: inout SeededRandom
    ) throws {
        let machine = machines[place]
        let told = try machine.told()
        rows[place] = told.rows
        open[place] = (told.open, nowMs)
        var news: [Segment] = []
        for other in machines.indices where other != place {
            let all = rows[other] ?? []
            news += all[(heard[place]?[other] ?? 0)...]
            if !random.chance(percent: 20) { heard[place, default: [:]][other] = all.count }
        }
        let others = machines.indices.filter { $0 != place }
        let going = others.flatMap { other in
            (open[other]?.stretches ?? []).map {
                OpenStretch(segment: $0.segment, agoMs: $0.agoMs + nowMs - (open[other]?.atMs ?? nowMs))
            }
        }
        _ = try machine.desk.bench.ask(
            UsageElsewhere.self,
            .init(devices: others.map { machines[$0].name }, rows: news.shuffled(using: &random), open: going)
        )
    }
}

@Suite("A budget over three machines, simulated")
struct BudgetTogetherTests {
    private static let stepMs: Int64 = 1_000
    private static let limitMinutes = 3

    @Test(
        "in the end all count the same, and none goes on for more than moments once it can know that the limit is used up",
        arguments: UInt64(1)...UInt64(TestScale.count(4, soak: 12)),
        [RuleOverlap.each, .once]
    )
    func agree(seed: UInt64, overlap: RuleOverlap) throws {
        var random = SeededRandom(seed: seed)
        let machines = try (0..<3).map { try BudgetMachine($0, limitMinutes: Self.limitMinutes, overlap) }
        var household = BudgetHousehold()
        let breaks = seed % 3 != 0
        let limitMs = Int64(Self.limitMinutes) * 60_000
        var inTouch = [0, 0, 0]
        var apartMs: Int64 = 0
        // What counts: of a second on two machines one, or both.
        var used: Int64 = 0
        for step in 0..<480 {
            let beforeStep = used
            for (place, machine) in machines.enumerated() {
                if random.chance(percent: 4) { machine.isUsed.toggle() }
                if breaks, random.chance(percent: 3) { machine.isLinked.toggle() }
                let before = machine.usedMs
                try machine.live(Self.stepMs)
                // All that is used while a machine is away may be too much, and nothing else.
                let lived = machine.usedMs - before
                if !machine.isLinked { apartMs += lived }
                used = overlap == .once ? max(used, beforeStep + lived) : used + lived
                let isGone = used >= limitMs
                let isWhole = machines.allSatisfy(\.isLinked)
                inTouch[place] = isGone && isWhole ? inTouch[place] + 1 : 0
                #expect(
                    inTouch[place] < 4 || machine.isOver || !machine.isUsed,
                    "seed \(seed), step \(step): machine \(place) goes on"
                )
            }
            for (place, machine) in machines.enumerated() where machine.isLinked {
                try household.meet(place, machines, nowMs: Int64(step) * Self.stepMs, &random)
            }
        }
        for machine in machines { (machine.isUsed, machine.isLinked) = (false, true) }
        for step in 480..<500 {
            for (place, machine) in machines.enumerated() {
                try machine.live(Self.stepMs)
                try household.meet(place, machines, nowMs: Int64(step) * Self.stepMs, &random)
            }
        }
        #expect(
            try machines.map { try $0.counted() } == [[used, used], [used, used], [used, used]],
            "seed \(seed)"
        )
        #expect(machines.map(\.isOver) == Array(repeating: used >= limitMs, count: 3), "seed \(seed)")
        let most = limitMs + apartMs + 3 * 3 * Self.stepMs
        #expect(used <= most, "seed \(seed): \(used) of \(limitMs), \(apartMs) apart")
    }
}
