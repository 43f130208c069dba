import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Proof for loosening changes")
    struct LooseningTests {
        private static let services: [ServiceName] = [.auth, .activity, .monitor, .shield, .notifier]

        @Test(
            "Loosening a child's rule requires a guardian's passcode, and is recorded and sent to the other guardian"
        )
        func rules() async throws {
            try await TestSystem.run(services: Self.services) { system in
                let code = try await household(system)
                let limit = RuleSpec(
                    kind: .limit,
                    name: "chess",
                    member: "kid",
                    targets: [TokenItem(kind: .application, id: "org.example.chess")],
                    durationMs: 3_600_000
                )
                // A stricter rule needs no passcode.
                _ = try await call(RuleAdd.self, .init(limit), on: system)
                _ = try await call(RuleEdit.self, .init(name: "chess", durationMs: 1_800_000), on: system)

                let allow = RuleSpec(kind: .allow, member: "kid", targets: limit.targets)
                let edit = RuleEdit.Request(name: "chess", durationMs: 7_200_000)
                let loose: [(String, (Proof?) async throws -> Void)] = [
                    ("edit", { try await ask(RuleEdit.self, edit, path: \.proof, proof: $0, on: system) }),
                    (
                        "pause",
                        {
                            let pause = RulePause.Request(name: "chess", forMs: 600_000)
                            try await ask(RulePause.self, pause, path: \.proof, proof: $0, on: system)
                        }
                    ),
                    (
                        "allow",
                        { try await ask(RuleAdd.self, .init(allow), path: \.proof, proof: $0, on: system) }
                    ),
                    (
                        "remove",
                        {
                            let remove = RuleRemove.Request(name: "chess")
                            try await ask(RuleRemove.self, remove, path: \.proof, proof: $0, on: system)
                        }
                    ),
                ]
                for (what, ask) in loose {
                    #expect(await refusal { try await ask(nil) } == "auth.who_proves", "\(what)")
                    let named = Proof(by: "guardian", passcode: nil)
                    #expect(await refusal { try await ask(named) } == "auth.proof_needed", "\(what)")
                }
                let wrong = Proof(by: "guardian", passcode: "not this one")
                #expect(await refusal { try await loose[0].1(wrong) } == "auth.wrong_passcode")
                let before = try await system.client.call(RuleList.self, .init(member: "kid")).rules
                #expect(before.map(\.rule.durationMs) == [1_800_000] && before[0].pending == nil)

                let proof = Proof(by: "guardian", passcode: code)
                for (_, ask) in loose { try await ask(proof) }
                try await expectHistory(system)
                // A shorter delay needs a passcode and waits itself.
                _ = try await call(RuleDelay.self, .init(member: "kid", delayMs: 60_000), on: system)
                let shorter = RuleDelay.Request(
                    member: "kid",
                    delayMs: 0,
                    proof: Proof(by: "guardian", passcode: nil)
                )
                #expect(
                    await refusal { _ = try await call(RuleDelay.self, shorter, on: system) }
                        == "auth.proof_needed"
                )
                let agreed = try await call(
                    RuleDelay.self,
                    .init(member: "kid", delayMs: 0, proof: proof),
                    on: system
                )
                #expect(agreed.delayMs == 60_000 && agreed.nextDelayMs == 0)
            }
        }

        private func household(_ system: TestSystem) async throws -> String {
            _ = try await call(MemberAdd.self, Member(name: "kid", role: .child), on: system)
            for guardian in ["guardian", "other"] {
                _ = try await call(MemberAdd.self, Member(name: guardian, role: .guardian), on: system)
                var request = MemberPasscode.Request(
                    member: guardian,
                    passcode: system.passcode(of: guardian)
                )
                // The first guardian approves the second.
                if guardian == "other" {
                    (request.by, request.proof) = ("guardian", system.passcode(of: "guardian"))
                }
                _ = try await call(MemberPasscode.self, request, on: system)
            }
            for follower in [ServiceName.activity, .notifier, .monitor] {
                try await system.waitUntilFollowed(.authorization, of: .auth, by: follower)
            }
            return system.passcode(of: "guardian")
        }

        private func expectHistory(_ system: TestSystem) async throws {
            let lines = try await eventually("the history contains the loosening") {
                let lines = try await system.client.call(HistoryList.self, .init(member: "kid")).lines
                guard lines.contains(where: { $0.what == .rule && $0.weight == .loosened && $0.after == nil })
                else { throw NotYet("\(lines.map { $0.text() })") }
                return lines
            }
            let tightened = lines.filter { $0.weight == .tightened && $0.what == .rule }
            #expect(tightened.allSatisfy { $0.by == nil } && tightened.count == 2, "\(tightened)")
            let loosened = lines.filter { $0.weight == .loosened }
            #expect(loosened.allSatisfy { $0.by == "guardian" }, "\(loosened)")
            #expect(Set(loosened.map(\.what)) == [.rule, .pause])
            #expect(
                loosened.contains {
                    $0.before?.english.contains("30 min") == true && $0.after?.english.contains("2 h") == true
                }
            )
            #expect(try await system.client.call(UsageVerify.self, .init()).historyFault == nil)
            try await eventually("the other guardian gets a notification") {
                let told = try await system.client.call(NotifyList.self, .init(member: "other")).notifications
                guard told.contains(where: { $0.body.contains("“chess” of kid") }) else {
                    throw NotYet("\(told)")
                }
            }
            let own = try await system.client.call(NotifyList.self, .init(member: "guardian")).notifications
            #expect(own.isEmpty, "\(own)")
        }

        @Test("Without a guardian's passcode, and for a person's own rules, no proof is required")
        func free() async throws {
            try await TestSystem.run(services: Self.services) { system in
                _ = try await call(MemberAdd.self, Member(name: "kid", role: .child), on: system)
                for member in ["kid", nil] {
                    let limit = RuleSpec(
                        kind: .limit,
                        name: "of-\(member ?? "me")",
                        member: member,
                        targets: [TokenItem(kind: .application, id: "org.example.chess")],
                        durationMs: 3_600_000
                    )
                    _ = try await call(RuleAdd.self, .init(limit), on: system)
                    _ = try await call(RuleRemove.self, .init(name: "of-\(member ?? "me")"), on: system)
                }
                let choice = CategorySet.Request(subject: "org.example.chess", category: "games")
                #expect(try await call(CategorySet.self, choice, on: system).category == "games")
                #expect(try await call(RuleList.self, .init(), on: system).rules.isEmpty)
            }
        }

        @Test("Categories, site lists and imported usage require a guardian's passcode if there is a child")
        func categories() async throws {
            try await TestSystem.run(services: Self.services) { system in
                let proof = Proof(by: "guardian", passcode: try await household(system))
                let choice = CategorySet.Request(subject: "org.example.chess", category: "education")
                let list = CategoryListAdd.Request(
                    name: "mine",
                    category: "education",
                    domains: ["a.example"]
                )
                var past = ValidRequests.past()
                (past.rows[0].member, past.notifications[0].member, past.dryRun) = ("kid", "kid", nil)
                past.name = "an-import"
                let real = past
                let back = UsageForget.Request(
                    member: "kid",
                    fromWallMs: 0,
                    toWallMs: 253_402_300_799_999,
                    imported: "an-import"
                )
                let changes: [(Proof?) async throws -> Void] = [
                    { try await ask(CategorySet.self, choice, path: \.proof, proof: $0, on: system) },
                    { try await ask(CategoryListAdd.self, list, path: \.proof, proof: $0, on: system) },
                    {
                        try await ask(
                            CategoryListRemove.self,
                            .init(name: "mine"),
                            path: \.proof,
                            proof: $0,
                            on: system
                        )
                    },
                    { try await ask(UsageImport.self, real, path: \.proof, proof: $0, on: system) },
                    { try await ask(UsageForget.self, back, path: \.proof, proof: $0, on: system) },
                ]
                for change in changes {
                    #expect(await refusal { try await change(nil) } == "auth.who_proves")
                    try await change(proof)
                }
                // A preview of an import needs no passcode.
                past.dryRun = true
                _ = try await call(UsageImport.self, past, on: system)

                let lines = try await call(HistoryList.self, .init(), on: system).lines
                let told = lines.filter { $0.what == .category || $0.what == .imported }
                #expect(told.count == 4 && told.allSatisfy { $0.by == "guardian" }, "\(told)")
            }
        }

        @Test("A child's request is sent to the guardians with Approve and Deny until one of them answers")
        func requests() async throws {
            try await TestSystem.run(services: Self.services) { system in
                let code = try await household(system)
                let asked = RequestAdd.Request(
                    member: "kid",
                    items: [TokenItem(kind: .application, id: "org.example.chess")],
                    durationMs: 900_000,
                    because: "a game with Lee"
                )
                let request = try await call(RequestAdd.self, asked, on: system).request
                #expect(request.expiresAt != nil)
                let notice = try await eventually("both guardians get a notification") {
                    let told = try await call(NotifyList.self, .init(), on: system).notifications
                        .filter { $0.id == "request-\(request.request)" }
                    guard Set(told.map(\.member)) == ["guardian", "other"] else { throw NotYet("\(told)") }
                    return told[0]
                }
                #expect(
                    notice.title.hasPrefix("kid asks for 15 min of ")
                        && notice.body.contains("a game with Lee")
                )
                #expect(notice.actions?.map(\.id) == ["approve", "deny"])

                let answer = RequestApprove.Request(request: request.request, by: "guardian", passcode: code)
                #expect(try await call(RequestApprove.self, answer, on: system).refusal == nil)
                try await eventually("the questions are withdrawn, and the child gets the answer") {
                    let told = try await call(NotifyList.self, .init(), on: system).notifications
                    let questions = told.filter { $0.id == "request-\(request.request)" }
                    guard questions.allSatisfy({ $0.state == .withdrawn }),
                        let answer = told.first(where: { $0.member == "kid" }),
                        answer.title.hasPrefix("15 min of "), answer.title.contains("granted until")
                    else { throw NotYet("\(told)") }
                }
                try await eventually("the history contains the grant") {
                    let lines = try await call(HistoryList.self, .init(), on: system).lines
                    guard let line = lines.first(where: { $0.what == .grant }) else { throw NotYet("none") }
                    #expect(
                        line.by == "guardian" && line.member == "kid"
                            && line.why?.english == "a game with Lee"
                    )
                }
            }
        }

        private func ask<R: Route>(
            _ route: R.Type,
            _ request: R.Request,
            path: WritableKeyPath<R.Request, Proof?>,
            proof: Proof?,
            on system: TestSystem
        ) async throws {
            var request = request
            request[keyPath: path] = proof
            _ = try await system.client.call(route, request)
        }

        private func call<R: Route>(_ route: R.Type, _ request: R.Request, on system: TestSystem) async throws
            -> R.Reply
        {
            try await system.client.call(route, request)
        }
    }
}
