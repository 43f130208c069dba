import Glibc
import STContracts
import STPlatform

/// `system enable` and `system disable`: sets whether systemd starts the services at login.
struct SystemEnable: Sendable {
    private static let settlingTimeout: Duration = .seconds(5)

    let places: SystemPlaces
    let terminal: Terminal
    let units: UserUnits
    let environment: [String: String]

    init(_ invocation: Invocation) throws(Problem) {
        places = try SystemPlaces(invocation)
        terminal = invocation.terminal
        environment = invocation.environment
        units = UserUnits(environment: environment)
    }

    // MARK: - Enable

    func printUnits(packaged: Bool) throws -> ExitCode {
        func texts(_ folder: String, _ files: [UnitFile]) -> [String] {
            files.map { "# \(folder)/\($0.name)\n\($0.text)" }
        }
        var all: [String] = []
        if packaged {
            let each = try UnitTemplates(packagedFrom: places.binaries, isProtected: false)
            let protected = try UnitTemplates(packagedFrom: places.binaries, isProtected: true)
            all += texts(UserUnits.shippedFolder, try each.files() + [protected.agent()])
            all += texts(ProtectedComputer.unitFolder, try protected.files())
        } else {
            all = texts(try folder(), try UnitTemplates(places, environment: environment).files())
        }
        terminal.write(String(all.joined(separator: "\n").dropLast()))
        return .done
    }

    func enable() throws -> ExitCode {
        let folder = try folder()
        try refuse()
        try units.requireReachable()
        let programs = (ServiceName.all + ServiceName.ofHousehold).map(\.rawValue) + ["console"]
        try SourceTree.build(programs, in: places.binaries, terminal)
        let isShipped = units.arePackaged(places)
        let files = isShipped ? [] : try UnitTemplates(places, environment: environment).files()
        try NetworkFolder.refuse(places.directories.state)
        try Directories.prepare(places.directories.state)
        do {
            // Units of a source tree would take precedence over those of the package.
            if isShipped {
                for path in written().map({ "\(folder)/\($0)" }) + [listPath] {
                    try DirectoryTree.remove(path)
                }
            }
            try write(files, folder)
            try units.call(["daemon-reload"])
            try units.importEnvironment()
            try units.call(["enable", "--now", UserUnits.target])
        } catch {
            // An incomplete set of units would start only some services at the next login.
            _ = try? disable()
            throw error
        }
        let place = isShipped ? UserUnits.shippedFolder : folder
        terminal.write(
            Speech.say(
                "system.from-now-on-systemd",
                "From now on, systemd starts Screen Time at every login. Its units are in \(place, "place")"
            )
        )
        return showStates()
    }

    private func showStates() -> ExitCode {
        let names = ServiceName.all.map { "screentime-\($0).service" }
        var failing: [(String, String)] = []
        // A new session restarts desktop-agent during this time.
        let deadline = SuspendingClock.now + Self.settlingTimeout
        repeat {
            failing = zip(names, units.states(of: names)).filter { $0.1 != "active" }
            guard failing.contains(where: { $0.1 != "failed" }) else { break }
            _ = poll(nil, 0, 100)
        } while SuspendingClock.now < deadline
        for (name, state) in failing {
            terminal.note("\(name) is \(state)\n  try: journalctl --user --unit \(name)")
        }
        if failing.isEmpty { terminal.write("  try    \(SystemPlaces.commandName(environment)) status") }
        return failing.isEmpty ? .done : .no
    }

    private func refuse() throws(Problem) {
        if let pid = InstanceLock.holder(path: places.lockPath) {
            throw Problem(
                "system.already_running",
                "Process \(pid, "pid") is running Screen Time with the same folders. Stop it first.",
                key: "system.already_running.process-runs-screen",
                help: "screentime system down",
                details: ["pid": String(pid)]
            )
        }
    }

    // MARK: - Disable

    func disable() throws -> ExitCode {
        let folder = try folder()
        let names = Set(written() + expected()).sorted().filter { FileTree.exists("\(folder)/\($0)") }
        guard !names.isEmpty || units.isInstalled else {
            terminal.write(
                Speech.say(
                    "system.nothing-was-enabled-there",
                    "Screen Time was not enabled: \(folder, "folder") contains none of its units."
                )
            )
            try DirectoryTree.remove(listPath)
            return .done
        }
        // The files are removed even if systemd does not respond.
        let isReachable = (try? units.requireReachable()) != nil
        if isReachable { try units.call(["disable", "--now", UserUnits.target]) }
        for name in names { try DirectoryTree.remove("\(folder)/\(name)") }
        try DirectoryTree.remove("\(folder)/default.target.wants/\(UserUnits.target)")
        if isReachable { try units.call(["daemon-reload"]) }
        try DirectoryTree.remove(listPath)
        try removeSockets()
        terminal.write(
            Speech.say(
                "system.screen-time-no-longer",
                "Screen Time no longer starts at login. Your records stay in \(places.directories.state, "state")."
            )
        )
        return .done
    }

    /// Removes the folders of the sockets, which systemd would leave. The folder of a running service stays.
    private func removeSockets() throws {
        let run = places.directories.run
        for service in ServiceName.all + ServiceName.ofHousehold
        where InstanceLock.holder(path: "\(run)/\(service)/lock") == nil {
            try DirectoryTree.remove("\(run)/\(service)")
        }
        if FileTree.exists(run), try DirectoryTree.names(in: run).isEmpty { try DirectoryTree.remove(run) }
    }

