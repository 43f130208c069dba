import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension NotifierSystemSuite {
    @Suite("Notifications on a real desktop")
    struct DesktopNotificationTests {
        private static let buttons = [
            NotifyAction(id: "more", label: "15 more minutes"), NotifyAction(id: "stop", label: "Stop now"),
        ]
        /// Markup, quotes, another script and a placeholder, all of it a person's plain text.
        private static let words = "You said \"{left} & <b>no</b> more\". 이제 그만!"
        private static let shown = "You said \"5m & <b>no</b> more\". 이제 그만!"

        @Test(
            "A notification shows the user's text, is answered by mouse, and survives a crash of the daemon"
        )
        func story() async throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let bus = try SessionBus(scratch)
            let screen = try TestScreen(scratch, bus: bus, chosen: "15 more minutes")
            defer { screen.stop() }
            let options = TestSystemOptions(environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
            try await TestSystem.run(services: [.auth, .notifier], options: options) { system in
                do {
                    try await pressed(system, screen)
                    try await chosen(system, screen)
                    try await daemonDies(system, screen)
                } catch {
                    let path = "/tmp/screentime-notification-failed-\(getpid()).png"
                    try? screen.picture(path)
                    print("What was on the screen: \(path)")
                    throw error
                }
            }
        }

        @Test(
            "A child's request is approved from a notification with the guardian's passcode typed on the desktop"
        )
        func request() async throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let bus = try SessionBus(scratch)
            let screen = try TestScreen(scratch, bus: bus, chosen: "Approve…")
            defer { screen.stop() }
            let options = TestSystemOptions(environment: screen.environment)
            try await TestSystem.run(
                services: [.auth, .activity, .monitor, .shield, .notifier],
                options: options
            ) { system in
                for (name, role) in [("kid", MemberRole.child), ("mia", .guardian)] {
                    _ = try await system.client.call(MemberAdd.self, Member(name: name, role: role))
                }
                let code = system.passcode(of: "mia")
                _ = try await system.client.call(MemberPasscode.self, .init(member: "mia", passcode: code))
                let asked = RequestAdd.Request(
                    member: "kid",
                    items: [],
                    durationMs: 900_000,
                    because: "chess"
                )
                let name = try await system.client.call(RequestAdd.self, asked).request.request
                _ = try await wait(system, "request-\(name)", for: .shown)
                try await eventually("it is drawn") {
                    guard try screen.colours() > 20 else { throw NotYet("nothing there") }
                }

                try screen.click(button: 3)
                // A wrong passcode first: the window reports it and asks again.
                for (turn, typed) in ["0000", code].enumerated() {
                    // The window of the preceding attempt may be closing at that moment.
                    try await eventually("the window has the keyboard") {
                        let name = "Screen Time"
                        _ = try screen.run(
                            "xdotool",
                            "search",
                            "--onlyvisible",
                            "--name",
                            name,
                            "windowfocus",
                            "--sync"
                        )
                    }
                    if turn == 0, let path = ProcessEnvironment.current()["SCREENTIME_PICTURE"] {
                        try screen.picture(path)
                    }
                    try screen.run("xdotool", "type", typed)
                    try screen.run("xdotool", "key", "Return")
                    if turn == 0 { try await wrong(system) }
                }
                let answered = try await eventually("it is answered") {
                    let request = try await system.client.call(RequestList.self, .init()).requests[0]
                    guard request.state != .waiting else { throw NotYet("\(request)") }
                    return request
                }
                #expect(answered.state == .granted && answered.answeredBy == "mia")
            }
        }

        /// Waits until auth-service has recorded the wrong attempt.
        private func wrong(_ system: TestSystem) async throws {
            try await eventually("the wrong passcode is counted") {
                let shown = try await system.client.call(MemberShow.self, .init(member: "mia"))
                guard shown.passcode.wrong == 1 else { throw NotYet("\(shown.passcode)") }
            }
        }

        private func post(_ system: TestSystem, id: String, title: String) async throws {
            let request = NotifyPost.Request(
                app: "org.example.promise",
                id: id,
                title: title,
                body: Self.words,
                values: ["left": "5m", "app": "firefox"],
                actions: Self.buttons,
                hasSound: true
            )
            try await eventually("notifier accepts the notification") {
                _ = try await system.client.call(NotifyPost.self, request)
            }
        }

        private func wait(_ system: TestSystem, _ id: String, for state: NotifyState) async throws
            -> PostedNotification
        {
            try await eventually("\(id) is \(state)") {
                let list = try await system.client.call(NotifyList.self, .init()).notifications
                guard let found = list.first(where: { $0.id == id }), found.state == state else {
                    throw NotYet("\(list)")
                }
                return found
            }
        }

        private func pressed(_ system: TestSystem, _ screen: TestScreen) async throws {
            #expect(try screen.colours() == 1)
            try await post(system, id: "one", title: "{left} of {app} are left")
            let shown = try await wait(system, "one", for: .shown)
            #expect(shown.via == .desktop && shown.attempts == 1)
            let reply = try await system.client.call(NotifyList.self, .init())
            #expect(reply.desktop?.name?.hasPrefix("dunst") == true)
            try await eventually("the text is drawn") {
                let colours = try screen.colours()
                guard colours > 20 else { throw NotYet("\(colours) colours on the screen") }
            }
            if let path = ProcessEnvironment.current()["SCREENTIME_PICTURE"] { try screen.picture(path) }

            try screen.click(button: 1)

            let answered = try await wait(system, "one", for: .answered)
            #expect(answered.answer?.action == "default" && answered.answer?.via == .desktop)
            let told = try await NotifierSystemSuite.changes(system)
            #expect(told.contains { $0.number == answered.number && $0.answer == answered.answer })
            // The daemon has the text as it was written, with the markup escaped only for it.
            let history = try screen.history()
            #expect(history.contains("5m of firefox are left"))
            #expect(history.contains("&lt;b&gt;no&lt;/b&gt; more"))
            #expect(history.contains("이제 그만!"))
            #expect(answered.body == Self.shown)
        }

        private func chosen(_ system: TestSystem, _ screen: TestScreen) async throws {
            try await post(system, id: "two", title: "Another")
            _ = try await wait(system, "two", for: .shown)
            try await eventually("it is drawn") {
                guard try screen.colours() > 20 else { throw NotYet("nothing there") }
            }

            try screen.click(button: 3)

            let answered = try await wait(system, "two", for: .answered)
            #expect(answered.answer?.action == "more")
        }

        private func daemonDies(_ system: TestSystem, _ screen: TestScreen) async throws {
            screen.killDaemon()
            try await eventually("the end of the daemon is detected") {
                let reply = try await system.client.call(NotifyList.self, .init())
                guard reply.desktop?.state == .absent else { throw NotYet("\(reply)") }
            }
            try await post(system, id: "three", title: "While the desktop is gone")
            let waiting = try await wait(system, "three", for: .waiting)
            #expect(waiting.state == .waiting)
            try await eventually("the notification contains the reason") {
                let reply = try await system.client.call(NotifyList.self, .init())
                guard reply.desktop?.state == .absent,
                    reply.notifications.first?.note?.english.contains("shows notifications") == true
                else { throw NotYet("\(reply)") }
            }

            try screen.startDaemon()

            let shown = try await wait(system, "three", for: .shown)
            #expect(shown.via == .desktop)
            #expect(try screen.history().contains("While the desktop is gone"))
            let closed = try await wait(system, "three", for: .closed)
            #expect(closed.note != nil)
        }

        @Test("Without a session bus a notification waits with the reason, and appears in a terminal")
        func noBus() async throws {
            try await TestSystem.run(services: [.auth, .notifier]) { system in
                try await post(system, id: "one", title: "No desktop there")
                try await eventually("the reason is reported") {
                    let reply = try await system.client.call(NotifyList.self, .init())
                    guard reply.desktop?.state == .absent else { throw NotYet("\(reply)") }
                    #expect(reply.notifications.first?.note?.english.contains("no session bus") == true)
                    #expect(reply.notifications.first?.state == .waiting)
                }

                let terminal = try PseudoTerminal()
                let output = OwnedDescriptor(open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC))
                let command = try SpawnedProcess(
                    SpawnPlan(
                        executable: try BuiltTree.program("screentime"),
                        arguments: ["notification", "list", "--follow", "--count", "1", "--for", "30s"],
                        environment: ServicePrograms.environment.merging([
                            "SCREENTIME_RUN": system.directories.run,
                            "SCREENTIME_STATE": system.directories.state,
                            "SCREENTIME_CONFIG": system.directories.config,
                        ]) { $1 },
                        standardOutput: output.number,
                        standardError: output.number
                    )
                )
                let first = try await wait(system, "one", for: .shown)
                #expect(first.via == .terminal && first.note == nil)
                try await post(system, id: "two", title: "And another")
                #expect(try await wait(system, "two", for: .shown).via == .terminal)
                #expect(command.wait(deadlineMs: 30_000) == .exited(0))
                #expect(
                    terminal.screen.contains("No desktop there") && terminal.screen.contains("And another")
                )
            }
        }
    }
}
