package import STContracts
import STPlatform

/// `screentime member …`.
enum MemberCommand {
    static let commands: [Command] = [
        Command(
            ["member", "list"],
            "The people of this household, and whose account is whose",
            options: [.json],
            example: "screentime member list"
        ) { try await list($0) },
        Command(
            ["member", "add"],
            "Adds a person to the household",
            subjects: [.init("NAME", "what this person is called here")],
            options: [roleOption, .json],
            example: "screentime member add kid --role child"
        ) { try await add($0) },
        Command(
            ["member", "set"],
            "Changes what a person is; for a child or a guardian it takes a guardian's passcode",
            subjects: [name],
            options: [roleOption, ProofPrompt.option, .json],
            example: "screentime member set kid --role child"
        ) { try await set($0) },
        Command(
            ["member", "account"],
            "Says which account of this computer is a person's, so that its time counts for them",
            subjects: [name, .init("ACCOUNT", "the name to log in with", isOptional: true)],
            options: [.init("--none", nil, "the person has no account here"), ProofPrompt.option, .json],
            example: "screentime member account kid kim"
        ) { try await account($0) },
        Command(
            ["member", "remove"],
            "Removes a person with their rules, permissions and passcode; what they used stays in reports",
            subjects: [name],
            options: [.init("--yes", nil, "does not ask first"), ProofPrompt.option, .json],
            example: "screentime member remove kid"
        ) { try await remove($0) },
        Command(
            ["member", "show"],
            "What is recorded about a person, for how long, and who sees it",
            subjects: [.init("NAME", "the person; by default the owner of this account", isOptional: true)],
            options: [.json],
            example: "screentime member show kid"
        ) { try await show($0) },
        PasscodeCommand.command,
    ]

    private static let name = Command.Subject("NAME", "the person; `member list` shows them")
    private static let roleOption = Command.Option(
        "--role",
        "individual|guardian|child",
        "what this person is; a school may say student, teacher or administrator"
    )

