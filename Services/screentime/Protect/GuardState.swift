import STCommandCore
import STContracts
import STPlatform

/// What guards each person's account, and what is missing.
struct GuardState: Sendable {
    struct Person: Sendable {
        var member: Member
        var hasDoor: Bool
        var isLoggedIn: Bool
        var hasDesktop: Bool
        /// Whether the program that looks at the screen runs in the session, and sees something.
        var isSeen: Bool
        var isAdministrator: Bool
        /// Why the account is not, or not only, this person's.
        var doubt: String?
    }

    let people: [Person]
    let silent: [ServiceName]
    let hasPasscode: Bool
    let asksAtLogins: Bool
    let unseen: UnseenScreen
    /// What is missing in GNOME.
    let gnome: String?
    /// Accounts that are no person's here.
    let others: [String]

    init(_ list: MemberList.Reply, _ protection: Protection) {
        let accounts = ComputerAccount.all()
        let administrators = Set(accounts.filter(\.isAdministrator).map(\.name))
        let owned = Set(list.members.compactMap(\.account) + ["root"])
        // Accounts in the pupils' group become children at their first login.
        let pupils = Pupils(protection: protection).group.flatMap(AccountGroup.members(of:)) ?? []
        others = accounts.map(\.name).filter { !owned.contains($0) && !pupils.contains($0) }
        people = list.members.map { member in
            let uid = member.account.flatMap(ProtectCommands.uid(of:))
            return Person(
                member: member,
                hasDoor: uid.map { protection.isActive("\(Protection.door($0)).socket") } ?? false,
                isLoggedIn: uid.map(protection.isLoggedIn) ?? false,
                hasDesktop: uid.map(protection.hasDesktop) ?? false,
                isSeen: uid.map(protection.sees) ?? false,
                isAdministrator: member.account.map(administrators.contains) ?? false,
                doubt: member.account.flatMap { Self.doubt($0, of: member.name, accounts) }
            )
        }
        silent = ServiceName.ofComputer.filter { !protection.isActive("screentime-\($0).service") }
        hasPasscode = !(list.provers ?? []).isEmpty
        asksAtLogins = protection.asksAtLogins
        unseen = protection.unseen
        let children = list.members.filter { $0.role == .child }.compactMap(\.account)
        gnome = GnomeLock(protection: protection).missing(children.compactMap(ProtectCommands.uid))
    }

    private static func doubt(_ account: String, of member: String, _ accounts: [ComputerAccount]) -> String?
    {
        guard let uid = ProtectCommands.uid(of: account) else {
            return Speech.say(
                "This computer has no account \(account) any more, so nothing of \(member) is counted or held: sudo screentime member account \(member) NAME",
                "이 컴퓨터에 \(account) 계정이 더는 없어서 \(member) 님의 시간을 세지도 막지도 못합니다: sudo screentime member account \(member) NAME"
            )
        }
        if let name = AccountName.of(uid), name != account {
            return Speech.say(
                "\(account) is another name of the account \(name), which is the one that counts: sudo screentime member account \(member) \(name)",
                "\(account)은(는) \(name) 계정의 다른 이름이고, 세는 것은 \(name)입니다: sudo screentime member account \(member) \(name)"
            )
        }
        if accounts.count(where: { $0.name == account }) > 1 {
            return Speech.say(
                "Two accounts of this computer are called \(account), and only the first is guarded. Give the other one another name: sudo vipw",
                "이름이 \(account)인 계정이 둘이고 첫째만 지킵니다. 다른 계정의 이름을 바꾸세요: sudo vipw"
            )
        }
        return nil
    }

