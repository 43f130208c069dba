import STActivityCore
import STBus
import STContracts
import STEngine
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STHouseholdCore

/// A machine with its records and the reports of its link-service.
private struct WitnessedMachine {
    private var activity: CoreBench<ActivityState>
    private var noted: [String: Int64] = [:]
    private var used: Int64 = 0
    private static let file = "bench.sqlite"

    init() throws {
        activity = try CoreBench(ActivityService.definition())
        let kid = Member(name: "kid", role: .individual)
        try activity.follow([
            CoreBench<ActivityState>.event(MemberAdded.self, sequence: 1, subject: "member/kid", body: kid)
        ])
        try answer()
    }

    private func answer() throws {
        try activity.follow([])
        let member = Member(name: "kid", role: .individual)
        activity.otherService = { route, _ in
            route == AuthProve.name
                ? try AuthProve.Reply(by: "kid").encodedBody()
                : try MemberList.Reply(device: Device(id: "d", name: "desk"), members: [member]).encodedBody()
        }
    }

    /// Adds a row to the usage record.
    mutating func uses() throws {
        used += 1
        var row = MachineStream.segment(used)
        row.device = "tablet"
        let tablet = HouseholdDeviceName(device: "tablet", name: "tablet")
        _ = try activity.ask(RemoteUsageRoute.self, .init(devices: [tablet], rows: [row], open: []))
    }

    /// Adds a line to the history.
    mutating func changes() throws {
        used += 1
        _ = try activity.ask(CategorySet.self, .init(subject: "app.\(used)", category: "games"))
    }

    func forgets() throws {
        let all = UsageForget.Request(
            member: "kid",
            fromWallMs: MachineStream.wallMs - 10 * 86_400_000,
            toWallMs: MachineStream.wallMs + 86_400_000
        )
        _ = try activity.ask(UsageForget.self, all)
    }

    mutating func restart() throws {
        activity = try activity.reopened()
        try answer()
    }

    /// Saves a copy of the records.
    mutating func copy() throws -> String {
        try activity.store.close()
        let copy = activity.scratch.file("copy.sqlite")
        DatabaseImage.copy(of: activity.scratch.file(Self.file), to: copy)
        try open()
        return copy
    }

    mutating func putBack(_ copy: String) throws {
        try activity.store.close()
        DatabaseImage.copy(of: copy, to: activity.scratch.file(Self.file))
        try open()
    }

    private mutating func open() throws {
        activity = try CoreBench(ActivityService.definition(), scratch: activity.scratch, time: activity.time)
        try answer()
    }

    func word() throws -> RecordDigest {
        RecordDigest(noted: noted, links: try activity.ask(UsageLinks.self, .init(rows: noted)).links)
    }

    mutating func hear(_ noted: [String: Int64]?) { self.noted = noted ?? [:] }
}

@Suite("The household as a witness of a machine's records", .postgres)
struct WitnessTests {
    /// Sends a report and returns the reply.
    private func tell(_ word: RecordDigest?, _ home: HouseholdBench) throws -> [String: Int64]? {
        home.bench.remote = .device(home.devices[0])
        defer { home.bench.remote = nil }
        var request = MachineStream().request(0..<0)
        request.records = word
        if word == nil { request.isWhole = true }
        return try home.bench.ask(HouseholdPush.self, request).noted
    }

    private func breaks(_ home: HouseholdBench) throws -> [RecordBreak] {
        let shown = try home.bench.ask(HouseholdShow.self, Empty()).devices
        return shown.first { $0.device == home.devices[0] }?.breaks ?? []
    }

