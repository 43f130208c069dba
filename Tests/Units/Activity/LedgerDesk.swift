import STContracts
import STPlatform
import STTestKit

@testable import STActivityCore

/// A ledger with a household and reporting agents.
struct LedgerDesk {
    var bench: CoreBench<ActivityState>
    var watcher = Watcher()

    init(
        members: [String] = ["owner", "child", "guardian"],
        agents: Set<String> = [],
        limits: ActivityLimits = ActivityLimits()
    ) throws {
        bench = try CoreBench(ActivityService.definition(agents: agents, limits: limits))
        var sequence: Int64 = 0
        try bench.follow(
            members.map { name in
                sequence += 1
                return try CoreBench<ActivityState>.event(
                    MemberAdded.self,
                    sequence: sequence,
                    subject: "member/\(name)",
                    body: Member(name: name, role: name == "owner" ? .individual : .child)
                )
            }
        )
    }

    static func request(_ seen: [Observation], agent: String = "agent", run: String = "run")
        -> UsageObserve.Request
    {
        UsageObserve.Request(agent: agent, run: run, observations: seen)
    }

    func observe(_ seen: [Observation], agent: String = "agent", run: String = "run") throws
        -> UsageObserve.Reply
    {
        try bench.ask(UsageObserve.self, Self.request(seen, agent: agent, run: run))
    }

    func refusal(_ seen: [Observation], agent: String = "agent", run: String = "run") throws -> Problem? {
        try bench.refusal(UsageObserve.self, Self.request(seen, agent: agent, run: run))
    }

    /// SQL statements that change the observed content of one row.
    static func edit(sight change: String, row: Int) -> String {
        """
        INSERT INTO ledger_sights (presence, app, domain, category, shielded)
            SELECT presence, app, domain, category, shielded FROM ledger_sights
            WHERE id = (SELECT sight FROM ledger WHERE row = \(row));
        UPDATE ledger_sights SET \(change) WHERE id = last_insert_rowid();
        UPDATE ledger SET sight = (SELECT max(id) FROM ledger_sights) WHERE row = \(row);
        """
    }

    func rows() throws -> [Segment] { try bench.ask(UsageList.self, .init()).rows }

    func now() throws -> [Segment] { try bench.ask(UsageNow.self, Empty()).open }
}

/// The used bytes of a SQLite file's pages for some tables.
struct LedgerPages {
    /// Byte offsets in the file.
    private(set) var used: [Range<Int>] = []
    private let bytes: [UInt8]
    private let pageSize: Int

    init(_ bytes: [UInt8], rootPages: [Int]) {
        self.bytes = bytes
        pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        for page in rootPages { walk(page) }
    }

    private mutating func walk(_ page: Int) {
        let start = (page - 1) * pageSize
        let isLeaf = bytes[start] == 0x0D
        let count = number(start + 3, 2)
        let header = isLeaf ? 8 : 12
        used.append(start..<(start + header + 2 * count))
        var children: [Int] = []
        for index in 0..<count {
            let cell = start + number(start + header + 2 * index, 2)
            guard isLeaf else {
                children.append(number(cell, 4))
                used.append(cell..<(cell + 4 + varint(cell + 4).length))
                continue
            }
            let payload = varint(cell)
            let row = varint(cell + payload.length)
            // The row number precedes the record. The record also has a byte for it, which SQLite never reads.
            let unread = cell + payload.length + row.length + 1
            used += [cell..<unread, (unread + 1)..<(unread - 1 + payload.value)]
        }
        if !isLeaf { children.append(number(start + 8, 4)) }
        for child in children { walk(child) }
    }

    private func number(_ offset: Int, _ count: Int) -> Int {
        bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    private func varint(_ offset: Int) -> (value: Int, length: Int) {
        var value = 0
        for index in 0..<8 {
            value = value << 7 | Int(bytes[offset + index] & 0x7F)
            if bytes[offset + index] & 0x80 == 0 { return (value, index + 1) }
        }
        return (value << 8 | Int(bytes[offset + 8]), 9)
    }
}
