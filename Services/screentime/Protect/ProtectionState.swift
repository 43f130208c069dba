import STCommandCore
import STContracts
import STPlatform

/// The protection of each person's account, and its gaps.
struct ProtectionState: Sendable {
    struct Person: Sendable {
        var member: Member
        var hasAccountService: Bool
        var isLoggedIn: Bool
        var hasDesktop: Bool
        /// True if desktop-agent runs in the session and can observe the screen.
        var isObserved: Bool
        var isAdministrator: Bool
        /// A reason why the account does not belong to this person, or not only to this person.
        var problem: String?
    }

    let people: [Person]
    let unreachableServices: [ServiceName]
    let hasPasscode: Bool
    let asksAtLogins: Bool
    let unseen: UnobservedScreenPolicy
    /// The gaps in GNOME. `nil` if there are none.
    let gnome: String?
    /// The accounts that belong to no person.
    let others: [String]

    init(_ list: MemberList.Reply, _ protection: Protection) {
        let accounts = ComputerAccount.all()
        let administrators = Set(accounts.filter(\.isAdministrator).map(\.name))
        let owned = Set(list.members.compactMap(\.account) + ["root"])
        // Accounts in the pupils' group become children at their first login.
        let pupils = PupilGroup(protection: protection).group.flatMap(AccountGroup.members(of:)) ?? []
        others = accounts.map(\.name).filter { !owned.contains($0) && !pupils.contains($0) }
        people = list.members.map { member in
            let uid = member.account.flatMap(ProtectCommands.uid(of:))
            return Person(
                member: member,
                hasAccountService: uid.map { protection.isActive("\(Protection.unitName($0)).socket") }
                    ?? false,
                isLoggedIn: uid.map(protection.isLoggedIn) ?? false,
                hasDesktop: uid.map(protection.hasDesktop) ?? false,
                isObserved: uid.map(protection.isObserved) ?? false,
                isAdministrator: member.account.map(administrators.contains) ?? false,
                problem: member.account.flatMap { Self.accountProblem($0, of: member.name, accounts) }
            )
        }
        unreachableServices = ServiceName.ofComputer.filter {
            !protection.isActive("screentime-\($0).service")
        }
        hasPasscode = !(list.provers ?? []).isEmpty
        asksAtLogins = protection.asksAtLogins
        unseen = protection.unseen
        let children = list.members.filter { $0.role == .child }.compactMap(\.account)
        gnome = GnomeSettingsLock(protection: protection).missing(children.compactMap(ProtectCommands.uid))
    }

    private static func accountProblem(_ account: String, of member: String, _ accounts: [ComputerAccount])
        -> String?
    {
        guard let uid = ProtectCommands.uid(of: account) else {
            return Speech.say(
                "protect.this-computer-has-no",
                """
                This computer no longer has the account \(account, "account"), so usage of \
                \(member, "member") is neither counted nor limited. To set another account, run: sudo \
                screentime member account \(member, "member") NAME
                """
            )
        }
        if let name = AccountName.name(uid), name != account {
            return Speech.say(
                "protect.is-another-name-of",
                """
                \(account, "account") is another name for the account \(name, "name"), but Screen Time \
                recognises only \(name, "name"). To set it, run: sudo screentime member account \
                \(member, "member") \(name, "name")
                """
            )
        }
        if accounts.count(where: { $0.name == account }) > 1 {
            return Speech.say(
                "protect.two-accounts-of-this",
                """
                Two accounts on this computer are called \(account, "account"), and only the first is \
                protected. To rename the other one, run: sudo vipw
                """
            )
        }
        return nil
    }

