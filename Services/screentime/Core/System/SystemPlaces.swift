import Glibc
import STContracts
package import STPlatform

/// The directories of a system's sockets, databases and programs. A demonstration has separate ones.
package struct SystemPlaces: Sendable {
    package var directories: Directories
    /// The folder of the running `screentime` and of the services' programs.
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

    /// The path of this program, regardless of the name by which it was started.
    package static func executable() throws(Problem) -> String {
        if let own = ProcFile.ownExecutable() { return own }
        throw Problem("system.no_executable", "Cannot read /proc/self/exe. Mount /proc, and try again.")
    }

    /// Returns the directories. A demonstration has its own, except for those that the environment sets.
    private static func directories(_ invocation: Invocation, isDemo: Bool) -> Directories {
        var result = invocation.directories
        guard isDemo else { return result }
        if invocation.environment["SCREENTIME_RUN", default: ""].isEmpty { result.run += "-demo" }
        if invocation.environment["SCREENTIME_STATE", default: ""].isEmpty { result.state += "-demo" }
        return result
    }

    // MARK: - Files

    package var lockPath: String { directories.run + "/supervisor.lock" }

    /// The output file of a system in the background.
    package var outputPath: String { directories.log(service: "system") }

    /// A file whose presence marks the databases of this directory as a demonstration.
    private var demoMark: String { directories.state + "/demonstration" }

    /// The folder for the desktop entries of the demonstration's apps, which are in its subfolder `applications`.
    package var demoData: String { directories.state + "/share" }

    func executable(of service: ServiceName) -> String { "\(binaries)/\(service)" }

    package var isMarkedDemo: Bool { FileTree.exists(demoMark) }

    /// Throws if a demonstration would use a person's records, or the other way round.
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

    // MARK: - Texts

    /// Returns the variables that a new shell must export to reach this system. Returns `nil` if none are needed.
    package func exports(_ environment: [String: String]) -> String? {
        var plain = environment
        for name in ["SCREENTIME_RUN", "SCREENTIME_STATE", "SCREENTIME_CONFIG"] { plain[name] = nil }
        let usual = try? Directories.from(environment: plain)
        var parts: [String] = []
        if usual?.run != directories.run {
            parts.append("SCREENTIME_RUN=\(ShellText.quote(directories.run))")
        }
        if usual?.state != directories.state {
            parts.append("SCREENTIME_STATE=\(ShellText.quote(directories.state))")
        }
        return parts.isEmpty ? nil : "export " + parts.joined(separator: " ")
    }

    /// Returns the command's name as typed here. A script that starts it from a source tree sets the variable.
    package static func commandName(_ environment: [String: String]) -> String {
        environment["SCREENTIME_COMMAND"].flatMap { $0.isEmpty ? nil : $0 } ?? "screentime"
    }
}