    /// Nil where the option is not given.
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
        let device = DisplayWidth.harmless(reply.device.name)
        let other = OtherMachine.current.map { DisplayWidth.harmless($0.machine) }
        let title =
            other.map { Speech.say("On \($0):", "\($0)의 사람:") }
            ?? Speech.say("On this computer, \(device):", "이 컴퓨터 \(device)의 사람:")
        var lines = [Banner.titled(title, isDemo: isDemo, terminal), ""]
        guard !reply.members.isEmpty else {
            return lines + [
                ProblemText.asTyped(
                    Speech.say(
                        "No person has been added yet; `screentime member add NAME` adds one.",
                        "아직 아무도 없습니다. `screentime member add NAME`으로 추가합니다."
                    )
                )
            ]
        }
        // The services of a protected computer are no person's account.
        let here =
            ProtectedComputer.isOn || OtherMachine.current != nil ? nil : reply.members.ofThisAccount?.name
        let titles = [("NAME", "이름"), ("ROLE", "역할"), ("ACCOUNT", "계정")]
        var table = TextTable(titles.map { (Speech.say($0.0, $0.1), .left) })
        for member in reply.members {
            var account = member.account ?? Speech.say("none", "없음")
            if member.name == here { account += Speech.say(", counted here", ", 여기서 셈") }
            table.add([.init(member.name), .init(RoleText.word(member.role)), .init(account)])
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
            MemberStoryText.lines(reply, apps, isDemo: isDemo, invocation.terminal)
        }
    }

    private static func add(_ invocation: Invocation) async throws -> ExitCode {
        let role = try role(invocation) ?? .individual
        let name = invocation.subjects[0]
        let (reply, hints) = try await ServiceClients.with(invocation.directories) { clients in
            let reply = try await clients.call(MemberAdd.self, Member(name: name, role: role))
            return (reply, await MemberHints.lines(for: reply.member, clients, invocation))
        }
        let member = words(reply.member)
        let text =
            reply.added
            ? Speech.say("Added \(member).", "추가했습니다: \(member).")
            : Speech.say("\(member) was there already.", "이미 있습니다: \(member).")
        let isDemo = Banner.isDemo(invocation.directories)
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            [isDemo ? text + "  " + Banner.demo(invocation.terminal) : text] + hints
        }
    }

    private static func set(_ invocation: Invocation) async throws -> ExitCode {
        guard let role = try role(invocation) else {
            throw Problem(
                "usage.option_missing",
                "Say what \(DisplayWidth.harmless(invocation.subjects[0])) is with --role.",
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
                "Say which account is \(DisplayWidth.harmless(name))'s, or --none. This computer has: \(accounts).",
                help: "screentime member account \(name) \(AccountName.own)"
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
            ["\(words(reply.member))."] + hints
        }
    }

    private static func words(_ member: Member) -> String {
        let account = member.account.map { DisplayWidth.harmless($0) }
        return "\(DisplayWidth.harmless(member.name)), \(RoleText.word(member.role))"
            + (account.map { Speech.say(", account \($0)", ", 계정 \($0)") }
                ?? Speech.say(", no account here", ", 여기 계정 없음"))
    }

    // MARK: - Removing

    private static func remove(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let shown = DisplayWidth.harmless(name)
        let forget = "screentime data forget --member \(shown) --from 2000-01-01 --to now"
        let reply: MemberRemove.Reply? = try await ServiceClients.with(invocation.directories) { clients in
            let known = try await clients.call(MemberShow.self, .init(member: name))
            if !invocation.has("--yes") {
                let goes = try await goes(known, clients)
                let keyboard = try Keyboard(invocation.terminal.keyboard)
                keyboard.say(
                    ProblemText.asTyped(
                        Speech.say(
                            "This removes \(words(known.member)), from the household\(goes). What \(shown) used stays in "
                                + "reports until you delete it: \(forget)",
                            "이 집에서 뺍니다: \(words(known.member))\(goes). \(shown) 님의 사용 기록은 지울 때까지 "
                                + "보고서에 남습니다: \(forget)"
                        )
                    )
                )
                let question = Speech.say("Type yes to go on: ", "계속하려면 yes를 입력하세요: ")
                guard try await keyboard.line(question) == "yes" else { return nil }
            }
            return try await ProofPrompt(invocation).run { by, passcode in
                let proof = Proof(by: by, passcode: passcode)
                let reply = try await clients.call(MemberRemove.self, .init(member: name, proof: proof))
                return (reply, reply.refusal)
            }
        }
        guard let reply else {
            invocation.terminal.note(Speech.say("\(shown) was not removed.", "\(shown) 님을 빼지 않았습니다."))
            return .no
        }
        return try invocation.show(
            json: try JSONOutput.pretty(of: reply),
            text: ProblemText.asTyped(
                Speech.say(
                    "\(shown) does not belong to the household any more. To delete what was recorded, too: \(forget)",
                    "\(shown) 님을 이 집에서 뺐습니다. 기록도 지우려면: \(forget)"
                )
            )
        )
    }

    /// What goes with a person, such as `, with 2 rules (games, evening) and the passcode`.
    private static func goes(_ known: MemberShow.Reply, _ clients: ServiceClients) async throws -> String {
        let name = known.member.name
        let rules = try await clients.all(RuleList.self, .init(member: name), \.rules, (\.next, \.next))
            .compactMap(\.rule.name)
        let apps = known.authorizations.filter(\.access).map(\.app)
        let requests = try await clients.call(RequestList.self, .init(member: name)).requests.count {
            $0.state == .waiting || $0.state == .granted
        }
        var parts: [String] = []
        func count(_ number: Int, _ word: String, _ names: [String] = []) {
            guard number > 0 else { return }
            let list = names.isEmpty ? "" : " (\(names.map(DisplayWidth.harmless).joined(separator: ", ")))"
            parts.append(
                Speech.say("\(number) \(word)\(number == 1 ? "" : "s")", "\(word) \(number)개") + list
            )
        }
        count(rules.count, Speech.say("rule", "규칙"), rules)
        count(apps.count, Speech.say("permission", "권한"), apps)
        count(requests, Speech.say("open request", "열린 요청"))
        if known.passcode.isSet { parts.append(Speech.say("the passcode", "암호")) }
        guard let last = parts.last else { return "" }
        let others = parts.dropLast().joined(separator: ", ")
        return Speech.say(
            ", with " + (others.isEmpty ? last : others + " and " + last),
            ". 함께 없어지는 것: " + parts.joined(separator: ", ")
        )
    }
}

