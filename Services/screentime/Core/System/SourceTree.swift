import Glibc
package import STPlatform

/// The source tree that holds the running command, if there is one.
///
/// `scripts/run-all.sh` builds only what it starts. The command builds any other program when it is first needed.
package enum SourceTree {
    private static let buildTimeout: Duration = .seconds(60 * 30)

    /// The programs of the set `developer` in Package.swift that `simulate`, `app try` and the example apps start.
    private static let developerPrograms = [
        "simulator", "simulated-monitor", "promise", "libscreentime-clock.so",
    ]

    package static func buildDeveloperPrograms(_ terminal: Terminal) throws(Problem) {
        try buildOfKit(developerPrograms, as: ["developer"], terminal)
    }

    /// Builds missing programs of the developer kit. Does nothing if the source tree does not contain the kit.
    static func buildOfKit(_ programs: [String], as targets: [String]? = nil, _ terminal: Terminal)
        throws(Problem)
    {
        guard let folder = ProcFile.ownFolder(), let script = buildScript(for: folder),
            FileTree.exists(FileTree.parent(of: script) + "/../Services/developer-kit")
        else { return }
        try build(programs, as: targets, in: folder, terminal)
    }

    /// Builds `targets` of Package.swift, by default those named like the programs, if a program is missing from `folder`.
    ///
    /// Does nothing in an installed package, which has all its programs.
    static func build(
        _ programs: [String],
        as targets: [String]? = nil,
        in folder: String,
        _ terminal: Terminal
    ) throws(Problem) {
        let names = targets ?? programs
        let isMissing = programs.contains { access("\(folder)/\($0)", X_OK) != 0 }
        guard isMissing, let script = buildScript(for: folder) else { return }
        let list = names.joined(separator: Speech.say("system.and", " and "))
        terminal.note(
            Speech.say("system.building-for-the-first", "Building \(list, "names") for the first use.")
        )
        let process = try SpawnedProcess(
            SpawnPlan(executable: script, arguments: names, environment: ProcessEnvironment.current())
        )
        guard process.wait(deadlineMs: buildTimeout.ms)?.isSuccess == true else {
            process.signalGroup(SIGTERM)
            throw Problem(
                "source.not_built",
                "\(list, "names") could not be built. The compiler's errors are above.",
                help: "scripts/build.sh \(names.joined(separator: " "))"
            )
        }
    }

    /// Returns `scripts/build.sh` if the folder is `.build/TRIPLE/debug` of a source tree.
    private static func buildScript(for folder: String) -> String? {
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
        guard let build = parts.lastIndex(of: ".build"), parts.last == "debug" else { return nil }
        let script = (parts[..<build] + ["scripts", "build.sh"]).joined(separator: "/")
        return access(script, X_OK) == 0 ? script : nil
    }
}
