package import STContracts
import STPlatform

/// `screentime member …`.
enum MemberCommand {
    static let commands: [Command] = [
        Command(
            ["member", "list"],
            "Lists the people of this household and their accounts",
            options: [.json],
            example: "screentime member list"
        ) { try await list($0) },
        Command(
            ["member", "add"],
            "Adds a person to the household",
            subjects: [
                .init(
                    "NAME",
                    "the person's name here",
                    key: "help.arg-name.what-this-person-is-called"
                )
            ],
            options: [roleOption, .json],
            example: "screentime member add kid --role child"
        ) { try await add($0) },
        Command(
            ["member", "set"],
            "Changes a person's role; for a child or a guardian, this requires a guardian's passcode",
            subjects: [name],
            options: [roleOption, ProofPrompt.option, .json],
            example: "screentime member set kid --role child"
        ) { try await set($0) },
        Command(
            ["member", "account"],
            "Sets a person's account on this computer, so that usage of the account counts for that person",
            subjects: [
                name,
                .init(
                    "ACCOUNT",
                    "the name to log in with",
                    key: "help.arg-account.the-name-to-log-in",
                    isOptional: true
                ),
            ],
            options: [
                .init("--none", value: nil, summary: "the person has no account here"), ProofPrompt.option,
                .json,
            ],
            example: "screentime member account kid kim"
        ) { try await account($0) },
        Command(
            ["member", "remove"],
            "Removes a person with their rules, permissions and passcode; their past usage stays in reports",
            subjects: [name],
            options: [
                .init("--yes", value: nil, summary: "does not ask for confirmation"), ProofPrompt.option,
                .json,
            ],
            example: "screentime member remove kid"
        ) { try await remove($0) },
        Command(
            ["member", "show"],
            "Shows the data recorded about a person, how long it is kept, and who can see it",
            subjects: [
                .init(
                    "NAME",
                    "the person; by default the owner of this account",
                    key: "help.arg-name.the-person-by-default-the",
                    isOptional: true
                )
            ],
            options: [.json],
            example: "screentime member show kid"
        ) { try await show($0) },
        PasscodeCommand.command,
    ]

    private static let name = Command.Subject(
        "NAME",
        "the person's name; `member list` lists all people",
        key: "help.arg-name.the-person-member-list-shows"
    )
    private static let roleOption = Command.Option(
        "--role",
        value: "individual|guardian|child",
        summary: "role of this person; a school can also use student, teacher or administrator"
    )

