import STContracts
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// An app requests permission, and a person answers in the window that appears, with a real keyboard.
@Suite("Permission on a real X display", .serialized)
struct XPermissionTests {
    private static let pictures = ProcessEnvironment.current()["SCREENTIME_PICTURES"]
    private static let passcode = "open sesame"
    private static let app = "focus-timer"

    private struct Desk {
        let house: XHouse
        let bare: String

        /// Returns the colour in the middle of the screen, where the window appears.
        func colour() throws -> String { try house.display.colour(x: 640, y: 400) }

        func ask() async throws -> AuthQuestion {
            let asked = try await house.ask(
                AuthRequest.self,
                .init(app: XPermissionTests.app, scope: .individual, again: true)
            )
            return try #require(asked.question)
        }

        /// Waits for the window and moves the focus to it: Tab after a pause, and back to the field.
        func comes() async throws {
            try await eventually(within: .seconds(30), "the window is there") {
                guard try colour() != bare else { throw NotYet("the desktop as it was") }
                // The picture follows the pane, and the pause begins with it.
                let crop = ["-window", "root", "-crop", "240x160+520+320", "-format", "%k", "info:"]
                let count = Int(try house.display.run("import", list: crop).prefix { $0.isNumber }) ?? 0
                guard count > 8 else { throw NotYet("no picture yet") }
            }
            try await Task.sleep(for: .milliseconds(4_000))
            try keys("Tab", "shift+Tab")
        }

        func goes() async throws {
            try await eventually(within: .seconds(30), "the window is gone") {
                let found = try colour()
                guard found == bare else { throw NotYet(found) }
            }
        }

        func answered(_ question: AuthQuestion) async throws -> AuthRequestState {
            try await eventually(within: .seconds(30), "it is answered") {
                let found = try await house.ask(AuthQuestionShow.self, .init(request: question.request))
                guard found.state != .pending else { throw NotYet("pending") }
                return found.state
            }
        }

        func keys(_ words: String...) throws {
            try house.display.run("xdotool", list: ["key", "--delay", "60"] + words)
        }

        func keep(_ name: String) throws {
            guard let folder = XPermissionTests.pictures else { return }
            try house.display.picture("\(folder)/\(name).png")
        }
    }

    private func desk(_ language: String, _ body: (Desk) async throws -> Void) async throws {
        let settings = ["language": language, "countdown": "on"]
        try await XHouse.run(
            settings: settings,
            environment: language == "ko" ? ["LANG": "ko_KR.UTF-8"] : [:]
        ) { house in
            let program = try house.program()
            _ = try await house.window(program, "Alpha", x: 100, y: 60, width: 1080, height: 680)
            try house.display.xdotool("mousemove", "200", "200", "mousemove_relative", "--", "1", "0")
            let owner = try await house.ask(DesktopStatus.self, Empty()).member ?? ""
            let name = language == "ko" ? "집중 타이머" : "Focus Timer"
            var manifest = AppBundle.manifest(id: Self.app)
            let line = "\"name\": \"The \(Self.app)\""
            let range = try #require(manifest.firstRange(of: line))
            manifest.replaceSubrange(range, with: "\"name\": \"\(name)\"")
            let bundle = try AppBundle(in: house.system.scratch, id: Self.app, manifest: manifest)
            _ = try await house.ask(AppInstall.self, .init(bundle: bundle.path, programs: nil))
            _ = try await house.ask(MemberPasscode.self, .init(member: owner, passcode: Self.passcode))
            try await body(Desk(house: house, bare: try house.display.colour(x: 640, y: 400)))
        }
    }

    @Test(
        "A passcode and Allow grant the permission, and a wrong passcode does not",
        arguments: ["en", "ko"]
    )
    func allow(language: String) async throws {
        try await desk(language) { desk in
            let question = try await desk.ask()
            try await desk.comes()
            try desk.keep("question-\(language)")
            // A wrong passcode first: no permission is given, and the window stays.
            try desk.house.display.xdotool("type", "--delay", "40", "closed")
            try desk.keys("Tab", "Tab", "Return")
            try await Task.sleep(for: .milliseconds(1_500))
            try desk.keep("question-\(language)-wrong")
            let still = try await desk.house.ask(AuthQuestionShow.self, .init(request: question.request))
            #expect(still.state == .pending)

            // Keys during the check of the wrong passcode are ignored.
            try await eventually(within: .seconds(60), "the permission is granted") {
                try desk.house.display.xdotool("type", "--delay", "40", Self.passcode)
                try desk.keep("question-\(language)-typed")
                try desk.keys("Tab", "Tab", "Return")
                try await Task.sleep(for: .seconds(3))
                let request = AuthQuestionShow.Request(request: question.request)
                let found = try await desk.house.ask(AuthQuestionShow.self, request)
                guard found.state == .approved else { throw NotYet("\(found.state)") }
            }
            try await desk.goes()
        }
    }

    @Test("Don’t Allow denies the request, and Escape leaves it pending")
    func refuse() async throws {
        try await desk("en") { desk in
            let first = try await desk.ask()
            try await desk.comes()
            try desk.keys("Escape")
            try await desk.goes()
            let left = try await desk.house.ask(AuthQuestionShow.self, .init(request: first.request))
            #expect(left.state == .pending)
            _ = try await desk.house.ask(AuthAnswer.self, .init(request: first.request, allow: false))

            let second = try await desk.ask()
            try await desk.comes()
            try desk.keys("Tab", "Return", "Return")
            #expect(try await desk.answered(second) == .denied)
            try await desk.goes()
        }
    }

    @Test("A request from before the agent's start is shown, and a locked screen hides it")
    func before() async throws {
        try await desk("en") { desk in
            try desk.house.system.pause(.desktop)
            let question = try await desk.ask()
            try desk.house.system.kill(.desktop)
            try await desk.comes()
            // Nothing moves on the screen meanwhile.
            try await desk.house.logind.setLocked(XHouse.session, true)
            try await desk.goes()
            try await desk.house.logind.setLocked(XHouse.session, false)
            try await desk.comes()
            let found = try await desk.house.ask(AuthQuestionShow.self, .init(request: question.request))
            #expect(found.state == .pending)
        }
    }

    @Test("The countdown of a limit appears in the corner of the screen", arguments: ["en", "ko"])
    func countdown(language: String) async throws {
        try await desk(language) { desk in
            let spec = RuleSpec(
                kind: .limit,
                targets: [TokenItem(kind: .application, id: "alpha")],
                durationMs: 120_000,
                then: .shield
            )
            let empty = try corner(desk.house.display)
            _ = try await desk.house.ask(RuleAdd.self, .init(spec))
            try await eventually(within: .seconds(40), "a countdown is visible") {
                guard try corner(desk.house.display) != empty else { throw NotYet("nothing") }
            }
            try await Task.sleep(for: .milliseconds(1_500))
            try desk.keep("countdown-\(language)")
        }
    }

    /// Returns a hash of the pixels in the right half of the screen.
    private func corner(_ display: XDisplay) throws -> String {
        let crop = ["-window", "root", "-crop", "640x800+640+0", "-format", "%#", "info:-"]
        return try display.run("import", list: crop)
    }
}
