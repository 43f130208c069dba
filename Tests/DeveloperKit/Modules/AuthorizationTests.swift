import Foundation
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Synchronization
import Testing

@testable import FamilyControls

extension ServicesSuite {
    @Suite("Permission for apps")
    struct AuthorizationTests {
        /// Answers the app's question like a person.
        private func answer(_ system: TestSystem, _ desk: AppDesk, allow: Bool) async throws {
            let request = try await eventually("the question is shown") {
                guard let request = desk.questions.last else { throw NotYet("nothing was asked") }
                return request
            }
            let member = try await system.client.call(MemberList.self, Empty()).members[0].name
            let reply = try await system.client.call(
                AuthAnswer.self,
                .init(
                    request: request,
                    allow: allow,
                    by: member,
                    passcode: allow ? system.passcode(of: member) : nil
                )
            )
            #expect(reply.refusal == nil)
        }

        private func install(_ system: TestSystem, _ app: String) async throws {
            let folder = try AppBundle(in: system.scratch, id: app).path
            _ = try await system.client.call(AppInstall.self, .init(bundle: folder))
        }

        private func setPasscode(_ system: TestSystem) async throws {
            let member = try await system.client.call(MemberList.self, Empty()).members[0].name
            let request = MemberPasscode.Request(member: member, passcode: system.passcode(of: member))
            let reply = try await system.client.call(MemberPasscode.self, request)
            #expect(reply.refusal == nil)
        }

        private func error(_ desk: AppDesk, for member: FamilyControlsMember = .individual) async
            -> FamilyControlsError?
        {
            do {
                try await desk.authorization.requestAuthorization(for: member)
                return nil
            } catch {
                return error as? FamilyControlsError
            }
        }

        @Test(
            "A permission is requested once, published, available to other processes, and revoked within seconds"
        )
        func story() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                try await install(system, "promise")
                try await setPasscode(system)
                let desk = try AppDesk("promise", system.directories)
                defer { desk.close() }
                let seen = Mutex<[FamilyControls.AuthorizationStatus]>([])
                let subscription = desk.authorization.$authorizationStatus.sink { status in
                    seen.withLock { $0.append(status) }
                }
                #expect(desk.authorization.authorizationStatus == .notDetermined)

                async let answered: Void = answer(system, desk, allow: true)
                try await desk.authorization.requestAuthorization(for: .individual)
                try await answered
                #expect(desk.authorization.authorizationStatus == .approved)

                try await desk.authorization.requestAuthorization(for: .individual)
                #expect(desk.questions.count == 1)
                let second = try AppDesk("promise", system.directories)
                try await knows(second)
                second.close()

                let start = Stopwatch.milliseconds()
                _ = try await system.client.call(AuthSwitch.self, .init(app: "promise", access: false))
                try await eventually("the app's status is denied") {
                    guard desk.authorization.authorizationStatus == .denied else {
                        throw NotYet("it still believes it is approved")
                    }
                }
                #expect(Stopwatch.milliseconds() - start < 15_000)
                #expect(seen.withLock { $0 } == [.notDetermined, .approved, .denied])
                // After a refusal, the app does not repeat the question by itself.
                #expect(await error(desk) == .authorizationCanceled)
                subscription.cancel()
            }
        }

        /// Waits for the status, which can arrive after the start of a new program.
        private func knows(_ desk: AppDesk) async throws {
            try await eventually("the app's status is approved") {
                guard desk.authorization.authorizationStatus == .approved else { throw NotYet("not yet") }
            }
        }

        @Test("Killing auth-service does not change the status of an app, and a later change arrives")
        func killed() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                try await system.approve("promise")
                let desk = try AppDesk("promise", system.directories)
                defer { desk.close() }
                try await knows(desk)

                try system.kill(.auth)
                try system.waitUntilReady()
                #expect(desk.authorization.authorizationStatus == .approved)
                _ = try await system.client.call(AuthSwitch.self, .init(app: "promise", access: false))
                try await eventually(within: .seconds(60), "the app's status is denied") {
                    guard desk.authorization.authorizationStatus == .denied else { throw NotYet("not yet") }
                }
            }
        }

        @Test("An app can revoke its own permission")
        func revoke() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                try await system.approve("promise")
                let desk = try AppDesk("promise", system.directories)
                defer { desk.close() }

                let result = await withCheckedContinuation { continuation in
                    desk.authorization.revokeAuthorization { continuation.resume(returning: "\($0)") }
                }

                #expect(result.contains("success"))
                #expect(desk.authorization.authorizationStatus == .notDetermined)
            }
        }

        @Test("Each refusal of permission throws Apple's error")
        func refusals() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                let stranger = try AppDesk("stranger", system.directories)
                let desk = try AppDesk("promise", system.directories)
                defer {
                    stranger.close()
                    desk.close()
                }
                #expect(await error(stranger) == .invalidArgument)

                try await install(system, "promise")
                #expect(await error(desk) == .authenticationMethodUnavailable)
                try await setPasscode(system)
                #expect(await error(desk, for: .child) == .invalidAccountType)

                async let answered: Void = answer(system, desk, allow: false)
                #expect(await error(desk) == .authorizationCanceled)
                try await answered
                #expect(desk.authorization.authorizationStatus == .denied)
            }
        }

        @Test("Without auth-service, a request for permission fails quickly and the status is undetermined")
        func noService() async throws {
            let scratch = try ScratchDirectory()
            let start = Stopwatch.milliseconds()
            let desk = try AppDesk("promise", scratch.directories)
            defer { desk.close() }

            #expect(desk.authorization.authorizationStatus == .notDetermined)
            #expect(await error(desk) == .unavailable)
            #expect(Stopwatch.milliseconds() - start < 15_000)
        }

        @Test(
            "The terminal prompt sends its answer to a program that blocks its main thread"
        )
        func terminal() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                try await install(system, "promise")
                try await setPasscode(system)
                let member = try await system.client.call(MemberList.self, Empty()).members[0].name
                let terminal = try PseudoTerminal()
                let pipe = try DescriptorPipe()
                let process = try SpawnedProcess(
                    SpawnPlan(
                        executable: "/usr/bin/setsid",
                        arguments: ["--ctty", "--wait", Program.probe, "ask"],
                        environment: Program.environment.merging([
                            "SCREENTIME_RUN": system.directories.run,
                            "SCREENTIME_STATE": system.directories.state, "SCREENTIME_APP": "promise",
                        ]) { $1 },
                        standardOutput: pipe.writeEnd.number,
                        descriptors: [0: terminal.number]
                    )
                )

                try await terminal.answer("[a] Allow", "a")
                try await terminal.answer("Passcode of", system.passcode(of: member), isHidden: true)

                #expect(process.wait(deadlineMs: 30_000) == .exited(0), "\(terminal.screen)")
                #expect(Program.read(pipe) == "answer: Approved\n")
            }
        }
    }
}