    /// Returns `nil` if the option is not given.
    private static func role(_ invocation: Invocation) throws(Problem) -> MemberRole? {
        switch invocation.value("--role") {
        case "student": .child
        case "teacher", "administrator": .guardian
        default: try invocation.choice("--role", MemberRole.self)
        }
    }

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
        let device = DisplayWidth.sanitized(reply.device.name)
        let other = RemoteMachine.current.map { DisplayWidth.sanitized($0.machine) }
        let title =
            other.map { Speech.say("member.on", "On \($0, "machine"):") }
            ?? Speech.say("member.on-this-computer", "On this computer, \(device, "device"):")
        var lines = [Banner.titled(title, isDemo: isDemo, terminal), ""]
        guard !reply.members.isEmpty else {
            return lines + [
                ProblemText.asTyped(
                    Speech.say(
                        "member.no-person-has-been",
                        "No person has been added yet; `screentime member add NAME` adds one."
                    )
                )
            ]
        }
        // On a protected computer, the account of the services belongs to no person.
        let here =
            ProtectedComputer.isOn || RemoteMachine.current != nil ? nil : reply.members.ofThisAccount?.name
        var table = TextTable([
            (Speech.say("member.title-name", "NAME"), .left),
            (Speech.say("member.title-role", "ROLE"), .left),
            (Speech.say("member.title-account", "ACCOUNT"), .left),
        ])
        for member in reply.members {
            var account = member.account ?? Speech.say("member.none", "none")
            if member.name == here { account += Speech.say("member.counted-here", ", owner of this account") }
            table.add([.init(member.name), .init(Speech.say(member.role.label)), .init(account)])
        }
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
            MemberSummaryText.lines(reply, apps: apps, isDemo: isDemo, terminal: invocation.terminal)
        }
    }

    private static func add(_ invocation: Invocation) async throws -> ExitCode {
        let role = try role(invocation) ?? .individual
        let name = invocation.subjects[0]
        let (reply, hints) = try await ServiceClients.with(invocation.directories) { clients in
            let reply = try await clients.call(MemberAdd.self, Member(name: name, role: role))
            return (reply, await MemberHints.lines(for: reply.member, clients, invocation))
        }
        let member = description(reply.member)
        let text =
            reply.added
            ? Speech.say("member.added", "Added \(member, "member").")
            : Speech.say("member.was-there-already", "Already a member: \(member, "member").")
        let isDemo = Banner.isDemo(invocation.directories)
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            [isDemo ? text + "  " + Banner.demo(invocation.terminal) : text] + hints
        }
    }

    private static func set(_ invocation: Invocation) async throws -> ExitCode {
        guard let role = try role(invocation) else {
            throw Problem(
                "usage.option_missing",
                "Specify the role of \(DisplayWidth.sanitized(invocation.subjects[0]), "name") with --role.",
                key: "usage.option_missing.say-what-is",
                help: "screentime member set \(invocation.subjects[0]) --role child"
            )
        }
        return try await change(.init(member: invocation.subjects[0], role: role), invocation)
    }

    private static func account(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        guard (invocation.subjects.count == 2) != invocation.has("--none") else {
            let accounts = ComputerAccount.all().map(\.name).joined(separator: ", ")
            throw Problem(
                "usage.option_missing",
                """
                Name the account of \(DisplayWidth.sanitized(name), "name"), or use --none. Accounts on this \
                computer: \(accounts, "accounts").
                """,
                key: "usage.option_missing.say-which-account",
                help: "screentime member account \(name) \(AccountName.current)"
            )
        }
        let account = invocation.has("--none") ? "" : invocation.subjects[1]
        return try await change(.init(member: name, account: account), invocation)
    }

    private static func change(_ request: MemberSet.Request, _ invocation: Invocation) async throws
        -> ExitCode
    {
        let (reply, hints) = try await ServiceClients.with(invocation.directories) { clients in
            let reply = try await ProofPrompt(invocation).run { by, passcode in
                var request = request
                request.proof = Proof(by: by, passcode: passcode)
                let reply = try await clients.call(MemberSet.self, request)
                return (reply, reply.refusal)
            }
            return (reply, await MemberHints.lines(for: reply.member, clients, invocation))
        }
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            ["\(description(reply.member))."] + hints
        }
    }

    private static func description(_ member: Member) -> String {
        let account = member.account.map { DisplayWidth.sanitized($0) }
        return "\(DisplayWidth.sanitized(member.name)), \(Speech.say(member.role.label))"
            + (account.map { Speech.say("member.account", ", account \($0, "account")") }
                ?? Speech.say("member.no-account-here", ", no account here"))
    }

    // MARK: - Removing

    private static func remove(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let shown = DisplayWidth.sanitized(name)
        let forget = "screentime data forget --member \(shown) --from 2000-01-01 --to now"
        let reply: MemberRemove.Reply? = try await ServiceClients.with(invocation.directories) { clients in
            let known = try await clients.call(MemberShow.self, .init(member: name))
            if !invocation.has("--yes") {
                let person = description(known.member)
                let things = try await belongings(known, clients)
                let keyboard = try Keyboard(invocation.terminal.keyboard)
                keyboard.say(
                    ProblemText.asTyped(
                        things.isEmpty
                            ? Speech.say(
                                "member.this-removes",
                                """
                                This removes from the household: \(person, "person"). The recorded usage of \
                                \(shown, "member") stays in reports until you delete it: \
                                \(forget, "command")
                                """
                            )
                            : Speech.say(
                                "member.this-removes-with",
                                """
                                This removes \(person, "person") from the household, together with \
                                \(things, "things"). The recorded usage of \(shown, "member") stays in \
                                reports until you delete it: \(forget, "command")
                                """
                            )
                    )
                )
                let question = Speech.say("member.type-yes-to-go", "Type yes to continue: ")
                guard try await keyboard.line(question) == "yes" else { return nil }
            }
            return try await ProofPrompt(invocation).run { by, passcode in
                let proof = Proof(by: by, passcode: passcode)
                let reply = try await clients.call(MemberRemove.self, .init(member: name, proof: proof))
                return (reply, reply.refusal)
            }
        }
        guard let reply else {
            invocation.terminal.note(
                Speech.say("member.was-not-removed", "\(shown, "shown") was not removed.")
            )
            return .no
        }
        return try invocation.show(
            json: try JSONOutput.pretty(of: reply),
            text: ProblemText.asTyped(
                Speech.say(
                    "member.does-not-belong-to",
                    """
                    \(shown, "shown") is no longer a member of the household. To delete the records, too: \
                    \(forget, "command")
                    """
                )
            )
        )
    }

    /// Returns the items that are removed with a person, for example `2 rules (games, evening) and the passcode`.
    private static func belongings(_ known: MemberShow.Reply, _ clients: ServiceClients) async throws
        -> String
    {
        let name = known.member.name
        let rules = try await clients.all(
            RuleList.self,
            .init(member: name),
            rows: \.rules,
            next: (\.next, \.next)
        )
        .compactMap(\.rule.name)
        let apps = known.authorizations.filter(\.access).map(\.app)
        let requests = try await clients.call(RequestList.self, .init(member: name)).requests.count {
            $0.state == .waiting || $0.state == .granted
        }
        var parts: [String] = []
        if !rules.isEmpty {
            let (count, names) = (rules.count, rules.map(DisplayWidth.sanitized).joined(separator: ", "))
            parts.append(
                Speech.say(
                    "member.rules",
                    count: count,
                    one: "1 rule (\(names, "names"))",
                    other: "\(count, "count") rules (\(names, "names"))"
                )
            )
        }
        if !apps.isEmpty {
            let (count, names) = (apps.count, apps.map(DisplayWidth.sanitized).joined(separator: ", "))
            parts.append(
                Speech.say(
                    "member.permissions",
                    count: count,
                    one: "1 permission (\(names, "names"))",
                    other: "\(count, "count") permissions (\(names, "names"))"
                )
            )
        }
        if requests > 0 {
            parts.append(
                Speech.say(
                    "member.open-requests",
                    count: requests,
                    one: "1 open request",
                    other: "\(requests, "count") open requests"
                )
            )
        }
        if known.passcode.isSet { parts.append(Speech.say("member.the-passcode", "the passcode")) }
        let last = parts.popLast() ?? ""
        let others = parts.joined(separator: ", ")
        return others.isEmpty
            ? last : Speech.say("member.others-and-last", "\(others, "others") and \(last, "last")")
    }
}