    /// In the order of how much they undo.
    var missing: [String] {
        var found: [String] = []
        for person in people where person.member.role == .child && person.isAdministrator {
            let account = person.member.account ?? ""
            found.append(
                Speech.say(
                    "\(person.member.name) is an administrator and can switch all of this off: sudo deluser \(account) sudo",
                    "\(person.member.name) 님은 관리자라서 모두 끌 수 있습니다: sudo deluser \(account) sudo"
                )
            )
        }
        for service in silent {
            found.append(
                Speech.say(
                    "\(service) does not run: systemctl status screentime-\(service)",
                    "\(service)이(가) 실행되지 않습니다: systemctl status screentime-\(service)"
                )
            )
        }
        if !hasPasscode, people.contains(where: { $0.member.role == .child }) {
            found.append(
                Speech.say(
                    "No guardian has a passcode, so no person can decide for a child: sudo screentime member passcode NAME",
                    "암호가 있는 보호자가 없어서 아이 일을 정할 수 없습니다: sudo screentime member passcode NAME"
                )
            )
        }
        if !asksAtLogins, people.contains(where: { $0.member.role == .child }) {
            found.append(
                Speech.say(
                    "The login does not ask Screen Time, as /etc/pam.d was changed by hand: sudo pam-auth-update",
                    "/etc/pam.d를 직접 고친 적이 있어서 로그인할 때 스크린 타임에 묻지 않습니다: sudo pam-auth-update"
                )
            )
        }
        if let gnome { found.append(gnome) }
        for person in people where person.member.account != nil {
            if let doubt = person.doubt {
                found.append(doubt)
            } else if !person.hasDoor {
                found.append(
                    Speech.say(
                        "The account of \(person.member.name) has no door: sudo screentime protect on",
                        "\(person.member.name) 님의 계정에 통로가 없습니다: sudo screentime protect on"
                    )
                )
            } else if person.hasDesktop, !person.isSeen {
                found.append(
                    Speech.say(
                        "\(person.member.name) is logged in, and nothing looks at that screen.",
                        "\(person.member.name) 님이 로그인해 있지만 그 화면을 보는 것이 없습니다."
                    )
                )
            }
        }
        return found
    }

    func lines(_ terminal: Terminal) -> [String] {
        let titles = [("PERSON", "사람"), ("ROLE", "역할"), ("ACCOUNT", "계정"), ("SCREEN", "화면")]
        var table = TextTable(titles.map { (Speech.say($0.0, $0.1), .left) })
        for person in people {
            let screen =
                person.member.account == nil
                ? "–"
                : person.isSeen
                    ? Speech.say("seen", "보임")
                    : person.isLoggedIn
                        ? Speech.say("not seen", "안 보임") : Speech.say("not logged in", "로그인 안 함")
            table.add([
                .init(person.member.name), .init(RoleText.word(person.member.role)),
                .init(person.member.account ?? Speech.say("none", "없음")), .init(screen),
            ])
        }
        var lines = table.lines(columns: terminal.columns, terminal)
        if !others.isEmpty {
            let names = others.joined(separator: ", ")
            lines += TextWrap.lines(
                Speech.say(
                    "What is done in these accounts is not counted, and nothing limits it: \(names).",
                    "다음 계정에서 하는 일은 세지 않고 제한하지도 않습니다: \(names)."
                ),
                terminal
            )
        }
        if unseen == .lock {
            lines.append(
                Speech.say(
                    "A child's screen is locked while it is used and nothing sees it.",
                    "아이가 보이지 않는 화면을 쓰면 그 화면을 잠급니다."
                )
            )
        }
        lines.append("")
        if missing.isEmpty {
            lines.append(
                Speech.say(
                    "The services run under an account of their own, and nothing is missing. Try it: sudo screentime protect check",
                    "서비스는 따로 만든 계정으로 실행되고, 빠진 것이 없습니다. 확인: sudo screentime protect check"
                )
            )
        } else {
            lines.append(Speech.say("Missing:", "빠진 것:"))
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
                        "door": .bool($0.hasDoor), "logged_in": .bool($0.isLoggedIn),
                        "seen": .bool($0.isSeen), "administrator": .bool($0.isAdministrator),
                    ])
                }
            ),
            "others": .array(others.map { .string($0) }),
            "login_asks": .bool(asksAtLogins), "unseen": .string(unseen.rawValue),
            "missing": .array(missing.map { .string($0) }),
        ])
    }
}
