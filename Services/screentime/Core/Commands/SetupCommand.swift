import STContracts
import STPlatform

/// `screentime setup`: sets up an account with questions. Shows the command for each answer, so that people learn the commands.
enum SetupCommand {
    static let command = Command(
        ["setup"],
        "Sets up Screen Time for this account: its user, the guardian or teacher, and the first rules",
        example: "screentime setup"
    ) { invocation in
        guard !Banner.isDemo(invocation.directories) else {
            throw Problem(
                "setup.demo",
                """
                `setup` does not work in the demonstration, because its household is made up. Start Screen \
                Time itself first.
                """,
                help: "screentime system up --detach"
            )
        }
        try await Setup(invocation).run()
        return .done
    }
}

/// A suggested rule: a sentence with one amount that the person can change.
private struct Preset {
    var sentence: @Sendable (_ amount: String) -> Message
    /// The placeholder for the amount in the command.
    static let placeholder = "{}"
    var amount: String
    var command: [String]

    private static let gamesLimit: @Sendable (String) -> Message = {
        Message("setup.games-limit", "Games: at most \($0, "length") a day, then a shield.")
    }
    private static let downtime: @Sendable (String) -> Message = {
        Message(
            "setup.downtime",
            "Downtime \($0, "times"): only apps that are always allowed can be used."
        )
    }

    static let own = [
        Preset(
            sentence: {
                Message(
                    "setup.social-limit",
                    "Social apps and sites: at most \($0, "length") a day, then a shield."
                )
            },
            amount: "45m",
            command: ["limit", "add", "category:social", placeholder, "--then", "shield"]
        ),
        Preset(
            sentence: gamesLimit,
            amount: "1h",
            command: ["limit", "add", "category:games", placeholder, "--then", "shield"]
        ),
        Preset(
            sentence: downtime,
            amount: "23:00-06:30",
            command: ["downtime", "add", placeholder, "--then", "shield"]
        ),
    ]

    static let child = [
        Preset(
            sentence: gamesLimit,
            amount: "1h",
            command: ["limit", "add", "category:games", placeholder, "--then", "shield"]
        ),
        Preset(
            sentence: {
                Message(
                    "setup.films-limit",
                    "Films, music and videos: at most \($0, "length") a day, then a shield."
                )
            },
            amount: "1h30m",
            command: ["limit", "add", "category:entertainment", placeholder, "--then", "shield"]
        ),
        Preset(
            sentence: downtime,
            amount: "20:00-07:00",
            command: ["downtime", "add", placeholder, "--then", "shield"]
        ),
    ]

    static let student = [
        Preset(
            sentence: { Message("setup.games-window", "Games: allowed only \($0, "times").") },
            amount: "15:00-18:00",
            command: ["window", "add", "category:games", placeholder, "--then", "shield"]
        ),
        Preset(
            sentence: {
                Message("setup.social-window", "Social apps and sites: allowed only \($0, "times").")
            },
            amount: "15:00-18:00",
            command: ["window", "add", "category:social", placeholder, "--then", "shield"]
        ),
    ]
}

private struct Setup {
    private static let triesMax = 3
    private static let observationTimeout: Duration = .seconds(10)

