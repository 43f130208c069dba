import Glibc
import STCommandCore
import STPlatform

/// Prevents children's accounts from disabling the GNOME Shell extension.
///
/// dconf reads `/run/dconf/user/UID` before any profile that an account names. Each child has a profile there, with a database
/// whose values the account cannot change.
struct GnomeSettingsLock {
    private static let places = "/etc/tmpfiles.d/screentime.conf"
    private static let databases = "/etc/dconf/db"
    private static let computers = ["/etc/dconf/profile/user", "/usr/share/dconf/profile/user"]
    private static let profiles = "/run/dconf/user"
    private static let namesMax = 50

    let protection: Protection

    private func has(_ program: String) -> Bool {
        ProgramRun.path(of: program, environment: protection.environment) != nil
    }

    /// Describes the settings that a child could change because they are not locked. Returns `nil` if all are locked.
    func missing(_ children: [UInt32]) -> String? {
        guard has("gnome-shell") else { return nil }
        let isOpen = children.contains { uid in
            access("\(Self.profiles)/\(uid)", R_OK) != 0
                || access("\(Self.databases)/screentime-\(uid)", R_OK) != 0
        }
        guard isOpen else { return nil }
        return has("dconf")
            ? Speech.say(
                "protect.a-child-can-switch",
                "A child can switch off Screen Time in GNOME. To prevent this, run: sudo screentime protect on"
            )
            : Speech.say(
                "protect.a-child-can-switch-screen",
                """
                A child can switch off Screen Time in GNOME. To prevent this, run: sudo apt install \
                dconf-cli, and then sudo screentime protect on
                """
            )
    }

    /// Locks the settings of these accounts, and of no others, from their next login.
    func set(_ accounts: [String]) throws(Problem) {
        try remove()
        // Accounts read the written files, but the administrator's own mask may be stricter.
        umask(0o022)
        guard has("gnome-shell"), has("dconf") else { return }
        var lines = ["/run/dconf", Self.profiles].map { "d \($0) 0755 root root -" }
        for account in accounts {
            guard let uid = ProtectCommands.uid(of: account) else { continue }
            lines.append(try lock(account, uid))
        }
        try write(lines, to: Self.places)
        try protection.run("systemd-tmpfiles", ["--create", Self.places])
    }

    /// Locks the settings of one more account.
    func add(_ account: String) throws(Problem) {
        let known = Protection.text(of: Self.places).split(separator: "\n").map(String.init)
        guard !known.isEmpty, let uid = ProtectCommands.uid(of: account),
            !known.contains(where: { $0.contains(" \(Self.profiles)/\(uid) ") })
        else { return }
        umask(0o022)
        try write(known + [try lock(account, uid)], to: Self.places)
        try protection.run("systemd-tmpfiles", ["--create", Self.places])
    }

    /// Locks the settings of an account. Returns the line that installs its profile.
    private func lock(_ account: String, _ uid: UInt32) throws(Problem) -> String {
        let database = "\(Self.databases)/screentime-\(uid)"
        try write(Self.values(switchedOn(account)), to: "\(database).d/screentime")
        try write(Self.keys.map { "/org/gnome/shell/\($0)" }, to: "\(database).d/locks/screentime")
        try protection.run("dconf", ["compile", database, "\(database).d"])
        let text = Self.computers.lazy.map(Protection.text).first { !$0.isEmpty } ?? ""
        let profile = Self.profile(text, "screentime-\(uid)")
        return "f+ \(Self.profiles)/\(uid) 0644 root root - \(profile.joined(separator: "\\n"))"
    }

    func remove() throws(Problem) { try protection.run("/usr/lib/screentime/everywhere", ["unlock"]) }

    /// Returns the other enabled extensions, which stay enabled. The account controls how long this takes, so the time is
    /// limited.
    private func switchedOn(_ account: String) -> [String] {
        let script =
            "timeout --signal=KILL 5 runuser -u \"$1\" -- gsettings get org.gnome.shell enabled-extensions 2> /dev/null"
        guard let found = try? protection.attempt("sh", ["-c", script, "sh", account]),
            found.status.isSuccess
        else { return [] }
        let names = DesktopCommand.names(in: found.output).filter { name in
            name != DesktopCommand.uuid
                && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"'\"\\,[]".utf8.contains($0) }
        }
        return Array(names.prefix(Self.namesMax))
    }

    private static let keys = [
        "enabled-extensions", "disabled-extensions", "disable-user-extensions", "development-tools",
    ]

    /// Returns the values of the locked keys. Developer tools are disabled, because they run code within the Shell.
    static func values(_ names: [String]) -> [String] {
        let list = ([DesktopCommand.uuid] + names).map { "'\($0)'" }.joined(separator: ", ")
        let values = ["[\(list)]", "@as []", "false", "false"]
        return ["[org/gnome/shell]"] + zip(keys, values).map { "\($0)=\($1)" }
    }

    /// Returns the computer's own profile with the database at the end, because the lock of the last database applies.
    static func profile(_ text: String, _ database: String) -> [String] {
        let lines = text.split(separator: "\n").map { $0.filter { !$0.isWhitespace } }.filter { line in
            ["user-db:", "service-db:", "system-db:", "file-db:"].contains(where: line.hasPrefix)
        }
        return (lines.isEmpty ? ["user-db:user"] : lines) + ["system-db:\(database)"]
    }

    private func write(_ lines: [String], to path: String) throws(Problem) {
        try protection.run(
            "mkdir",
            ["--parents", String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])]
        )
        let text = lines.map { "\($0)\n" }.joined()
        try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644)
    }
}
