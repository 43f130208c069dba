import Glibc
import STContracts
import STPlatform

/// A protected computer: the services run under an account of their own, and each person's account reaches them through a door.
struct Protection: Sendable {
    static let agent = "screentime-agent.service"
    static let unitFolder = "/usr/lib/systemd/system"
    static let target = UserUnits.target
    private static let pamProfile = "screentime"
    private static let deadlineMs: Int64 = 60_000
    private static let startMs: Int64 = 30_000

    let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    static var isOn: Bool { access(Directories.protected.run, F_OK) == 0 }

    static func door(_ uid: UInt32) -> String { "screentime-door@\(uid)" }

    /// Refuses what this computer or this account cannot do, in the order in which a person can mend it.
    func require() throws(Problem) {
        guard geteuid() == 0 else {
            throw Problem(
                "protect.needs_root",
                "Only the administrator of this computer can do that.",
                help: "sudo screentime protect …"
            )
        }
        guard access("/run/systemd/system", F_OK) == 0 else {
            throw Problem(
                "protect.no_systemd",
                "Protection needs systemd, which does not run this computer. Without it Screen Time runs in each account."
            )
        }
        guard access("\(Self.unitFolder)/\(Self.target)", F_OK) == 0 else {
            throw Problem(
                "protect.no_package",
                "Protection comes with Debian's package, which is not installed here.",
                help: "scripts/package.sh, then apt install ./screentime_*.deb"
            )
        }
    }

    // MARK: - systemd

    @discardableResult
    func systemctl(_ arguments: [String]) throws(Problem) -> String {
        let run = try attempt("systemctl", ["--no-pager"] + arguments)
        guard run.status.isSuccess else {
            throw Problem(
                "system.systemctl_failed",
                "systemctl \(arguments.joined(separator: " ")) failed: \(run.output.prefix(400))",
                help: "systemctl status 'screentime*'"
            )
        }
        return run.output
    }

    /// In the session of an account, where it has one.
    @discardableResult
    func inSession(of uid: UInt32, _ arguments: [String]) -> Bool {
        guard isLoggedIn(uid) else { return false }
        let run = try? attempt(
            "systemctl",
            ["--no-pager", "--user", "--machine", "\(uid)@.host"] + arguments
        )
        return run?.status.isSuccess ?? false
    }

    func isLoggedIn(_ uid: UInt32) -> Bool { isActive("user@\(uid).service") }

    func isActive(_ unit: String) -> Bool {
        (try? attempt("systemctl", ["is-active", "--quiet", unit]))?.status.isSuccess ?? false
    }

    func attempt(_ program: String, _ arguments: [String]) throws(Problem) -> ProgramRun {
        guard let path = ProgramRun.path(of: program, environment: environment) else {
            throw Problem("program.missing", "This computer has no \(program).")
        }
        return try ProgramRun.run(
            path,
            arguments,
            environment: environment,
            deadlineMs: Self.deadlineMs
        )
    }

    /// The accounts that have a door, also one that is closed at the moment.
    var doors: [UInt32] {
        let wants = "/etc/systemd/system/\(Self.target).wants"
        return ((try? DirectoryTree.names(in: wants)) ?? []).compactMap { name in
            let start = Self.door(0).dropLast()
            guard name.hasPrefix(start), name.hasSuffix(".socket") else { return nil }
            return UInt32(name.dropFirst(start.count).dropLast(".socket".count))
        }.sorted()
    }

    // MARK: - On and off

    func startServices() throws(Problem) {
        try Self.succeed(attempt("systemd-sysusers", ["screentime.conf"]))
        let agent = "\(UserUnits.shippedBinaries)/\(ServiceName.desktop)"
        try Self.succeed(attempt("chgrp", ["_screentime-agent", agent]))
        try Self.succeed(attempt("chmod", ["2755", agent]))
        try systemctl(["daemon-reload"])
        try systemctl(["enable", Self.target])
        try systemctl(["start", Self.target])
    }

    private static func succeed(_ run: ProgramRun) throws(Problem) {
        guard run.status.isSuccess else {
            throw Problem("protect.not_prepared", "The computer could not be prepared: \(run.output)")
        }
    }

    /// The account's own Screen Time gives way.
    func open(_ uid: UInt32) throws(Problem) {
        try systemctl(["enable", "\(Self.door(uid)).socket"])
        try systemctl(["start", "\(Self.door(uid)).socket", "\(Self.door(uid)).service"])
        inSession(of: uid, ["daemon-reload"])
        inSession(of: uid, ["disable", "--now", UserUnits.target])
        inSession(of: uid, ["restart", Self.agent])
    }

    func close(_ uid: UInt32) throws(Problem) {
        inSession(of: uid, ["stop", Self.agent])
        try systemctl(["disable", "--now", "\(Self.door(uid)).socket"])
        try systemctl(["stop", "\(Self.door(uid)).service"])
    }

    // MARK: - The login

    private static let doorSettings = "/etc/systemd/system/screentime-door@.service.d"
    private static let unseenFile = "\(doorSettings)/unseen.conf"
    private static let textBytesMax = 65_536

    private static func text(of path: String) -> String {
        (try? AtomicFile.read(path, limitBytes: textBytesMax)).map { String(decoding: $0, as: UTF8.self) }
            ?? ""
    }

    /// What the doors do about a child's screen that nothing sees.
    var unseen: UnseenScreen {
        Self.text(of: Self.unseenFile).contains("=\(UnseenScreen.lock)\n") ? .lock : .count
    }

    func set(_ unseen: UnseenScreen) throws(Problem) {
        guard mkdir(Self.doorSettings, 0o755) == 0 || errno == EEXIST else { throw SystemError.last("mkdir") }
        let text = "[Service]\nEnvironment=\(UnseenScreen.variable)=\(unseen)\n"
        try AtomicFile.write(Array(text.utf8), to: Self.unseenFile, mode: 0o644)
        try systemctl(["daemon-reload"])
        try systemctl(["try-restart", "\(Self.door(0).dropLast())*.service"])
    }

    /// PAM asks for these accounts from now on whether they may log in, and for no others.
    func closeLogins(of accounts: [String]) throws(Problem) {
        try Self.succeed(attempt("gpasswd", ["--members", accounts.joined(separator: ","), LoginDoor.group]))
        // Where it cannot, the rest of the protection holds, and the state names it as missing.
        _ = try attempt("pam-auth-update", ["--enable", Self.pamProfile])
    }

    func openLogins() throws(Problem) {
        _ = try attempt("pam-auth-update", ["--disable", Self.pamProfile])
        _ = try attempt("gpasswd", ["--members", "", LoginDoor.group])
    }

    /// Debian leaves PAM's files alone where a person has changed them.
    var asksAtLogins: Bool {
        Self.text(of: "/etc/pam.d/common-account").contains(LoginDoor.command.words.joined(separator: " "))
    }

    func stopServices() throws(Problem) {
        try systemctl(["disable", "--now", Self.target])
        try systemctl(["stop", "screentime-*.socket", "screentime-*.service"])
        try DirectoryTree.remove("/run/screentime")
    }

    /// Waits until auth-service answers.
    static func wait(_ clients: ServiceClients) async throws -> MemberList.Reply {
        let deadline = Stopwatch.milliseconds() + startMs
        while true {
            do { return try await clients.call(MemberList.self, Empty(), timeoutMs: 2_000) } catch {
                guard Stopwatch.milliseconds() < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
