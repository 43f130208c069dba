import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ExampleAppSuite {
    @Suite("Shields of the example apps on the real clock")
    struct ShieldAppTests {
        /// A busy machine starts an extension late. With the default timeout, the shield would have the system's default
        /// appearance.
        private static let patient = TestSystemOptions(
            environment: [
                "SCREENTIME_SHIELD_SERVICE_LOOK_MS": "30000", "SCREENTIME_SHIELD_SERVICE_ACTION_MS": "30000",
            ]
        )

        private static let slow = CallOptions(timeoutMs: 40_000)

        private func view(
            _ system: TestSystem,
            subject: ShieldSubject,
            language: String = "en"
        ) async throws -> ShieldAppearanceView {
            let request = ShieldConfigurationAsk.Request(subject: subject, language: language)
            return try await system.client.call(ShieldConfigurationAsk.self, request, options: Self.slow).view
        }

        private func shielded(_ system: TestSystem, subject: ShieldSubject, isShielded: Bool) async throws {
            try await eventually("\(subject) is shielded: \(isShielded)") {
                let reply = try await system.client.call(ShieldDecide.self, .init(subject: subject))
                guard reply.decision.isShielded == isShielded else { throw NotYet("\(reply)") }
            }
        }

        @Test("The barebones app shields its apps in two languages and handles the buttons of its shield")
        func barebones() async throws {
            try await TestSystem.run(services: ServiceName.all, options: Self.patient) { system in
                let app = try await ExampleApp.approved("barebones", in: system)
                let screens = try await app.run(typed: [
                    "2", "steam,category:social", "3", "0:00", "23:59:59", "4", "6", "9", "q",
                ])
                #expect(screens.status == 0, "\(screens.output)")
                for words in [
                    "Permission: given", "Apps: steam, category:social", "Every day: 00:00–23:59:59",
                    "Monitoring has started.", "There is no such choice.",
                ] { #expect(screens.output.contains(words), "\(screens.output)") }

                let steam = ShieldSubject(app: "steam")
                let discord = ShieldSubject(app: "discord")
                try await shielded(system, subject: steam, isShielded: true)
                try await shielded(system, subject: ShieldSubject(app: "firefox"), isShielded: false)
                #expect(try await app.run(["--status"]).output.contains("Shields: 1 apps, 1 categories"))

                let named = try await view(system, subject: steam)
                #expect(named.source == .app && named.app == "barebones" && named.problem == nil)
                #expect(named.look.title?.text == "Screen Time 101")
                #expect(named.look.subtitle?.text == "steam is restricted now.")
                #expect(named.look.secondary == nil)
                #expect(named.look.icon?.name?.hasSuffix("AppSymbol.png") == true)
                #expect(named.look.title?.color == ShieldColor(light: "#355BC8FF", dark: "#7C9BFFFF"))
                let korean = try await view(system, subject: discord, language: "ko")
                #expect(korean.look.subtitle?.text.hasPrefix("discord은(는) 사용이 제한되었습니다.") == true)
                #expect(korean.look.subtitle?.text.contains("소셜") == true)
                #expect(korean.look.primary?.text == "종료하기")
                #expect(korean.look.secondary?.text == "눌러도 효과없음")

                let shown = try await system.client.call(ShieldShow.self, .init(subject: discord))
                let shield = try #require(shown.shield)
                for (press, button, response) in [
                    (Int64(1), ShieldButton.secondary, ShieldResponse.none), (2, .primary, .close),
                ] {
                    let request = ShieldPress.Request(shield: shield, button: button, press: press)
                    let answer = try await system.client.call(ShieldPress.self, request, options: Self.slow)
                    #expect(answer.response == response && answer.problem == nil, "\(answer)")
                }

                #expect(try await app.run(["--stop"]).status == 0)
                try await shielded(system, subject: steam, isShielded: false)
                try await shielded(system, subject: discord, isShielded: false)
            }
        }

        @Test(
            "The worklog app shields games and social sites with evening hours, and lifts all shields when stopped"
        )
        func worklog() async throws {
            try await TestSystem.run(services: ServiceName.all, options: Self.patient) { system in
                let app = try await ExampleApp.approved("worklog", in: system)
                let screens = try await app.run(
                    typed: ["2", "code", "3h", "3", "6", "q"],
                    language: "ko_KR.UTF-8"
                )
                #expect(screens.status == 0, "\(screens.output)")
                #expect(screens.output.contains("일: code, 하루 3시간"), "\(screens.output)")
                #expect(screens.output.contains("이제부터 일이 먼저예요."), "\(screens.output)")

                let steam = ShieldSubject(app: "steam")
                let reddit = ShieldSubject(app: "firefox", domain: "reddit.com")
                try await shielded(system, subject: steam, isShielded: true)
                try await shielded(system, subject: reddit, isShielded: true)
                let korean = try await view(system, subject: steam, language: "ko")
                #expect(korean.look.title?.text == "일이 먼저예요", "\(korean)")
                #expect(korean.look.subtitle?.text == "steam: 오늘 3시간 일하면 열려요.")
                #expect(korean.look.primaryBackground != nil)
                let social = try await view(system, subject: reddit)
                #expect(social.look.title?.text == "Not now")
                #expect(social.look.subtitle?.text == "reddit.com stays closed.")

                #expect(try await app.run(["--evenings", "maybe"]).status == 2)
                let evening = try await app.run(["--evenings", "on", "--status"])
                #expect(evening.output.contains(", open 17:00–20:00"), "\(evening.output)")
                // The test may run in the evening. At other times the shield shows the hours.
                let later = try await view(system, subject: reddit)
                if later.source == .app {
                    #expect(later.look.subtitle?.text == "reddit.com is open from 17:00–20:00.")
                }
                #expect(try await app.run(["--stop", "--status"]).output.contains("Games: not watched"))
                try await shielded(system, subject: steam, isShielded: false)
                try await shielded(system, subject: reddit, isShielded: false)
            }
        }
    }
}