/// What a person is, in a word.
package enum RoleText {
    package static func word(_ role: MemberRole) -> String {
        let korean =
            switch role {
            case .individual: "개인"
            case .guardian: "보호자"
            case .child: "아이"
            case .unknown: "모름"
            }
        return Speech.say(role.rawValue, korean)
    }
}

/// What is still missing so that a member's rules do something.
enum MemberHints {
    static func lines(for member: Member, _ clients: ServiceClients, _ invocation: Invocation) async
        -> [String]
    {
        // They are about this machine's accounts.
        guard member.role != .guardian, !Banner.isDemo(invocation.directories), OtherMachine.current == nil,
            let members = try? await clients.call(MemberList.self, Empty()).members
        else { return [] }
        let name = DisplayWidth.harmless(member.name)
        var lines: [String] = []
        if members.ofThisAccount?.name == member.name {
            lines.append(
                Speech.say(
                    "The time of this account counts for \(name).",
                    "이 계정의 시간은 \(name) 님의 것으로 셉니다."
                )
            )
        } else if member.account == nil {
            lines.append(
                ProblemText.asTyped(
                    Speech.say(
                        "No time counts for \(name) yet. Say which account is \(name)'s: ",
                        "아직 \(name) 님의 시간을 세지 않습니다. 어느 계정을 쓰는지 정하세요: "
                    ) + "screentime member account \(name) ACCOUNT"
                )
            )
        }
        return member.role == .child ? lines + (await loose(member, members, clients)) : lines
    }

