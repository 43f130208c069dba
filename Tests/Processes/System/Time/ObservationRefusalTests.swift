import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Invalid observations over the bus")
    struct ObservationRefusalTests {
        private static let environment = ["SCREENTIME_ACTIVITY_CENTER_AGENTS": "agent-1, agent-2"]

        private func run(_ body: (BusAgent) async throws -> Void) async throws {
            let options = TestSystemOptions(environment: Self.environment)
            try await TestSystem.run(services: [.auth, .activity], options: options) { system in
                let members = try await system.makeMembers()
                try await body(BusAgent(system: system, member: members[0]))
            }
        }

        @Test(
            "An invalid observation is refused with a code and changes nothing, and valid ones are still accepted"
        )
        func refused() async throws {
            try await run { agent in
                var agent = agent
                try await agent.tell(agent.sees("editor"), agent.sees("editor", afterMs: 4_000))
                let before = try await agent.known()
                for (code, field, change) in Self.wrong {
                    var wrong = agent
                    var seen = [wrong.sees("editor"), wrong.sees("mail")]
                    change(&wrong, &seen[1])
                    let problem = try await wrong.problem(seen[0], seen[1])

                    #expect(problem.code == code, "\(problem)")
                    #expect(problem.field == field, "\(problem)")
                    #expect(problem.message.hasSuffix("."), "\(problem)")
                    #expect(!problem.retryable || code == "usage.out_of_order", "\(problem)")
                    let after = try await agent.known()
                    #expect(after.rows == before.rows && after.open == before.open, "\(code)")
                }
                #expect(try await agent.tell(agent.sees("editor")).acceptedThrough == 3)
                #expect(try await agent.lines() == ["editor active 5000"])
            }
        }

        private typealias Wrong = (
            code: String, field: String?, change: @Sendable (inout BusAgent, inout Observation) -> Void
        )

        /// The second of two observations is wrong, so that the first shows whether a part is accepted.
        private static let wrong: [Wrong] = [
            ("usage.unknown_agent", "/agent", { agent, _ in agent.name = "stranger" }),
            ("usage.bad_name", "/agent", { agent, _ in agent.run = "run/1" }),
            ("usage.out_of_order", "/observations", { _, seen in seen.sequence += 1 }),
            ("usage.time_backwards", "/observations/boot_ms", { _, seen in seen.bootMs -= 2_000 }),
            ("usage.bad_number", "/observations/1", { _, seen in seen.bootMs = -1 }),
            ("usage.bad_number", "/observations/1", { _, seen in seen.wallMs = .max }),
            ("usage.bad_number", "/observations/1/input_boot_ms", { _, seen in seen.inputBootMs = .max }),
            (
                "usage.from_future", "/observations/1/boot_ms",
                { _, seen in
                    let time = SystemTimeSource()
                    seen.bootId = time.bootID
                    seen.bootMs = time.now().bootMs + 60_000
                }
            ),
            ("usage.unknown_zone", "/observations/1/zone", { _, seen in seen.zone = "Mars/Olympus" }),
            ("member.unknown", "/observations/1/member", { _, seen in seen.member = "missing" }),
            ("usage.bad_name", "/observations/1/app", { _, seen in seen.app = "" }),
            ("body.unknown_value", "/observations/1/presence", { _, seen in seen.presence = .unknown }),
        ]

        @Test(
            "The reply to an observation out of order names the missing number, and resending repairs the gap"
        )
        func order() async throws {
            try await run { agent in
                var agent = agent
                try await agent.tell(agent.sees("editor"))
                let lost = agent.sees("editor")
                let late = agent.sees("mail")
                let problem = try await agent.problem(late)
                #expect(problem.code == "usage.out_of_order" && problem.retryable)
                #expect(problem.details["expected"] == "2")

                #expect(try await agent.tell(lost, late).acceptedThrough == 3)
                // Send it once more, as after a lost reply: nothing is counted twice.
                let again = try await agent.tell(lost, late)
                #expect(again == .init(acceptedThrough: 3, duplicates: 2))
                #expect(try await agent.lines() == ["editor active 2000", "mail active 0"])
            }
        }

        @Test(
            "After a lost spool only a new run is accepted, and the missing time is unobserved"
        )
        func lostSpool() async throws {
            try await run { agent in
                var agent = agent
                try await agent.tell(agent.sees("editor"), agent.sees("editor", afterMs: 4_000))
                // Three observations that never arrive.
                for _ in 0..<3 { _ = agent.sees("editor", afterMs: 5_000) }
                let next = agent.sees("editor", afterMs: 5_000)
                #expect(try await agent.problem(next).details["expected"] == "3")

                agent.run = "run-2"
                agent.sequence = 0
                try await agent.tell(agent.sees("editor", afterMs: 0), agent.sees("editor", afterMs: 2_000))
                #expect(
                    try await agent.lines() == [
                        "editor active 4000", "- unobserved 20000", "editor active 2000",
                    ]
                )
            }
        }

        @Test(
            "A new boot of the machine starts new intervals, and late observations of the old boot are not counted"
        )
        func boot() async throws {
            try await run { agent in
                var agent = agent
                try await agent.tell(agent.sees("editor"), agent.sees("editor", afterMs: 3_000))
                var old = agent
                agent.bootId = "boot-2"
                // The boot clock starts at zero.
                agent.bootMs = 0
                try await agent.tell(agent.sees("mail"), agent.sees("mail", afterMs: 2_000))
                #expect(try await agent.lines() == ["editor active 3000", "mail active 2000"])

                old.name = "agent-2"
                old.run = "old"
                old.sequence = 0
                let reply = try await old.tell(old.sees("game"), old.sees("game", afterMs: 5_000))
                #expect(reply == .init(acceptedThrough: 2, duplicates: 0, late: 2))
                #expect(try await agent.lines() == ["editor active 3000", "mail active 2000"])
            }
        }
    }
}
