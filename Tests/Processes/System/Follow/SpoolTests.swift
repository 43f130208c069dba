import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Spool of observations in a running system")
    struct SpoolTests {
        @Test("Observations of a member are delivered even if earlier ones of an unknown member are refused")
        func refusedFirst() async throws {
            try await TestSystem.run(services: [.auth, .activity, .desktop]) { system in
                let members = try await system.makeMembers()
                for member in ["stranger", members[0]] {
                    _ = try await system.client.call(DesktopPlay.self, play(of: member))
                }

                try await eventually("the rows behind it are accepted") {
                    let rows = try await system.ledger()
                    guard rows.contains(where: { $0.member == members[0] && $0.presence == .active }) else {
                        throw NotYet("\(rows.count) rows")
                    }
                }
                // Observations are kept, and delivered once the member exists.
                let waiting = try await system.client.call(DesktopStatus.self, Empty()).waiting
                #expect(waiting > 0)
                _ = try await system.client.call(MemberAdd.self, Member(name: "stranger", role: .child))
                try await eventually("no row is waiting") {
                    let waiting = try await system.client.call(DesktopStatus.self, Empty()).waiting
                    guard waiting == 0 else { throw NotYet("\(waiting) wait") }
                }
            }
        }

        private func play(of member: String) -> DesktopPlay.Request {
            DesktopPlay.Request(
                member: member,
                agoMs: 60_000,
                steps: [DesktopPlay.Step(app: "editor", domain: nil, forMs: 60_000)]
            )
        }
    }
}
