import Glibc
import STContracts
package import STPlatform

/// Where one system's sockets, databases and executables are: a person's own, or a demonstration's beside it.
package struct SystemPlaces: Sendable {
    package var directories: Directories
    /// The folder of the running `screentime`, where the services' executables lie too.
    package var binaries: String
    package var isDemo: Bool

    package init(_ invocation: Invocation) throws(Problem) {
        try self.init(invocation, isDemo: invocation.has("--demo"))
    }

    init(_ invocation: Invocation, isDemo: Bool) throws(Problem) {
        self.isDemo = isDemo
        directories = Self.directories(invocation, isDemo: isDemo)
        binaries = FileTree.parent(of: try Self.executable())
    }

    /// The path of this program, however it was called.
    package static func executable() throws(Problem) -> String {
        if let own = ProcFile.ownExecutable() { return own }
        throw Problem("system.no_executable", "Cannot read /proc/self/exe. Mount /proc, and try again.")
    }

    /// A directory that the environment names is used as it is; a demonstration has its own beside the usual ones.
    private static func directories(_ invocation: Invocation, isDemo: Bool) -> Directories {
        var result = invocation.directories
        guard isDemo else { return result }
        if invocation.environment["SCREENTIME_RUN", default: ""].isEmpty { result.run += "-demo" }
        if invocation.environment["SCREENTIME_STATE", default: ""].isEmpty { result.state += "-demo" }
        return result
    }

    // MARK: - Files

    package var lockPath: String { directories.run + "/supervisor.lock" }

    /// Where a system in the background writes.
    package var outputPath: String { directories.log(service: "system") }

    /// Its presence says that the databases beside it are made up.
    private var demoMark: String { directories.state + "/demonstration" }

    /// Where the desktop entries of the made-up household's apps are, below `applications`.
    package var demoData: String { directories.state + "/share" }

    func executable(of service: ServiceName) -> String { "\(binaries)/\(service)" }

    package var isMarkedDemo: Bool { FileTree.exists(demoMark) }

    /// Keeps made-up days out of a person's own ledger, and the other way round.
    package func checkKind() throws(Problem) {
        let isMarked = isMarkedDemo
        let hasData = ServiceName.all.contains {
            access(directories.database(service: $0.rawValue), F_OK) == 0
        }
        if isDemo && hasData && !isMarked {
            throw Problem(
                "system.not_a_demo",
                """
                \(directories.state, "state") contains your own data, and a demonstration would mix sample days \
                into it. Set SCREENTIME_STATE to another folder, or unset it.
                """,
                help: "unset SCREENTIME_STATE SCREENTIME_RUN"
            )
        }
        if !isDemo && isMarked {
            throw Problem(
                "system.is_demo",
                """
                \(directories.state, "state") contains a demonstration. Start Screen Time with --demo, or \
                set SCREENTIME_STATE to another folder.
                """,
                help: "screentime system up --demo"
            )
        }
        guard isDemo else { return }
        try Directories.prepare(directories.state)
        try DemoApps.write(to: demoData)
        try AtomicFile.write(
            Array("The days in these databases are made up.\n".utf8),
            to: demoMark,
            durable: false
        )
    }

    // MARK: - For people

    /// What a new shell must export to reach this system; nil where it needs nothing.
    package func exports(_ environment: [String: String]) -> String? {
        var plain = environment
        for name in ["SCREENTIME_RUN", "SCREENTIME_STATE", "SCREENTIME_CONFIG"] { plain[name] = nil }
        let usual = try? Directories.from(environment: plain)
        var parts: [String] = []
        if usual?.run != directories.run {
            parts.append("SCREENTIME_RUN=\(ShellText.quoted(directories.run))")
        }
        if usual?.state != directories.state {
            parts.append("SCREENTIME_STATE=\(ShellText.quoted(directories.state))")
        }
        return parts.isEmpty ? nil : "export " + parts.joined(separator: " ")
    }

    /// How the command is typed here: a script that started us from a source tree says so.
    package static func commandName(_ environment: [String: String]) -> String {
        environment["SCREENTIME_COMMAND"].flatMap { $0.isEmpty ? nil : $0 } ?? "screentime"
    }
}