    // MARK: - Files

    /// The file with the names of the written units. A later version uses it to remove the units of an earlier one.
    private var listPath: String { places.directories.state + "/units" }

    private func write(_ files: [UnitFile], _ folder: String) throws(Problem) {
        try FileTree.makeFolder(folder)
        let names = Set(files.map(\.name) + written()).sorted()
        guard !names.isEmpty else { return }
        // The list is written first. A listed file that does not exist does no harm, but an unlisted one would stay forever.
        try AtomicFile.write(Array((names.joined(separator: "\n") + "\n").utf8), to: listPath)
        for file in files {
            try AtomicFile.write(Array(file.text.utf8), to: "\(folder)/\(file.name)", mode: 0o644)
        }
    }

    private func written() -> [String] {
        guard let bytes = try? AtomicFile.read(listPath, limitBytes: 64 * 1024) else { return [] }
        // Names of other programs are ignored, because other programs can write to the list.
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("screentime") && !$0.contains("/") }
    }

    private func expected() -> [String] {
        [UserUnits.target]
            + (ServiceName.all + ServiceName.ofHousehold).flatMap { name in
                [
                    "screentime-\(name).service", "screentime-\(name)-rpc.socket",
                    "screentime-\(name)-events.socket",
                ]
            }
    }

    private func folder() throws(Problem) -> String {
        guard let folder = units.folder else {
            throw Problem(
                "path.no_home",
                """
                HOME is not set, so Screen Time cannot find the folder for your systemd units. Set HOME, and \
                try again.
                """,
                key: "path.no_home.home-is-not-set"
            )
        }
        return folder
    }
}

/// The systemd user manager and its unit files.
package struct UserUnits: Sendable {
    package static let target = "screentime.target"
    /// The folders in which Debian's package installs units and their programs.
    package static let shippedFolder = "/usr/lib/systemd/user"
    package static let shippedBinaries = "/usr/lib/screentime/bin"
    private static let timeout: Duration = .seconds(60)
    /// The variables that deploy/desktop/session also passes to systemd at each login.
    private static let ofDesktop = [
        "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "SWAYSOCK", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE",
    ]

    let environment: [String: String]

    /// The folder for units. `nil` without a home directory.
    var folder: String? {
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/systemd/user" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return (home == "/" ? "" : home) + "/.config/systemd/user"
    }

    /// True if units were written for this account, or if the package's units are enabled for it.
    var isInstalled: Bool {
        let names = [Self.target, "default.target.wants/\(Self.target)"]
        return folder.map { folder in names.contains { FileTree.exists("\(folder)/\($0)") } } ?? false
    }

    /// Returns true if the package's own units can start this system. They support only the default folders.
    func arePackaged(_ places: SystemPlaces) -> Bool {
        guard places.binaries == Self.shippedBinaries, let home = environment["HOME"],
            FileTree.exists("\(Self.shippedFolder)/\(Self.target)")
        else { return false }
        return places.directories.state == home + "/.local/state/screentime"
            && places.directories.config == home + "/.config/screentime/config"
            && places.directories.run == (environment["XDG_RUNTIME_DIR"] ?? "") + "/screentime"
    }

    var isActive: Bool {
        guard let run = try? systemctl(["is-active", "--quiet", Self.target]) else { return false }
        return run.status.isSuccess
    }

    /// Throws a problem with a remedy if the user manager does not respond.
    func requireReachable() throws(Problem) {
        let run = try systemctl(["show", "--property=Version"])
        guard !run.status.isSuccess else { return }
        throw Problem(
            "system.no_user_systemd",
            """
            The systemd user manager does not respond (\(run.output.trimmed, "reason")). It runs after a \
            login on a computer with systemd, but not in a container or under `su`.
            """,
            help: "screentime system up --detach"
        )
    }

    @discardableResult
    func call(_ arguments: [String]) throws(Problem) -> String {
        let run = try systemctl(arguments)
        guard run.status.isSuccess else {
            let words = arguments.joined(separator: " ")
            throw Problem(
                "system.systemctl_failed",
                "systemctl --user \(words, "arguments") failed: \(run.output.trimmed, "output")",
                key: "system.systemctl_failed.of-a-user",
                help: "systemctl --user status 'screentime*'"
            )
        }
        return run.output
    }

    /// Passes the desktop's variables to systemd, which starts before it. Not every desktop passes them.
    func importEnvironment() throws(Problem) {
        let names = Self.ofDesktop.filter { !environment[$0, default: ""].isEmpty }
        if !names.isEmpty { try call(["import-environment"] + names) }
    }

    /// Returns one word per unit, for example `active`. Does not throw for a failed unit.
    func states(of names: [String]) -> [String] {
        guard let run = try? systemctl(["is-active"] + names) else { return names.map { _ in "unknown" } }
        return run.output.split(separator: "\n").map(String.init)
    }

    private func systemctl(_ arguments: [String]) throws(Problem) -> ProgramRun {
        guard let path = ProgramRun.path(of: "systemctl", environment: environment) else {
            throw Problem(
                "system.no_user_systemd",
                "This computer has no systemctl, so systemd cannot start the services at login.",
                key: "system.no_user_systemd.this-machine-has",
                help: "screentime system up --detach"
            )
        }
        return try ProgramRun.run(
            path,
            ["--user", "--no-pager"] + arguments,
            environment: environment,
            timeout: Self.timeout
        )
    }
}
