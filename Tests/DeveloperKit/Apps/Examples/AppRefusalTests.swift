import STContracts
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ExampleAppSuite {
    @Suite("Invalid requests to the example apps")
    struct AppRefusalTests {
        @Test(
            "Invalid options of an example app change nothing",
            arguments: [
                ["promise", "--allowance", "3x"], ["promise", "--start", "--stop"],
                ["promise", "--allowance", "0m"],
                ["promise", "--warning", "30m"], ["promise", "--choose", "page:x"],
                ["promise", "--from", "24:00"],
                ["promise", "--words", "a\u{7}b"], ["promise", "firefox"], ["streaks", "--add", "other"],
                ["streaks", "--add", "decrease"], ["streaks", "--title", "x"],
                ["streaks", "--in", "2026-11"],
                ["streaks", "--month", "--in", "2026-13"],
                ["streaks", "--add", "increase", "--remove", "task-1"],
                ["barebones", "--from", "25:00"], ["barebones", "--start", "--stop"],
                ["worklog", "--hours", "0m"], ["worklog", "--evenings", "perhaps"],
                ["worklog", "--work", "page:x"],
            ]
        )
        func options(_ words: [String]) async throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let app = ExampleApp(name: words[0], scratch: scratch)
            let ending = try await app.run(Array(words.dropFirst()))

            // No task exists, so no task reads the invalid month.
            #expect(ending.status == (words.contains("--month") ? 0 : 2), "\(ending.output)")
            guard ["promise", "streaks"].contains(app.name) else { return }
            let kept = try await app.run(["--json"]).output
            let isUnchanged = app.name == "promise" ? kept.contains("1800") : !kept.contains("\"id\"")
            #expect(isUnchanged, "\(kept)")
        }

        @Test(
            "An example app explains how to start the services if they are not running",
            arguments: ["promise", "streaks"]
        )
        func notRunning(_ name: String) async throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let app = ExampleApp(name: name, scratch: scratch)
            let words =
                name == "promise"
                ? ["--choose", "firefox"] : ["--add", "decrease", "--choose", "firefox", "--amount", "30m"]
            let ending = try await app.run(words)

            #expect(ending.status == 3)
            #expect(ending.output.contains("screentime system up"))
            #expect(try await app.run(["--ask"]).status == 3)
        }

        @Test("An app without permission neither stores a choice nor starts monitoring")
        func unauthorized() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let app = ExampleApp(name: "promise", scratch: system.scratch)
                let programs = try ExampleApp.programs()
                _ = try await system.client.call(
                    AppInstall.self,
                    .init(bundle: app.bundle, programs: programs)
                )
                let chosen = try await app.run(["--choose", "firefox", "--start"])
                #expect(chosen.status == 4, "\(chosen.output)")
                #expect(chosen.output.contains("The app has no permission."))

                let asked = try await app.run(["--ask"])
                #expect(asked.status == 1, "\(asked.output)")
                #expect(asked.output.contains("There is no passcode"))
            }
        }

        @Test("After a permission was revoked, the promise app requires a new choice")
        func revoked() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let app = try await ExampleApp.approved("promise", in: system)
                #expect(try await app.run(["--choose", "firefox", "--start"]).status == 0)
                _ = try await system.client.call(AuthRevoke.self, .init(app: "promise"))
                let permitted = try await ExampleApp.approved("promise", in: system).run(["--status"])
                #expect(permitted.output.contains("Permission: given"))

                let ending = try await app.run(["--start"])
                #expect(ending.status == 1)
                #expect(ending.output.contains("Choose the app, category or site again."))
                #expect(try await app.run(["--choose", "firefox", "--start"]).status == 0)
            }
        }

        @Test("An unknown category is rejected with a suggestion")
        func category() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let app = try await ExampleApp.approved("streaks", in: system)
                let words = ["--add", "decrease", "--amount", "30m", "--choose", "category:gamez"]
                let ending = try await app.run(words)

                #expect(ending.status == 1)
                #expect(ending.output.contains("Did you mean games?"))
                #expect((try await app.report()["tasks"] as? [Any])?.isEmpty == true)
            }
        }
    }
}