    /// What lets a child undo its rules.
    static func loose(_ child: Member, _ members: [Member], _ clients: ServiceClients) async -> [String] {
        let name = DisplayWidth.harmless(child.name)
        var lines: [String] = []
        if let account = child.account ?? (members.ofThisAccount == child ? AccountName.own : nil),
            ComputerAccount.all().first(where: { $0.name == account })?.isAdministrator == true
        {
            lines.append(
                Speech.say(
                    "The account \(account) is an administrator of this computer, so \(name) can undo everything. Take that "
                        + "away: ",
                    "\(account) 계정이 이 컴퓨터의 관리자여서 \(name) 님이 모두 되돌릴 수 있습니다. 관리자 권한을 거두세요: "
                ) + "sudo deluser \(account) sudo"
            )
        }
        for guardian in members where guardian.role == .guardian {
            let isSet = try? await clients.call(MemberShow.self, .init(member: guardian.name)).passcode.isSet
            // Without an answer nothing is wrong.
            if isSet != false { return lines }
        }
        let guardian = members.first { $0.role == .guardian }?.name
        lines.append(
            ProblemText.asTyped(
                Speech.say(
                    "No guardian has a passcode yet, so \(name) can change all rules: ",
                    "아직 암호가 있는 보호자가 없어서 \(name) 님이 모든 규칙을 바꿀 수 있습니다. 암호를 정하세요: "
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
            return try await set(name, isReset: isReset, clients, invocation)
        }
        return try invocation.show(
            json: try JSONOutput.pretty(of: reply),
            text: Speech.say(
                "\(DisplayWidth.harmless(reply.member)) has a new passcode.",
                "\(DisplayWidth.harmless(reply.member)) 님의 암호를 새로 정했습니다."
            )
                + (isReset
                    ? Speech.say(
                        " Everyone here can see that it was reset.",
                        " 암호를 다시 정한 것은 모두에게 보입니다."
                    ) : "")
        )
    }

    package static func set(
        _ name: String,
        isReset: Bool,
        _ clients: ServiceClients,
        _ invocation: Invocation
    )
        async throws -> MemberPasscode.Reply
    {
        let passcode = try await newOne(of: name, invocation.terminal)
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

    private static func newOne(of name: String, _ terminal: Terminal) async throws -> String {
        if let passed = terminal.proof {
            guard let new = passed.new else {
                throw Problem("passcode.missing", "Say which passcode \(name) gets.")
            }
            return new
        }
        let keyboard = try Keyboard(terminal.keyboard)
        let first = try await keyboard.hiddenLine(
            Speech.say(
                "New passcode of \(DisplayWidth.harmless(name)), 4 to 128 characters: ",
                "\(DisplayWidth.harmless(name)) 님의 새 암호(4–128자): "
            )
        )
        guard let first else { throw ProofPrompt.unanswered }
        guard let second = try await keyboard.hiddenLine(Speech.say("The same again: ", "한 번 더: ")) else {
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
        var lines = [
            Banner.titled("\(name), \(RoleText.word(reply.member.role))", isDemo: isDemo, terminal), "",
        ]
        lines += passcode(reply.passcode, name, terminal)
        let recorded = Speech.say(
            "What is recorded about \(name), and who sees it",
            "\(name) 님에 대해 기록하는 것과, 그것을 보는 사람"
        )
        lines += ["", terminal.styled(recorded, .bold)]
        let seen = Speech.say("Seen by: ", "보는 사람: ")
        // Who sees it is said once where it is the same for all.
        let seers = Set(reply.records.map(\.seenBy))
        if seers.count == 1, let all = seers.first {
            lines += [""] + indented(seen + DisplayWidth.harmless(Speech.told(all)), terminal)
        }
        for record in reply.records {
            lines += ["", "  " + terminal.styled(DisplayWidth.harmless(record.service), .cyan)]
            var texts = [("", record.what), (Speech.say("Kept: ", "보관: "), record.kept)]
            if seers.count > 1 { texts.append((seen, record.seenBy)) }
            for (title, text) in texts {
                lines += indented(title + DisplayWidth.harmless(Speech.told(text)), terminal)
            }
        }
        let allowed = Speech.say("What \(name) lets apps do", "\(name) 님이 앱에 허용한 것")
        lines += ["", terminal.styled(allowed, .bold), ""]
        if reply.authorizations.isEmpty {
            lines.append(Speech.say("  No app has asked yet.", "  아직 물어본 앱이 없습니다."))
        }
        for known in reply.authorizations {
            lines += indented(AppInstallCommand.sentence(known, name: apps[known.app]), terminal)
        }
        guard !reply.notices.isEmpty else { return lines }
        lines += ["", terminal.styled(Speech.say("What happened", "있었던 일"), .bold), ""]
        for notice in reply.notices {
            lines += indented(
                TimeText.text(wire: notice.at) + "  " + DisplayWidth.harmless(Speech.told(notice.text)),
                terminal
            )
        }
        return lines
    }

    private static func passcode(_ view: PasscodeView, _ name: String, _ terminal: Terminal) -> [String] {
        guard view.isSet else {
            let none = Speech.say("Passcode: none. To set one: ", "암호: 없음. 정하려면: ")
            return [ProblemText.asTyped(none + "screentime member passcode \(name)")]
        }
        let changed = TimeText.text(wire: view.changedAt ?? "")
        var lines = [Speech.say("Passcode: set on \(changed).", "암호: \(changed)에 정함.")]
        if view.wrong > 0 {
            let pause = view.lockedForMs.map { Speech.duration(ms: $0) }
            let text = Speech.say(
                "A wrong one was typed \(view.wrong == 1 ? "once" : "\(view.wrong) times in a row")\(pause.map { "; try again in \($0)" } ?? "").",
                "암호를 \(view.wrong)번 이어서 잘못 입력했습니다\(pause.map { ". \($0) 뒤에 다시 시도하세요" } ?? "")."
            )
            lines.append(terminal.styled(text, .yellow))
        }
        if !view.attempts.isEmpty { lines.append(Speech.say("Wrong passcodes so far:", "지금까지 잘못 입력한 암호:")) }
        for attempt in view.attempts {
            let purpose = DisplayWidth.harmless(attempt.purpose)
            lines.append(
                "  \(TimeText.text(wire: attempt.at))  " + Speech.say("to \(purpose)", Speech.told(purpose))
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