    @Test(
        "No break is found if records grow, are deleted by a person or restart, despite lost and repeated reports",
        arguments: HouseholdGround.allCases
    )
    func quiet(ground: HouseholdGround) throws {
        for seed in UInt64(1)...12 {
            var random = SeededRandom(seed: seed)
            var home = try HouseholdBench(ground)
            var machine = try WitnessedMachine()
            var said: [RecordDigest] = []
            for _ in 0..<80 {
                switch random.number(0...9) {
                case 0...2: try machine.uses()
                case 3: try machine.changes()
                case 4 where random.chance(percent: 30): try machine.forgets()
                case 4: try machine.restart()
                case 5: home.bench = try home.bench.reopened()
                case 6: if let old = random.pick(said) { _ = try tell(old, home) }
                default:
                    let word = try machine.word()
                    said.append(word)
                    let answer = try tell(word, home)
                    if !random.chance(percent: 30) { machine.hear(answer) }
                }
            }
            #expect(try breaks(home).isEmpty, "seed \(seed)")
            machine.hear(try tell(machine.word(), home))
            machine.hear(try tell(machine.word(), home))
            let noted = try machine.word()
            #expect(
                !noted.links.isEmpty && noted.links.allSatisfy { noted.noted[$0.record.rawValue] == $0.row }
            )
        }
    }

    @Test("A restored older copy of the records is reported once, with any amount of later usage")
    func putBack() throws {
        for more in [0, 1, 9] {
            let home = try HouseholdBench()
            var machine = try WitnessedMachine()
            for _ in 0..<3 { try machine.uses() }
            try machine.changes()
            let copy = try machine.copy()
            for _ in 0..<4 { try machine.uses() }
            machine.hear(try tell(machine.word(), home))
            machine.hear(try tell(machine.word(), home))
            #expect(try breaks(home).isEmpty)
            try machine.putBack(copy)
            for _ in 0..<more { try machine.uses() }
            for _ in 0..<3 { machine.hear(try tell(machine.word(), home)) }
            let found = try breaks(home)
            #expect(found.map(\.record) == [.usage], "\(more) more")
            #expect(found.first?.row == 7)
            #expect(found.first?.rows == Int64(3 + more))
            let now = home.bench.time.now().wall
            let word = try #require(Hooks.alarms(home.bench.state, at: now).first)
            #expect(word.text.contains("usage records of laptop"))
            try home.bench.step(HouseholdSteps.recordHookDelivery(word.key))
            #expect(Hooks.alarms(home.bench.state, at: now).isEmpty)
        }
    }

    @Test("A missing record is reported as a break")
    func gone() throws {
        let home = try HouseholdBench()
        var machine = try WitnessedMachine()
        try machine.uses()
        try machine.changes()
        machine.hear(try tell(machine.word(), home))
        var empty = try machine.word()
        empty.links = []
        _ = try tell(empty, home)
        let found = try breaks(home)
        #expect(found.map(\.record) == [.usage, .history])
        #expect(found.map(\.rows) == [0, 0])
    }

    @Test("A machine that never compares its records is reported", arguments: [true, false])
    func evasive(isSilent: Bool) throws {
        let home = try HouseholdBench()
        var machine = try WitnessedMachine()
        try machine.uses()
        machine.hear(try tell(machine.word(), home))
        var word = isSilent ? nil : try machine.word()
        word?.noted = [LinkedRecord.usage.rawValue: 999]
        word?.links = []
        for _ in 1..<RecordAuditor.evasionsMax { _ = try tell(word, home) }
        #expect(try breaks(home).isEmpty)
        for _ in 0..<9 { _ = try tell(word, home) }
        #expect(try breaks(home).map(\.record) == [.usage, .history])
    }

    @Test("Invalid links of records are rejected")
    func bad() throws {
        let home = try HouseholdBench()
        let good = RecordLink(record: .usage, row: 1, link: String(repeating: "a", count: 64))
        var links = [good, good, good]
        (links[0].row, links[1].link, links[2].link) = (0, "", String(repeating: "x", count: 64))
        for bad in links.map({ [$0] }) + [Array(repeating: good, count: 9)] {
            #expect(throws: Problem.self) { try tell(RecordDigest(noted: [:], links: bad), home) }
        }
        #expect(try breaks(home).isEmpty)
    }
}