/// Hints about missing settings without which a member's rules have no effect.
enum MemberHints {
    static func lines(for member: Member, _ clients: ServiceClients, _ invocation: Invocation) async
        -> [String]
    {
        // The hints are about this machine's accounts.
        guard member.role != .guardian, !Banner.isDemo(invocation.directories), RemoteMachine.current == nil,
            let members = try? await clients.call(MemberList.self, Empty()).members
        else { return [] }
        let name = DisplayWidth.sanitized(member.name)
        var lines: [String] = []
        if members.ofThisAccount?.name == member.name {
            lines.append(
                Speech.say(
                    "member.the-time-of-this",
                    "Usage of this account counts for \(name, "name")."
                )
            )
        } else if member.account == nil {
            lines.append(
                ProblemText.asTyped(
                    Speech.say(
                        "member.no-time-counts-for",
                        "No usage counts for \(name, "name") yet. To set \(name, "name")'s account: "
                    ) + "screentime member account \(name) ACCOUNT"
                )
            )
        }
        return member.role == .child
            ? lines + (await ruleWarnings(member, members: members, clients: clients)) : lines
    }

    /// Returns the reasons why a child could remove its rules.
    static func ruleWarnings(_ child: Member, members: [Member], clients: ServiceClients) async -> [String] {
        let name = DisplayWidth.sanitized(child.name)
        var lines: [String] = []
        if let account = child.account ?? (members.ofThisAccount == child ? AccountName.current : nil),
            ComputerAccount.all().first(where: { $0.name == account })?.isAdministrator == true
        {
            lines.append(
                Speech.say(
                    "member.the-account-is-an",
                    """
                    The account \(account, "account") is an administrator of this computer, so \
                    \(name, "name") can bypass all rules. To remove the administrator rights: 
                    """
                ) + "sudo deluser \(account) sudo"
            )
        }
        for guardian in members where guardian.role == .guardian {
            let isSet = try? await clients.call(MemberShow.self, .init(member: guardian.name)).passcode.isSet
            // Without a reply, nothing is reported.
            if isSet != false { return lines }
        }
        let guardian = members.first { $0.role == .guardian }?.name
        lines.append(
            ProblemText.asTyped(
                Speech.say(
                    "member.no-guardian-has-a",
                    "No guardian has a passcode yet, so \(name, "name") can change all rules. To correct this: "
                )
                    + (guardian.map { "screentime member passcode \($0)" }
                        ?? "screentime member add NAME --role guardian")
            )
        )
        return lines
    }
}

