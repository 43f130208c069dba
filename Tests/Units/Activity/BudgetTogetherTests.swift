import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

/// A machine of a household in virtual time, with an agent, a child and an unreliable link.
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
        event = ActivityDesk.event(
            "limit",
            targets: [game],
            threshold: ActivityDesk.minutes(limitMinutes),
            past: true
        )
        event.overlap = overlap
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request(events: [event]))
    }

    var isOver: Bool { desk.occurrences().contains { $0.occasion == .thresholdReached } }

    /// Advances the machine by `ms`. The child plays if the machine is in use and the limit is not reached.
    func live(_ ms: Int64) throws {
        let plays = isUsed && !isOver
        try desk.see(plays ? "game" : nil)
        try desk.pass(ms)
        if plays { usedMs += ms }
        try desk.see(plays && !isOver ? "game" : nil)
    }

    /// The closed rows and open segments that the machine sends to the household.
    func told() throws -> (rows: [Segment], open: [OpenUsageInterval]) {
        let rows = desk.bench.events.filter { $0.header.type == SegmentClosed.type }
            .compactMap { try? Segment.decodedBody($0.body) }.filter { $0.device == nil }
        let bootMs = desk.bench.time.now().bootMs
        let open = try desk.bench.ask(UsageNow.self, Empty()).open
            .filter { $0.presence == .active && $0.device == nil }
            .map { OpenUsageInterval(segment: own($0), agoMs: bootMs - $0.endBootMs) }
        return (rows.map(own), open)
    }

    private func own(_ row: Segment) -> Segment {
        var row = row
        row.device = name.device
        return row
    }

    /// The usage that the current limit counts, and the usage that a new limit counts.
    func counted() throws -> [Int64] {
        _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request("later", events: [event]))
        return [try counted("day"), try counted("later")]
    }

    private func counted(_ activity: String) throws -> Int64 {
        let asked = ActivityExplain.Request(app: nil, member: "child", activity: activity)
        return try desk.bench.ask(ActivityExplain.self, asked).activities[0].events[0].countedMs
    }
}

/// The household that stores the machines' reports with their time.
private struct BudgetHousehold {
    private var rows: [Int: [Segment]] = [:]
    private var open: [Int: (stretches: [OpenUsageInterval], atMs: Int64)] = [:]
    private var heard: [Int: [Int: Int]] = [:]

    /// Exchanges the usage of one machine. The reply can be lost after its rows were added. Rows arrive in random order.
    mutating func meet(
        _ place: Int,
        machines: [BudgetMachine],
        nowMs: Int64,
        random: inout SeededRandom
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
                OpenUsageInterval(segment: $0.segment, agoMs: $0.agoMs + nowMs - (open[other]?.atMs ?? nowMs))
            }
        }
        _ = try machine.desk.bench.ask(
            RemoteUsageRoute.self,
            .init(devices: others.map { machines[$0].name }, rows: news.shuffled(using: &random), open: going)
        )
    }
}

@Suite("Limit on three simulated machines")
struct BudgetTogetherTests {
    private static let stepMs: Int64 = 1_000
    private static let limitMinutes = 3

    @Test(
        "Three machines agree on counted usage, and connected ones stop within seconds of the limit",
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
        // The usage that counts. The rule's overlap decides whether simultaneous usage counts once or for each machine.
        var used: Int64 = 0
        for step in 0..<480 {
            let beforeStep = used
            for (place, machine) in machines.enumerated() {
                if random.chance(percent: 4) { machine.isUsed.toggle() }
                if breaks, random.chance(percent: 3) { machine.isLinked.toggle() }
                let before = machine.usedMs
                try machine.live(Self.stepMs)
                // Only usage on a disconnected machine can exceed the limit.
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
                try household.meet(
                    place,
                    machines: machines,
                    nowMs: Int64(step) * Self.stepMs,
                    random: &random
                )
            }
        }
        for machine in machines { (machine.isUsed, machine.isLinked) = (false, true) }
        for step in 480..<500 {
            for (place, machine) in machines.enumerated() {
                try machine.live(Self.stepMs)
                try household.meet(
                    place,
                    machines: machines,
                    nowMs: Int64(step) * Self.stepMs,
                    random: &random
                )
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
