import Glibc
import STCommandCore
import STContracts
import STPlatform

/// Enables and disables the protection of this computer, through systemd and PAM.
struct Protection: Sendable {
    static let target = UserUnits.target
    private static let pamProfile = "screentime"
    private static let timeout: Duration = .seconds(60)
    private static let startTimeout: Duration = .seconds(30)
    private static let agentTimeout: Duration = .seconds(5)

    let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    static func unitName(_ uid: UInt32) -> String { "screentime-door@\(uid)" }

    /// Throws if the computer or the account does not fulfil a requirement. The order is that in which a person can fulfil them.
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
                """
                Protection requires systemd, which is not running on this computer. Without protection, \
                Screen Time runs in each account.
                """
            )
        }
        guard access("\(ProtectedComputer.unitFolder)/\(Self.target)", F_OK) == 0 else {
            throw Problem(
                "protect.no_package",
                "Protection is part of the Debian package, which is not installed on this computer.",
                help: "scripts/package.sh, then apt install ./screentime_*.deb"
            )
        }
    }

    // MARK: - systemd

    @discardableResult
    func systemctl(_ arguments: [String]) throws(Problem) -> String {
        let run = try attempt("systemctl", ["--no-pager"] + arguments)
        guard run.status.isSuccess else {
            let words = arguments.joined(separator: " ")
            throw Problem(
                "system.systemctl_failed",
                "systemctl \(words, "arguments") failed: \(run.output.prefix(400), "output")",
                help: "systemctl status 'screentime*'"
            )
        }
        return run.output
    }

    /// Runs systemctl in the session of an account. Returns false if it has no session.
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

    /// Returns true if the account has a graphical session. A session over ssh has no desktop to observe.
    func hasDesktop(_ uid: UInt32) -> Bool {
        let script =
            "loginctl show-session \"$(loginctl show-user \(uid) --property Display --value)\" --property Type --value"
        let type = (try? attempt("sh", ["-c", script]))?.output.prefix { !$0.isWhitespace } ?? ""
        return type == "x11" || type == "wayland"
    }

    /// Returns true if the account's agent observes the screen. A new agent has some seconds to begin.
    ///
    /// The request is sent as the account itself, because an agent replies only to its own account.
    func isObserved(_ uid: UInt32) -> Bool {
        if queryObserved(uid) { return true }
        guard hasDesktop(uid) else { return false }
        let deadline = SuspendingClock.now + Self.agentTimeout
        while SuspendingClock.now < deadline {
            if queryObserved(uid) { return true }
        }
        return false
    }

    private func queryObserved(_ uid: UInt32) -> Bool {
        guard inSession(of: uid, ["is-active", "--quiet", ProtectedComputer.agent]) else { return false }
        let script =
            "\(UserUnits.shippedBinaries)/screentime bus call \(DesktopStatus.name) '{}' --to \(ServiceName.desktop) 2> /dev/null"
        let words = [
            "--reuid=\(uid)", "--regid=\(uid)", "--init-groups", "--reset-env", "--", "sh", "-c", script,
        ]
        guard let run = try? attempt("setpriv", words), run.status.isSuccess,
            let status = try? DesktopStatus.Reply.decodedBody(Array(run.output.utf8))
        else { return false }
        return status.isBlind != true && status.source != "none"
            && access(Directories.observationGapFile(uid), F_OK) != 0
    }

    func isActive(_ unit: String) -> Bool {
        (try? attempt("systemctl", ["is-active", "--quiet", unit]))?.status.isSuccess ?? false
    }

    func attempt(_ program: String, _ arguments: [String]) throws(Problem) -> ProgramRun {
        guard let path = ProgramRun.path(of: program, environment: environment) else {
            throw Problem(
                "program.missing",
                """
                The program \(program, "program") is not installed on this computer. Install it and try \
                again.
                """
            )
        }
        // Some programs run as a child's account, which must not have access to the administrator's terminal.
        return try ProgramRun.run(
            path,
            arguments,
            environment: environment,
            startsSession: true,
            timeout: Self.timeout
        )
    }

    /// The accounts that have a door, including doors that are closed at the moment.
    var protectedUIDs: [UInt32] {
        let wants = "/etc/systemd/system/\(Self.target).wants"
        let open = try? attempt(
            "systemctl",
            ["--no-pager", "--no-legend", "--plain", "list-units", "\(Self.unitName(0).dropLast())*.socket"]
        )
        let running = (open?.output ?? "").split(separator: "\n").compactMap {
            $0.split(separator: " ").first
        }
        let names = Set(((try? DirectoryTree.names(in: wants)) ?? []) + running.map(String.init))
        return names.compactMap { name in
            let start = Self.unitName(0).dropLast()
            guard name.hasPrefix(start), name.hasSuffix(".socket") else { return nil }
            return UInt32(name.dropFirst(start.count).dropLast(".socket".count))
        }.sorted()
    }

    // MARK: - On and off

    func startServices(takingOver account: String?) throws(Problem) {
        try run("systemd-sysusers", ["screentime.conf"])
        if let account { try adoptData(account) }
        let agent = "\(UserUnits.shippedBinaries)/\(ServiceName.desktop)"
        try run("chgrp", ["_screentime-agent", agent])
        try run("chmod", ["2755", agent])
        try systemctl(["daemon-reload"])
        try systemctl(["enable", Self.target])
        try systemctl(["start", Self.target])
    }

    func run(_ program: String, _ arguments: [String]) throws(Problem) {
        let run = try attempt(program, arguments)
        guard run.status.isSuccess else {
            throw Problem(
                "protect.not_prepared",
                "The protection could not be set up or changed: \(run.output, "output")"
            )
        }
    }

    /// Copies the people, rules and records of an account to the computer's services. The account keeps its copy.
    private func adoptData(_ account: String) throws(Problem) {
        guard let entry = getpwnam(account)?.pointee else {
            throw Problem("account.unknown", "This computer has no account \(account, "account").")
        }
        let (uid, from) = (entry.pw_uid, String(cString: entry.pw_dir) + "/.local/state/screentime")
        let to = Directories.protected.state
        guard access("\(from)/\(ServiceName.auth)", F_OK) == 0 else {
            throw Problem(
                "protect.nothing_to_take",
                "The account \(account, "account") has no Screen Time data of its own to take over.",
                help: "sudo screentime protect on --help"
            )
        }
        guard access("\(to)/\(ServiceName.auth)", F_OK) != 0 else {
            throw Problem(
                "protect.has_records",
                """
                This computer already has its own records and rules, in \(to, "to"). Omit --from, or move \
                that folder away.
                """
            )
        }
        inSession(of: uid, ["disable", "--now", UserUnits.target])
        inSession(of: uid, ["stop", "screentime-*.service"])
        guard try !attempt("pgrep", ["-u", "\(uid)", "-x", "\(ServiceName.auth)"]).status.isSuccess else {
            throw Problem(
                "protect.still_running",
                """
                Screen Time is still running in the account \(account, "account"), so its records cannot be \
                taken over. Stop it in that account first.
                """,
                help: "screentime system down"
            )
        }
        // The files are read as the account itself and without links, because services must not read the targets of links.
        let names = ServiceName.ofComputer.map { "\($0)" }.joined(separator: " ")
        let script = """
            set -euo pipefail
            trap 'rm -rf "$3.new"' EXIT
            rm -rf "$3.new"
            mkdir -m 700 "$3.new"
            services=$(cd "$2" && ls -d \(names) 2> /dev/null || true)
            runuser -u "$1" -- tar --create --directory "$2" $services | tar --extract --no-same-owner --directory "$3.new"
            find "$3.new" ! -type f ! -type d -delete
            mkdir -p -m 700 "$3"
            chown --recursive _screentime:_screentime "$3.new" "$3"
            mv "$3.new"/* "$3"
            """
        try run("bash", ["-c", script, "bash", account, from, to])
    }

    /// Opens the door of an account, and disables the account's own services.
    func startAccountService(_ uid: UInt32, forGood: Bool = true) throws(Problem) {
        if forGood { try systemctl(["enable", "\(Self.unitName(uid)).socket"]) }
        try systemctl(["start", "\(Self.unitName(uid)).socket", "\(Self.unitName(uid)).service"])
        inSession(of: uid, ["daemon-reload"])
        inSession(of: uid, ["disable", "--now", UserUnits.target])
        inSession(of: uid, ["restart", ProtectedComputer.agent])
    }

    func stopAccountService(_ uid: UInt32) throws(Problem) {
        inSession(of: uid, ["stop", ProtectedComputer.agent])
        try systemctl(["disable", "--now", "\(Self.unitName(uid)).socket"])
        try systemctl(["stop", "\(Self.unitName(uid)).service"])
    }

    // MARK: - Logins

    private static let doorSettings = "/etc/systemd/system/screentime-door@.service.d"
    private static let unseenFile = "\(doorSettings)/unseen.conf"
    private static let textBytesMax = 65_536

    static func text(of path: String) -> String {
        (try? AtomicFile.read(path, limitBytes: textBytesMax)).map { String(decoding: $0, as: UTF8.self) }
            ?? ""
    }

    /// The reaction of the doors to a child's screen that no agent observes.
    var unseen: UnobservedScreenPolicy {
        Self.text(of: Self.unseenFile).contains("=\(UnobservedScreenPolicy.lock)\n") ? .lock : .count
    }

    func set(_ unseen: UnobservedScreenPolicy) throws(Problem) {
        guard mkdir(Self.doorSettings, 0o755) == 0 || errno == EEXIST else { throw SystemError.last("mkdir") }
        let text = "[Service]\nEnvironment=\(UnobservedScreenPolicy.variable)=\(unseen)\n"
        try AtomicFile.write(Array(text.utf8), to: Self.unseenFile, mode: 0o644)
        try systemctl(["daemon-reload"])
        try systemctl(["try-restart", "\(Self.unitName(0).dropLast())*.service"])
    }

    /// Sets the accounts for which PAM checks if they may log in.
    func enableLoginChecks(of accounts: [String]) throws(Problem) {
        try run("gpasswd", ["--members", accounts.joined(separator: ","), LoginCheck.group])
        // If PAM cannot be configured, the rest of the protection works, and `status` reports the gap.
        _ = try attempt("pam-auth-update", ["--enable", Self.pamProfile])
    }

    func enableLoginCheck(of account: String) throws(Problem) {
        try run("gpasswd", ["--add", account, LoginCheck.group])
    }

    func disableLoginChecks() throws(Problem) {
        _ = try attempt("pam-auth-update", ["--disable", Self.pamProfile])
        _ = try attempt("gpasswd", ["--members", "", LoginCheck.group])
    }

    /// True if PAM checks logins. Debian does not change PAM's files if a person has edited them.
    var asksAtLogins: Bool {
        Self.text(of: "/etc/pam.d/common-account").contains("protect refuses")
    }

    func stopServices() throws(Problem) {
        try systemctl(["disable", "--now", Self.target])
        try systemctl(["stop", "screentime-*.socket", "screentime-*.service"])
        try DirectoryTree.remove("/run/screentime")
    }

    /// Waits until auth-service replies.
    static func wait(_ clients: ServiceClients) async throws -> MemberList.Reply {
        let deadline = SuspendingClock.now + startTimeout
        while true {
            do { return try await clients.call(MemberList.self, Empty(), timeout: .seconds(2)) } catch {
                guard SuspendingClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