    private let invocation: Invocation
    private let keyboard: Keyboard

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        keyboard = try Keyboard(invocation.terminal.keyboard)
    }

    func run() async throws {
        let wasRunning = try await isRunning()
        if !wasRunning {
            keyboard.say(Speech.say("setup.screen-time-does-not", "Screen Time is not running yet."))
            let starts = try await enableAtLogin()
            if !starts { guard await perform(["system", "up", "--detach"]) else { throw stopped } }
            keyboard.say("")
        }
        let member = try await ServiceClients.with(invocation.directories) { clients in
            try await clients.call(MemberShow.self, .init()).member
        }
        if member.role == .child, invocation.directories.isProtectedAccount {
            keyboard.say(
                Speech.say(
                    "setup.guardians-make-the-rules",
                    """
                    Guardians make the rules for this account. `screentime rule list` shows them, and \
                    `screentime request add APP 15m` requests more time.
                    """
                )
            )
            return
        }
        let name = member.name
        let shown = DisplayWidth.sanitized(name)
        keyboard.say(
            Speech.say(
                "setup.screen-time-counts-in",
                """
                Screen Time counts the usage of the account in which it runs. This account is \
                \(AccountName.current, "own").
                """
            )
        )
        offerPurposes()
        let question = Speech.say("setup.1-2-or-3", "1, 2 or 3 [1]: ")
        switch try await answer(question, or: "1", of: ["1", "2", "3"]) {
        case "2":
            try await confirmRole(name, by: "guardian", "child")
            try await rules(Preset.child, for: name)
        case "3":
            try await confirmRole(name, by: "teacher", "student")
            try await rules(Preset.student, for: name)
        default: try await rules(Preset.own, for: name)
        }
        if wasRunning { _ = try await enableAtLogin() }
        keyboard.say("")
        keyboard.say(try await confirmObservation(shown))
        keyboard.say(
            ProblemText.asTyped(
                Speech.say(
                    "setup.screentime-shows-the-day",
                    "`screentime` shows today's usage, and `screentime rule list` shows the rules."
                )
            )
        )
    }

    private func offerPurposes() {
        keyboard.say(Speech.say("setup.for-whom-is-it", "Who is Screen Time for?"))
        keyboard.say(
            Speech.say("setup.1-for-me-i", "  1  For me: I want to use my own time better.")
        )
        keyboard.say(
            Speech.say(
                "setup.2-for-a-child",
                "  2  For a child: a guardian manages the rules with a passcode."
            )
        )
        keyboard.say(
            Speech.say(
                "setup.3-for-a-student",
                "  3  For a student: a teacher manages the rules with a passcode."
            )
        )
    }

    /// Returns false if no service runs, as after the installation of Debian's package.
    private func isRunning() async throws -> Bool {
        do {
            _ = try await ServiceClients.with(invocation.directories) {
                try await $0.call(MemberShow.self, .init())
            }
            return true
        } catch let problem as Problem where problem.code == "service.not_running" {
            return false
        }
    }

    private func enableAtLogin() async throws -> Bool {
        let question = Speech.say(
            "setup.start-screen-time-at",
            "Start Screen Time at every login? yes or no [yes]: "
        )
        guard try await answer(question, or: "yes", of: ["yes", "no"]) == "yes" else { return false }
        return await perform(["system", "enable"])
    }

    /// Adds the guardian before the child's role is set, so that the child never lacks a guardian.
    private func confirmRole(_ name: String, by decider: String, _ role: String) async throws {
        let shown = DisplayWidth.sanitized(name)
        for _ in 0..<Self.triesMax {
            let question = Speech.say(
                "setup.who-decides-for-by",
                "Name of the guardian or teacher of \(shown, "shown"): "
            )
            guard let typed = try await keyboard.line(question) else { throw stopped }
            guard !typed.isEmpty, typed != name else {
                keyboard.say(
                    Speech.say(
                        "setup.that-is-a-person",
                        "Enter the name of a person other than \(shown, "shown")."
                    )
                )
                continue
            }
            guard await perform(["member", "add", typed, "--role", decider]) else { continue }
            try await setPasscode(typed)
            guard await perform(["member", "set", name, "--role", role]) else { throw stopped }
            return
        }
        throw stopped
    }

    private func setPasscode(_ guardian: String) async throws {
        let isSet = try await ServiceClients.with(invocation.directories) { clients in
            try await clients.call(MemberShow.self, .init(member: guardian)).passcode.isSet
        }
        if isSet { return }
        for _ in 0..<Self.triesMax where await perform(["member", "passcode", guardian]) { return }
        throw stopped
    }

    private func rules(_ presets: [Preset], for name: String) async throws {
        keyboard.say("")
        keyboard.say(
            Speech.say(
                "setup.rules-to-begin-with",
                "Suggested rules. Press Enter to add a rule, type no to skip it, or type another time to change it."
            )
        )
        for preset in presets {
            keyboard.say("")
            keyboard.say(Speech.say(preset.sentence(preset.amount)))
            for _ in 0..<Self.triesMax {
                guard let typed = try await keyboard.line("[\(preset.amount)]: ") else { throw stopped }
                if ["no", "n"].contains(typed.lowercased()) { break }
                let amount = typed.isEmpty ? preset.amount : typed
                let command = preset.command.map { $0 == Preset.placeholder ? amount : $0 }
                if await perform(command + ["--member", name]) { break }
            }
        }
    }

    /// Returns a sentence with the observed screen and the person of its usage, or with the reason why it is not observed.
    private func confirmObservation(_ name: String) async throws -> String {
        let deadline = SuspendingClock.now + Self.observationTimeout
        while true {
            let status = try await ServiceClients.with(invocation.directories) { clients in
                try await clients.call(DesktopStatus.self, Empty())
            }
            if status.isBlind != true, let member = status.member {
                let shown = DisplayWidth.sanitized(member)
                guard let app = status.app.map({ DisplayWidth.sanitized($0) }) else {
                    return Speech.say(
                        "setup.this-screen-is-seen",
                        "Screen Time sees this screen, and counts its usage for \(shown, "member")."
                    )
                }
                return Speech.say(
                    "setup.this-screen-is-seen-with",
                    """
                    Screen Time sees this screen, and counts its usage for \(shown, "member"). The \
                    foreground app is \(app, "app").
                    """
                )
            }
            guard SuspendingClock.now < deadline else {
                let unseen = Speech.say(
                    "setup.this-screen-is-not",
                    """
                    Screen Time cannot observe this screen, so it counts no usage for \(name, "name") here. \
                    Reason: 
                    """
                )
                return unseen + Speech.say(status.reason).sanitized
                    + (status.wayOut.map { " " + Speech.say($0).sanitized } ?? "")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    // MARK: - Questions and commands

    private func answer(_ prompt: String, or usual: String, of answers: [String]) async throws -> String {
        for _ in 0..<Self.triesMax {
            guard let typed = try await keyboard.line(prompt) else { throw stopped }
            let answer = typed.isEmpty ? usual : typed.lowercased()
            if answers.contains(answer) { return answer }
            let list = answers.joined(separator: ", ")
            keyboard.say(Speech.say("setup.type-one-of", "Type one of: \(list, "list")."))
        }
        throw stopped
    }

    /// Shows and runs a command as if it was typed. The command reports its own problems.
    private func perform(_ words: [String]) async -> Bool {
        keyboard.say("$ " + ProblemText.asTyped("screentime " + words.joined(separator: " ")))
        let code = await CommandRunner.run(
            words,
            environment: invocation.environment,
            terminal: invocation.terminal
        )
        return code == .done
    }

    private var stopped: Problem {
        Problem(
            "setup.stopped",
            "The setup was not completed. The steps completed so far remain in effect. You can run the setup again.",
            help: "screentime setup"
        )
    }
}
