import Glibc
package import STCommandCore
import STContracts
import STPlatform

/// `screentime protect …`: protects a computer on which children must not be able to disable Screen Time.
package enum ProtectCommands {
    package static let bodies: [[String]: CommandRunner.Body] = [
        ["protect", "on"]: { try await on($0) },
        ["protect", "off"]: { try await off($0) },
        ["protect", "status"]: { try await status($0) },
        ["protect", "check"]: { try await check($0) },
        ["protect", "refuses"]: { try await LoginCheck.perform($0) },
        ["protect", "hold"]: { try await HoldCommand.run($0) },
        ["protect", "welcome"]: { try await PupilGroup.welcome($0) },
        ["protect", "accept"]: { try AcceptCommand.run($0) },
    ]

    /// A person as named by `--child` and similar options.
    struct Named: Equatable {
        var name: String
        var account: String?
        var role: MemberRole
    }

    /// Parses `ben,mia=mia.b`. Without `=`, an account of the same name belongs to the person.
    static func people(_ text: String, _ role: MemberRole, accounts: [String]) throws(Problem) -> [Named] {
        var found: [Named] = []
        for part in text.split(separator: ",") {
            let words = part.split(separator: "=", omittingEmptySubsequences: false).map { word in
                String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            let account = words.count == 2 ? words[1] : accounts.contains(words[0]) ? words[0] : nil
            guard words.count <= 2, !words[0].isEmpty, account.map({ !$0.isEmpty }) ?? true else {
                throw Problem(
                    "usage.bad_person",
                    """
                    “\(part, "part")” does not name a person. Write NAME, or NAME=ACCOUNT if the account has \
                    a different name.
                    """,
                    help: "--child ben,mia=mia.b"
                )
            }
            if let account, !accounts.contains(account) {
                let near = TextFormat.closest(to: account, in: accounts)
                let list = accounts.joined(separator: ", ")
                throw Problem(
                    "account.unknown",
                    text: near.map {
                        Message(
                            "account.unknown.here-did-you-mean",
                            """
                            This computer has no account \(account, "account"). Did you mean \($0, "near")? \
                            The accounts are: \(list, "accounts").
                            """
                        )
                    }
                        ?? Message(
                            "account.unknown.here-there-are",
                            """
                            This computer has no account \(account, "account"). The accounts are: \
                            \(list, "accounts").
                            """
                        ),
                    help: "sudo adduser NAME"
                )
            }
            // A child without a separate account is not protected.
            if role == .child, account == nil {
                throw Problem(
                    "protect.no_account_of_child",
                    """
                    \(words[0], "words") has no account on this computer. A child needs their own account, \
                    without administrator rights.
                    """,
                    help: "sudo adduser \(words[0])"
                )
            }
            found.append(Named(name: words[0], account: account, role: role))
        }
        return found
    }

    private static func named(_ invocation: Invocation) throws(Problem) -> [Named] {
        let accounts = ComputerAccount.all().map(\.name)
        var all: [Named] = []
        let options: [(String, MemberRole)] = [
            ("--guardian", .guardian), ("--child", .child), ("--other", .individual),
        ]
        for (option, role) in options {
            guard let text = invocation.value(option) else { continue }
            all += try people(text, role, accounts: accounts)
        }
        return all
    }

    // MARK: - On

    private static func on(_ invocation: Invocation) async throws -> ExitCode {
        let protection = Protection(invocation.environment)
        try protection.require()
        let people = try named(invocation)
        let unseen = try invocation.value("--unseen").map { word throws(Problem) in
            guard let unseen = UnobservedScreenPolicy(rawValue: word) else {
                throw Problem(
                    "usage.bad_value",
                    "--unseen must be count or lock, not “\(word, "word")”.",
                    help: "--unseen lock"
                )
            }
            return unseen
        }
        let (from, pupils) = (invocation.value("--from"), invocation.value("--pupils"))
        // The owner of the data also set its passcodes.
        if let from, !people.contains(where: { $0.role == .guardian && $0.account == from }) {
            throw Problem(
                "protect.from_guardian",
                """
                Only the Screen Time data of a guardian can be taken over. In a child's account, the child \
                may have set the passcode.
                """,
                help: "sudo screentime protect on --guardian \(from) --from \(from) --child NAME"
            )
        }
        try await OwnThread.run("protect") {
            if let unseen { try protection.set(unseen) }
            try protection.startServices(takingOver: from)
        }
        let members = try await ServiceClients.with(Directories.protected) { clients in
            let known = try await Protection.wait(clients)
            guard !people.isEmpty || !known.members.isEmpty else {
                throw Problem(
                    "protect.no_people",
                    "Name at least one child, and a guardian who decides for them.",
                    help: "sudo screentime protect on --guardian mum --child ben"
                )
            }
            for person in people { try await admit(person, clients: clients, invocation: invocation) }
            try await requirePasscode(clients, invocation, always: pupils != nil)
            return try await clients.call(MemberList.self, Empty()).members
        }
        try await OwnThread.run("protect") {
            let comers = PupilGroup(protection: protection)
            if let group = pupils ?? comers.group { try comers.set(group) }
            // Accounts that arrive with a login get their door at that login.
            let here = members.filter { member in
                member.account.map { account in uid(of: account).map { !comers.isAway(account, $0) } ?? false
                }
                    ?? false
            }
            let uids = uids(of: here)
            for uid in uids { try protection.startAccountService(uid) }
            for uid in protection.protectedUIDs where !uids.contains(uid) {
                try protection.stopAccountService(uid)
            }
            func children(_ members: [Member]) -> [String] {
                members.filter { $0.role == .child }.compactMap(\.account).filter { uid(of: $0) != nil }
            }
            try protection.enableLoginChecks(of: children(members))
            try GnomeSettingsLock(protection: protection).set(children(here))
        }
        invocation.terminal.write(
            Speech.say("protect.this-computer-is-protected", "This computer is now protected.")
        )
        return try await status(invocation)
    }

    private static func admit(_ person: Named, clients: ServiceClients, invocation: Invocation)
        async throws
    {
        let known = try await clients.call(MemberList.self, Empty()).members.first { $0.name == person.name }
        if known == nil {
            _ = try await clients.callTyped(MemberAdd.self, Member(name: person.name, role: person.role))
        }
        guard known?.role ?? person.role != person.role || known?.account != person.account else { return }
        _ = try await ProofPrompt(invocation).run { by, passcode in
            let reply = try await clients.callTyped(
                MemberSet.self,
                .init(
                    member: person.name,
                    role: person.role,
                    account: person.account,
                    proof: Proof(by: by, passcode: passcode)
                )
            )
            return (reply, reply.refusal)
        }
    }

    /// Throws if no guardian has a passcode, because then no person could decide for a child.
    private static func requirePasscode(_ clients: ServiceClients, _ invocation: Invocation, always: Bool)
        async throws
    {
        let list = try await clients.call(MemberList.self, Empty())
        guard list.provers?.isEmpty ?? true, always || list.members.contains(where: { $0.role == .child })
        else {
            return
        }
        guard let guardian = list.members.first(where: { $0.role == .guardian }) else {
            throw Problem(
                "protect.no_guardian",
                "A child needs a guardian who decides for them.",
                help: "sudo screentime protect on --guardian NAME"
            )
        }
        _ = try await PasscodeCommand.set(
            guardian.name,
            isReset: false,
            clients: clients,
            invocation: invocation
        )
    }

    private static func uids(of members: [Member]) -> [UInt32] {
        members.compactMap { $0.account.flatMap(uid(of:)) }
    }

    static func uid(of account: String) -> UInt32? { getpwnam(account)?.pointee.pw_uid }

    // MARK: - Off

    private static func off(_ invocation: Invocation) async throws -> ExitCode {
        let protection = Protection(invocation.environment)
        try protection.require()
        guard ProtectedComputer.isOn || !protection.protectedUIDs.isEmpty else {
            invocation.terminal.write(
                Speech.say("protect.this-computer-was-not", "This computer was not protected.")
            )
            return .done
        }
        if !invocation.has("--yes") {
            let answer = try await Keyboard(invocation.terminal.keyboard).line(
                Speech.say(
                    "protect.then-nothing-holds-the",
                    "After this, Screen Time no longer enforces anything for the children. Type yes to continue: "
                )
            )
            guard answer == "yes" else { throw ProofPrompt.unanswered }
        }
        try await OwnThread.run("protect") {
            try protection.disableLoginChecks()
            try PupilGroup(protection: protection).remove()
            try GnomeSettingsLock(protection: protection).remove()
            for uid in protection.protectedUIDs { try protection.stopAccountService(uid) }
            try protection.stopServices()
        }
        invocation.terminal.write(
            Speech.say(
                "protect.this-computer-is-no",
                "This computer is no longer protected. The records stay in \(Directories.protected.state, "state")."
            )
        )
        return .done
    }

    // MARK: - Status

    private static func status(_ invocation: Invocation) async throws -> ExitCode {
        guard ProtectedComputer.isOn else {
            return invocation.show(
                json: JSONOutput.pretty(["protected": false]),
                text: Speech.say(
                    "protect.this-computer-is-not",
                    """
                    This computer is not protected: a child with this account could stop Screen Time.\n  \
                    try    sudo screentime protect on --guardian NAME --child NAME
                    """
                )
            )
        }
        guard geteuid() == 0 else {
            return invocation.show(
                json: JSONOutput.pretty(["protected": true]),
                text: Speech.say(
                    "protect.this-computer-is-protected-the",
                    """
                    This computer is protected. For details, the administrator can run: sudo screentime \
                    protect status
                    """
                )
            )
        }
        let protection = Protection(invocation.environment)
        let members = try await ServiceClients.with(Directories.protected) {
            try await $0.call(MemberList.self, Empty())
        }
        let guardState = try await OwnThread.run("protect") { ProtectionState(members, protection) }
        return invocation.show(json: JSONOutput.pretty(guardState.json)) {
            guardState.lines(invocation.terminal)
        }
    }

    private static func check(_ invocation: Invocation) async throws -> ExitCode {
        let protection = Protection(invocation.environment)
        try protection.require()
        guard ProtectedComputer.isOn else {
            throw Problem(
                "protect.off",
                "This computer is not protected, so there is nothing to check.",
                help: "sudo screentime protect on --guardian NAME --child NAME"
            )
        }
        let members = try await ServiceClients.with(Directories.protected) {
            try await $0.call(MemberList.self, Empty()).members
        }
        let wanted = invocation.value("--account")
        let children = members.filter { $0.role == .child }.compactMap(\.account)
        let accounts = wanted.map { [$0] } ?? children
        let tries = try await OwnThread.run("protect") {
            try accounts.flatMap { account in
                try BypassAttempts(
                    account: account,
                    others: members.filter { $0.account != account },
                    protection
                )
                .results()
            }
        }
        guard !tries.isEmpty else {
            throw Problem(
                "protect.no_child",
                "No child has an account on this computer.",
                help: "sudo screentime protect on --child NAME"
            )
        }
        let hasHole = tries.contains { !$0.isBlocked }
        _ = invocation.show(json: JSONOutput.pretty(.array(tries.map(\.json)))) {
            tries.map { $0.line(invocation.terminal) }
                + [
                    "",
                    hasHole
                        ? Speech.say(
                            "protect.some-of-it-does",
                            "Some attempts were not blocked: see the lines marked NOT BLOCKED."
                        )
                        : Speech.say(
                            "protect.all-of-it-holds",
                            """
                            All attempts were blocked. Screen Time cannot prevent the use of sudo or \
                            starting the computer from another disk.
                            """
                        ),
                ]
        }
        return hasHole ? .no : .done
    }
}
