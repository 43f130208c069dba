import STContracts
import STPlatform
import STTestKit

@testable import STActivityCore

/// A ledger with a household, and agents that report to it.
struct LedgerDesk {
    var bench: CoreBench<ActivityState>
    var watcher = Watcher()

    init(members: [String] = ["owner", "child", "guardian"], agents: Set<String> = []) throws {
        bench = try CoreBench(ActivityService.definition(agents: agents))
        var sequence: Int64 = 0
        try bench.follow(
            members.map { name in
                sequence += 1
                return try CoreBench<ActivityState>.event(
                    MemberAdded.self,
                    sequence,
                    subject: "member/\(name)",
                    Member(name: name, role: name == "owner" ? .individual : .child)
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

    func rows() throws -> [Segment] { try bench.ask(UsageList.self, .init()).rows }

    func now() throws -> [Segment] { try bench.ask(UsageNow.self, Empty()).open }
}
