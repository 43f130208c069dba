import STContracts
import STPlatform

/// `screentime member …`.
enum MemberCommand {
    static let commands: [Command] = [
        Command(
            ["member", "list"],
            "The people of this household",
            options: [.json],
            example: "screentime member list"
        ) { try await list($0) },
        Command(
            ["member", "add"],
            "Adds a person to the household",
            subjects: [.init("NAME", "what this person is called here")],
            options: [
                .init("--role", "individual|guardian|child", "what this person is; individual by default"),
                .json,
            ],
            example: "screentime member add kid --role child"
        ) { try await add($0) },
        Command(
            ["member", "show"],
            "What is recorded about a person, for how long, and who sees it",
            subjects: [.init("NAME", "the person; by default the owner of this account", isOptional: true)],
            options: [.json],
            example: "screentime member show kid"
        ) { try await show($0) },
        PasscodeCommand.command,
    ]

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let reply = try await ServiceClients.with(invocation.directories) {
            try await $0.call(MemberList.self, Empty())
        }
        let isDemo = Banner.isDemo(invocation.directories)
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            text(reply, isDemo: isDemo, invocation.terminal)
        }
    }

    static func text(_ reply: MemberList.Reply, isDemo: Bool, _ terminal: Terminal) -> [String] {
        let title = "On this computer, \(DisplayWidth.harmless(reply.device.name)):"
        var lines = [Banner.titled(title, isDemo: isDemo, terminal), ""]
        guard !reply.members.isEmpty else {
            return lines + [
                ProblemText.asTyped("No person has been added yet; `screentime member add NAME` adds one.")
            ]
        }
        var table = TextTable([("NAME", .left), ("ROLE", .left)])
        for member in reply.members { table.add([.init(member.name), .init(member.role.rawValue)]) }
        lines += table.lines(columns: terminal.columns, terminal)
        return lines
    }

    private static func show(_ invocation: Invocation) async throws -> ExitCode {
        let request = MemberShow.Request(member: invocation.subjects.first)
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            let reply = try await clients.call(MemberShow.self, request)
            return (
                reply, reply.authorizations.isEmpty ? DisplayNames() : await DisplayNames.installed(clients)
            )
        }
        let isDemo = Banner.isDemo(invocation.directories)
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            MemberStoryText.lines(reply, apps, isDemo: isDemo, invocation.terminal)
        }
    }

    private static func add(_ invocation: Invocation) async throws -> ExitCode {
        let role = try invocation.choice("--role", MemberRole.self) ?? .individual
        let name = invocation.subjects[0]
        let reply = try await ServiceClients.with(invocation.directories) {
            try await $0.call(MemberAdd.self, Member(name: name, role: role))
        }
        let member = "\(DisplayWidth.harmless(reply.member.name)) (\(reply.member.role.rawValue))"
        var text = reply.added ? "Added \(member)." : "\(member) was there already."
        let isDemo = Banner.isDemo(invocation.directories)
        let account = AccountName.current()
        if reply.added, !isDemo, reply.member.role != .guardian, reply.member.name != account {
            text += " " + nextStep(DisplayWidth.harmless(reply.member.name), account)
        }
        return try invocation.show(
            json: try JSONOutput.pretty(of: reply),
            text: isDemo ? text + "  " + Banner.demo(invocation.terminal) : text
        )
    }

    /// Whose time a computer counts is a setting of desktop-agent: without it, the owner of the account.
    private static func nextStep(_ name: String, _ account: String) -> String {
        "Use of this computer counts for the person who is set as `member` under [desktop-agent] in "
            + "~/.config/screentime/config, or for \(account) if no member is set. To count it for \(name), write "
            + "member = \(name) there and start Screen Time again."
    }
}

