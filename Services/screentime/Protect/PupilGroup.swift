import Glibc
import STCommandCore
import STContracts
import STPlatform

/// Makes each account of a group a child at its first login, for example the accounts of a school's directory.
///
/// PAM starts `screentime protect welcome` for these accounts and for no others. A failure allows the login.
struct PupilGroup {
    static let profile = "screentime-pupils"
    private static let path = "/usr/share/pam-configs/\(profile)"
    private static let skip = "pam_succeed_if.so quiet user notingroup "
    /// Upper bound on the delay of a login. Doors take a moment to open.
    private static let deadlineSeconds: UInt32 = 20
    private static let timeout: Duration = .seconds(2)

    let protection: Protection

    /// The group of these accounts. `nil` if there is none.
    var group: String? {
        Protection.text(of: Self.path).split(separator: "\n").lazy
            .compactMap { line in line.firstRange(of: Self.skip).map { String(line[$0.upperBound...]) } }
            .first
    }

    func set(_ group: String) throws(Problem) {
        // The group's name must be valid in a line of PAM's configuration.
        guard
            group.utf8.allSatisfy({
                UInt8(ascii: "-")...UInt8(ascii: "z") ~= $0 && !"/[]\\^`;<=>?:".utf8.contains($0)
            })
        else {
            throw Problem(
                "protect.bad_group",
                """
                A group name can contain only letters, digits and . - _ @. Create a group with such a name \
                for the pupils.
                """,
                help: "sudo screentime protect on --pupils GROUP"
            )
        }
        guard AccountGroup.members(of: group) != nil else {
            throw Problem(
                "protect.no_group",
                "This computer has no group \(TextFormat.truncated(group, bytes: 80), "group").",
                help: "getent group"
            )
        }
        let text = """
            Name: Screen Time: accounts of \(group) are children here from their first login on
            Default: no
            Priority: 1
            Account-Type: Additional
            Account:
            \t[success=1 default=ignore]\t\(Self.skip)\(group)
            \toptional\t\t\tpam_exec.so quiet /usr/bin/screentime protect welcome

            """
        try AtomicFile.write(Array(text.utf8), to: Self.path, mode: 0o644)
        try protection.run("pam-auth-update", ["--enable", Self.profile])
    }

    /// Returns true if the account is in the group and is not logged in.
    func isAway(_ account: String, _ uid: UInt32) -> Bool {
        group.map { AccountGroup.contains(account, in: $0) && !protection.isLoggedIn(uid) } ?? false
    }

    func remove() throws(Problem) {
        guard group != nil else { return }
        _ = try protection.attempt("pam-auth-update", ["--disable", Self.profile])
        unlink(Self.path)
    }

    static func welcome(_ invocation: Invocation) async throws -> ExitCode {
        let protection = Protection(invocation.environment)
        try protection.require()
        alarm(deadlineSeconds)
        let account = try LoginCheck.account(invocation, or: "sudo screentime protect welcome minji")
        if let service = invocation.environment["PAM_SERVICE"], !LoginCheck.isLogin(service) { return .no }
        guard let uid = ProtectCommands.uid(of: account), uid != 0,
            let group = PupilGroup(protection: protection).group, AccountGroup.contains(account, in: group)
        else { return .no }
        let member = try await ServiceClients.with(Directories.protected) { clients in
            let members = try await clients.call(MemberList.self, Empty(), timeout: timeout).members
            if let known = members.first(where: { $0.account == account }) { return known }
            let new = Member(name: account, role: .child, account: account)
            return try await clients.call(MemberAdd.self, new, timeout: timeout).member
        }
        guard member.account == account else {
            throw Problem(
                "protect.name_taken",
                """
                Another member of the household is already called \(account, "account"), so usage of this \
                account is not counted.
                """,
                help: "sudo screentime member account NAME \(account)"
            )
        }
        // A teacher may be in the same group.
        guard member.role == .child else { return .no }
        try await OwnThread.run("protect") {
            // Open only until the computer stops, because few of all accounts log in again on one day.
            try protection.startAccountService(uid, forGood: false)
            if !AccountGroup.contains(account, in: LoginCheck.group) {
                try protection.enableLoginCheck(of: account)
            }
            try GnomeSettingsLock(protection: protection).add(account)
        }
        return .done
    }
}
