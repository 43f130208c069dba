import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Permission over the bus")
    struct PermissionTests {
        @Test(
            "A permission is requested, granted, used and revoked, even if auth-service is killed in between"
        )
        func story() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                let client = system.client
                let approved = try await system.approve("promise")
                #expect(approved.status == .approved)
                let items = [
                    TokenItem(kind: .application, id: "firefox"), TokenItem(kind: .category, id: "social"),
                ]
                let tokens = try await client.call(TokenIssue.self, .init(app: "promise", items: items))
                    .tokens

                try system.kill(.auth)
                try system.waitUntilReady()

                let check = try await client.call(AuthCheck.self, .init(app: "promise", tokens: tokens))
                #expect(check.authorization == approved)
                #expect(check.items == items)
                #expect(check.hasMonitor)
                let again = try await client.call(AuthRequest.self, .init(app: "promise", scope: .individual))
                #expect(again.question == nil)

                let revoked = try await client.call(AuthRevoke.self, .init(app: "promise"))
                #expect(revoked.status == .notDetermined)
                try await system.approve("promise")
                let code = await refusal {
                    _ = try await client.call(TokenResolve.self, .init(app: "promise", tokens: tokens))
                }
                #expect(code == "token.void")
                let told = try await system.events(.authorization, of: .auth).filter {
                    $0.header.type == AuthorizationChanged.type
                }
                #expect(
                    try told.map { try $0.decoded(AuthorizationChanged.self).status } == [
                        .approved, .notDetermined, .approved,
                    ]
                )
                #expect(try told.map { try $0.decoded(AuthorizationChanged.self).generation } == [0, 1, 1])
            }
        }

        @Test("Wrong passcodes are counted over the bus, and no passcode is stored in a log or database")
        func wrong() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                let client = system.client
                try await system.approve("promise", member: nil)
                let owner = try await client.call(MemberList.self, Empty()).members[0].name
                let request = MemberPasscode.Request(
                    member: owner,
                    passcode: "new and secret",
                    proof: "wrong and secret"
                )

                let refusals = [
                    try await client.call(MemberPasscode.self, request).refusal,
                    try await client.call(MemberPasscode.self, request).refusal,
                ]

                #expect(refusals.map { $0?.details["tries_left"] } == ["4", "3"])
                for text in [
                    ScratchDirectory.text(system.database(.auth)),
                    ScratchDirectory.text(system.database(.auth) + "-wal"),
                    system.log("auth-service").joined(),
                ] {
                    #expect(!text.contains("and secret") && !text.contains(system.passcode(of: owner)))
                }
            }
        }

        @Test("Permission for a child comes from a guardian, and only one app can have it")
        func child() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                _ = try await system.client.call(MemberAdd.self, Member(name: "kid", role: .child))
                let approved = try await system.approve("promise", member: "kid", scope: .child)
                #expect(approved.scope == .child)

                let code = await refusal {
                    _ = try await system.approve("streaks", member: "kid", scope: .child)
                }
                #expect(code == "auth.conflict")
            }
        }
    }
}
