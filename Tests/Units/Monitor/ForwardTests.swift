import STContracts
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STMonitorCore

@Suite("Requests for rules that monitor-runner forwards")
struct ForwardTests {
    @Test("A forwarded request returns the reply of activity-center without a commit")
    func answered() throws {
        let bench = try CoreBench(MonitorService.definition())
        bench.otherService = { route, body in
            #expect(route == RulePause.name)
            #expect(try RulePause.Request.decodedBody(body).name == "chess")
            throw Problem("rule.not_found", "There is no rule “chess”.")
        }
        let before = try changes(bench)
        #expect(try bench.refusal(RulePause.self, .init(name: "chess", forMs: 1))?.code == "rule.not_found")
        bench.otherService = { _, _ in try RuleList.Reply(rules: [], next: "2").encodedBody() }
        #expect(try bench.ask(RuleList.self, .init()).next == "2")
        #expect(try changes(bench) == before)
    }

    private func changes(_ bench: CoreBench<MonitorState>) throws -> Int64? {
        try bench.database.first("SELECT total_changes()") { try $0.int(0) }
    }
}