    /// The gaps in the protection, the most serious first.
    var missing: [String] {
        var found: [String] = []
        for person in people where person.member.role == .child && person.isAdministrator {
            let account = person.member.account ?? ""
            found.append(
                Speech.say(
                    "protect.is-an-administrator-and",
                    """
                    \(person.member.name, "name") is an administrator and can switch off the protection. To \
                    remove this right, run: sudo deluser \(account, "account") sudo
                    """
                )
            )
        }
        for service in unreachableServices {
            found.append(
                Speech.say(
                    "protect.does-not-run-systemctl",
                    """
                    \(service, "service") is not running. To find out why, run: systemctl status \
                    screentime-\(service, "service")
                    """
                )
            )
        }
        if !hasPasscode, people.contains(where: { $0.member.role == .child }) {
            found.append(
                Speech.say(
                    "protect.no-guardian-has-a",
                    """
                    No guardian has a passcode, so nobody can decide for a child. To set one, run: sudo \
                    screentime member passcode NAME
                    """
                )
            )
        }
        if !asksAtLogins, people.contains(where: { $0.member.role == .child }) {
            found.append(
                Speech.say(
                    "protect.the-login-does-not",
                    """
                    Screen Time does not check logins, because /etc/pam.d was changed by hand. To restore \
                    the check, run: sudo pam-auth-update
                    """
                )
            )
        }
        if let gnome { found.append(gnome) }
        for person in people where person.member.account != nil {
            if let doubt = person.problem {
                found.append(doubt)
            } else if !person.hasAccountService {
                found.append(
                    Speech.say(
                        "protect.the-account-of-has",
                        """
                        The account of \(person.member.name, "name") cannot reach the services. To correct \
                        this, run: sudo screentime protect on
                        """
                    )
                )
            } else if person.hasDesktop, !person.isObserved {
                found.append(
                    Speech.say(
                        "protect.is-logged-in-and",
                        "\(person.member.name, "name") is logged in, but Screen Time does not see that screen."
                    )
                )
            }
        }
        return found
    }

    func lines(_ terminal: Terminal) -> [String] {
        var table = TextTable([
            (Speech.say("protect.title-person", "PERSON"), .left),
            (Speech.say("protect.title-role", "ROLE"), .left),
            (Speech.say("protect.title-account", "ACCOUNT"), .left),
            (Speech.say("protect.title-screen", "SCREEN"), .left),
        ])
        for person in people {
            let screen =
                person.member.account == nil
                ? "–"
                : person.isObserved
                    ? Speech.say("protect.seen", "seen")
                    : person.isLoggedIn
                        ? Speech.say("protect.not-seen", "not seen")
                        : Speech.say("protect.not-logged-in", "not logged in")
            table.add([
                .init(person.member.name), .init(Speech.say(person.member.role.label)),
                .init(person.member.account ?? Speech.say("protect.none", "none")), .init(screen),
            ])
        }
        var lines = table.lines(columns: terminal.columns, terminal)
        if !others.isEmpty {
            let names = others.joined(separator: ", ")
            lines += TextWrap.lines(
                Speech.say(
                    "protect.what-is-done-in",
                    "Usage in these accounts is neither counted nor limited: \(names, "names")."
                ),
                terminal
            )
        }
        if unseen == .lock {
            lines.append(
                Speech.say(
                    "protect.a-childs-screen-is",
                    "If a child uses a screen that Screen Time does not see, the screen is locked."
                )
            )
        }
        lines.append("")
        if missing.isEmpty {
            lines.append(
                Speech.say(
                    "protect.the-services-run-under",
                    """
                    The services run under their own account, and no problems were found. To test the \
                    protection, run: sudo screentime protect check
                    """
                )
            )
        } else {
            lines.append(Speech.say("protect.missing", "Problems:"))
            lines += missing.flatMap { TextWrap.lines("  \($0)", terminal) }
        }
        return lines
    }

    var json: JSONValue {
        .object([
            "protected": true,
            "people": .array(
                people.map {
                    .object([
                        "name": .string($0.member.name), "role": .string($0.member.role.rawValue),
                        "account": $0.member.account.map { .string($0) } ?? .null,
                        "door": .bool($0.hasAccountService), "logged_in": .bool($0.isLoggedIn),
                        "seen": .bool($0.isObserved), "administrator": .bool($0.isAdministrator),
                    ])
                }
            ),
            "others": .array(others.map { .string($0) }),
            "login_asks": .bool(asksAtLogins), "unseen": .string(unseen.rawValue),
            "missing": .array(missing.map { .string($0) }),
        ])
    }
}