/// `screentime member passcode`.
package enum PasscodeCommand {
    static let command = Command(
        ["member", "passcode"],
        "Sets or changes a person's passcode; prompts for it, and does not accept it as an argument",
        subjects: [.init("NAME", "the person whose passcode to set", key: "help.arg-name.whose")],
        options: [
            ProofPrompt.option,
            .init(
                "--reset",
                value: nil,
                summary:
                    "resets a forgotten passcode; only for the administrator (root), and visible to every member"
            ),
            .json,
        ],
        example: "screentime member passcode kid"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let isReset = invocation.has("--reset")
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            // Rejects an unknown name before the person types a passcode for it.
            if !isReset { _ = try await clients.call(MemberShow.self, .init(member: name)) }
            return try await set(name, isReset: isReset, clients: clients, invocation: invocation)
        }
        return try invocation.show(
            json: try JSONOutput.pretty(of: reply),
            text: Speech.say(
                "member.has-a-new-passcode",
                "\(DisplayWidth.sanitized(reply.member), "member") has a new passcode."
            )
                + (isReset
                    ? Speech.say("member.everyone-here-can-see", " Every member can see that it was reset.")
                    : "")
        )
    }

    package static func set(
        _ name: String,
        isReset: Bool,
        clients: ServiceClients,
        invocation: Invocation
    )
        async throws -> MemberPasscode.Reply
    {
        let passcode = try await promptForNew(of: name, invocation.terminal)
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

    private static func promptForNew(of name: String, _ terminal: Terminal) async throws -> String {
        if let passed = terminal.proof {
            guard let new = passed.new else {
                throw Problem("passcode.missing", "Enter a new passcode for \(name, "name").")
            }
            return new
        }
        let keyboard = try Keyboard(terminal.keyboard)
        let first = try await keyboard.hiddenLine(
            Speech.say(
                "member.new-passcode-of-4",
                "New passcode for \(DisplayWidth.sanitized(name), "name"), 4 to 128 characters: "
            )
        )
        guard let first else { throw ProofPrompt.unanswered }
        guard
            let second = try await keyboard.hiddenLine(
                Speech.say("member.the-same-again", "Repeat the passcode: ")
            )
        else {
            throw ProofPrompt.unanswered
        }
        guard first == second else {
            throw Problem(
                "passcode.not_the_same",
                "The passcodes do not match. Nothing was changed.",
                help: "screentime member passcode \(name)"
            )
        }
        return first
    }
}
