import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Requests for more time on a virtual clock")
    struct RequestStoryTests {
        @Test("A child's request that a guardian approves is granted and ends at its time")
        func story() async throws {
            try await VirtualHousehold.run { house in
                let asked = try await house.ask("firefox")
                #expect(asked.request == "R1" && asked.state == .waiting)
                let wrong = try await house.approve("R1", "not the passcode")
                #expect(wrong.refusal?.code == "auth.wrong_passcode")
                #expect(try await house.approve("R1").request.state == .granted)
                let shown = try await house.system.client.call(MemberShow.self, .init(member: "guardian"))
                #expect(shown.passcode.attempts.map(\.purpose.english) == ["approve R1"])

                try await house.pass(ms: 15 * 60_000 - 1)
                #expect(try await house.view("R1").state == .granted)
                try await house.pass(ms: 1)
                try await house.reaches("R1", .ended)
                #expect(try await house.grants() == ["R1 granted", "R1 ended"])
            }
        }

        @Test(
            "A person's own rule grants a request, even if shield-service is killed while the request waits"
        )
        func ownRule() async throws {
            try await VirtualHousehold.run { house in
                #expect(try await house.ask("firefox", member: nil).grantsAt != nil)
                try house.system.kill(.shield)
                try house.system.waitUntilReady()
                try await house.pass(ms: 60_000)
                try await house.reaches("R1", .granted)
                try await house.pass(ms: 900_000)
                try await house.reaches("R1", .ended)
                #expect(try await house.grants() == ["R1 granted", "R1 ended"])
            }
        }

        @Test("A code is valid once, and an old code stays invalid when the clock is set back")
        func codes() async throws {
            try await VirtualHousehold.run { house in
                let secret = try await house.setUpCodes()
                for app in ["a", "b", "c"] { _ = try await house.ask(app) }
                let code = try house.code(secret)
                #expect(try await house.give(code, "R1").request.state == .granted)
                #expect(try await house.give(code, "R2").refusal?.code == "request.code_used")

                // A code that was displayed on the phone and not used.
                try await house.pass(ms: 60_000)
                let seen = try house.code(secret)
                try await house.pass(ms: 600_000)
                #expect(try await house.give(seen, "R2").refusal?.code == "request.wrong_code")
                try await house.step(ms: -600_000)
                #expect(try await house.give(seen, "R2").refusal?.code == "request.wrong_code")
                try house.system.kill(.shield)
                try house.system.waitUntilReady()
                #expect(try await house.give(seen, "R2").refusal?.code == "request.wrong_code")
                try await house.step(ms: 600_000)
                #expect(try await house.give(try house.code(secret), "R2").request.state == .granted)
                #expect(try await house.view("R3").state == .waiting)
            }
        }

        @Test(
            "Changes that loosen a person's own rules wait for the same time in both services, and then apply"
        )
        func loosening() async throws {
            try await VirtualHousehold.run { house in
                let client = house.system.client
                _ = try await client.call(RuleDelay.self, .init(delayMs: 3_600_000))
                let limit = RuleSpec(
                    kind: .limit,
                    name: "x",
                    targets: [TokenItem(kind: .application, id: "firefox")],
                    durationMs: 1_800_000
                )
                _ = try await client.call(RuleAdd.self, .init(limit))
                let edited = try await client.call(RuleEdit.self, .init(name: "x", durationMs: 3_600_000))
                #expect(edited.rule.pending != nil)
                let rule = RequestRule(
                    member: edited.rule.rule.member ?? "",
                    delayMs: 0,
                    growthPercent: 0,
                    mostMs: 900_000,
                    aDay: 9
                )
                let set = try await client.call(RequestRuleSet.self, .init(rule: rule))
                #expect(set.fromWallMs == edited.rule.pending?.takesEffectWallMs)
                try await house.pass(ms: 3_600_000)
                try await eventually("both changes apply") {
                    let now = try await client.call(RuleList.self, .init()).rules.first
                    let own = try await client.call(RequestRuleShow.self, .init())
                    guard now?.rule.durationMs == 3_600_000, now?.pending == nil, own.rule == rule else {
                        throw NotYet("\(String(describing: now)) \(own)")
                    }
                }
            }
        }
    }
}
