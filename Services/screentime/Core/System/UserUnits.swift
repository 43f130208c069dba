import Glibc
import STPlatform

/// The systemd of this user, and the files that it reads.
struct UserUnits: Sendable {
    static let target = "screentime.target"
    private static let deadlineMs: Int64 = 60_000

    let environment: [String: String]

    /// Nil without a home.
    var folder: String? {
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/systemd/user" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return (home == "/" ? "" : home) + "/.config/systemd/user"
    }

    var isInstalled: Bool { folder.map { FileTree.exists("\($0)/\(Self.target)") } ?? false }

    var isActive: Bool {
        guard let run = try? systemctl(["is-active", "--quiet", Self.target]) else { return false }
        return run.status.isSuccess
    }

    /// Throws, with what to do instead, when this user has no systemd that answers.
    func requireReachable() throws(Problem) {
        let run = try systemctl(["show", "--property=Version"])
        guard !run.status.isSuccess else { return }
        throw Problem(
            "system.no_user_systemd",
            "No systemd answers for this user here (\(run.output.trimmed)). There is one after a login on a machine that "
                + "runs systemd; a container and `su` have none.",
            help: "screentime system up --detach"
        )
    }

    @discardableResult
    func call(_ arguments: [String]) throws(Problem) -> String {
        let run = try systemctl(arguments)
        guard run.status.isSuccess else {
            throw Problem(
                "system.systemctl_failed",
                "systemctl --user \(arguments.joined(separator: " ")) failed: \(run.output.trimmed)",
                help: "systemctl --user status 'screentime*'"
            )
        }
        return run.output
    }

    /// One word per unit, such as `active`; asking about a failed one is no failure.
    func states(of names: [String]) -> [String] {
        guard let run = try? systemctl(["is-active"] + names) else { return names.map { _ in "unknown" } }
        return run.output.split(separator: "\n").map(String.init)
    }

    private func systemctl(_ arguments: [String]) throws(Problem) -> ProgramRun {
        guard let path = ProgramRun.path(of: "systemctl", environment: environment) else {
            throw Problem(
                "system.no_user_systemd",
                "This machine has no systemctl, so systemd cannot start the services at login.",
                help: "screentime system up --detach"
            )
        }
        return try ProgramRun.run(
            path,
            ["--user", "--no-pager"] + arguments,
            environment: environment,
            deadlineMs: Self.deadlineMs
        )
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return String(text)
    }
}