/// `screentime member passcode`.
enum PasscodeCommand {
    static let command = Command(
        ["member", "passcode"],
        "Sets or changes a person's passcode; it is typed at the terminal, never in the command",
        subjects: [.init("NAME", "whose")],
        options: [
            ProofPrompt.option,
            .init(
                "--reset",
                nil,
                "for the administrator (root), when the passcode was forgotten; everyone here sees it"
            ),
            .json,
        ],
        example: "screentime member passcode kid"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let isReset = invocation.has("--reset")
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            // Refuses an unknown name before a passcode is typed for it.
            if !isReset { _ = try await clients.call(MemberShow.self, .init(member: name)) }
            let passcode = try await newOne(of: name, try Keyboard(invocation.terminal.keyboard))
            return try await ProofPrompt(invocation).run { by, proof in
                let reply = try await clients.call(
                    MemberPasscode.self,
                    .init(
                        member: name,
                        passcode: passcode,
                        by: by,
                        proof: proof,
                        reset: isReset ? true : nil
                    )
                )
                return (reply, reply.refusal)
            }
        }
        return try invocation.show(
            json: try JSONOutput.pretty(of: reply),
            text:
                "\(DisplayWidth.harmless(reply.member)) has a new passcode."
                + (isReset ? " Everyone here can see that it was reset." : "")
        )
    }

    private static func newOne(of name: String, _ keyboard: Keyboard) async throws -> String {
        let first = try await keyboard.hiddenLine(
            "New passcode of \(DisplayWidth.harmless(name)), 4 to 128 characters: "
        )
        guard let first else { throw ProofPrompt.unanswered }
        guard let second = try await keyboard.hiddenLine("The same again: ") else {
            throw ProofPrompt.unanswered
        }
        guard first == second else {
            throw Problem(
                "passcode.not_the_same",
                "The two passcodes were not the same, so nothing was changed.",
                help: "screentime member passcode \(name)"
            )
        }
        return first
    }
}

/// The screen of `member show`.
enum MemberStoryText {
    static func lines(_ reply: MemberShow.Reply, _ apps: DisplayNames, isDemo: Bool, _ terminal: Terminal)
        -> [String]
    {
        let name = DisplayWidth.harmless(reply.member.name)
        var lines = [Banner.titled("\(name), \(reply.member.role.rawValue)", isDemo: isDemo, terminal), ""]
        lines += passcode(reply.passcode, name, terminal)
        lines += ["", terminal.styled("What is recorded about \(name), and who sees it", .bold)]
        for record in reply.records {
            lines += ["", "  " + terminal.styled(DisplayWidth.harmless(record.service), .cyan)]
            for (title, text) in [("", record.what), ("Kept: ", record.kept), ("Seen by: ", record.seenBy)] {
                lines += indented(title + DisplayWidth.harmless(text), terminal)
            }
        }
        lines += ["", terminal.styled("What \(name) lets apps do", .bold), ""]
        if reply.authorizations.isEmpty { lines.append("  No app has asked yet.") }
        for known in reply.authorizations {
            lines += indented(AppInstallCommand.sentence(known, name: apps[known.app]), terminal)
        }
        guard !reply.notices.isEmpty else { return lines }
        lines += ["", terminal.styled("What happened", .bold), ""]
        for notice in reply.notices {
            lines += indented(
                TimeText.text(wire: notice.at) + "  " + DisplayWidth.harmless(notice.text),
                terminal
            )
        }
        return lines
    }

    private static func passcode(_ view: PasscodeView, _ name: String, _ terminal: Terminal) -> [String] {
        guard view.isSet else {
            return [ProblemText.asTyped("Passcode: none. To set one: screentime member passcode \(name)")]
        }
        var lines = ["Passcode: set on \(TimeText.text(wire: view.changedAt ?? ""))."]
        if view.wrong > 0 {
            let times = view.wrong == 1 ? "once" : "\(view.wrong) times in a row"
            let pause = view.lockedForMs.map { "; try again in \(TextFormat.duration(ms: $0))" } ?? ""
            lines.append(terminal.styled("A wrong one was typed \(times)\(pause).", .yellow))
        }
        if !view.attempts.isEmpty { lines.append("Wrong passcodes so far:") }
        for attempt in view.attempts {
            lines.append(
                "  \(TimeText.text(wire: attempt.at))  to \(DisplayWidth.harmless(attempt.purpose))"
            )
        }
        return lines
    }

    private static func indented(_ text: String, _ terminal: Terminal) -> [String] {
        var narrow = terminal
        narrow.columns = max(20, terminal.columns - 2)
        return TextWrap.lines(text, narrow).map { "  " + $0 }
    }
}
