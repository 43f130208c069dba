import Glibc
import STContracts
import STPlatform

/// `--fresh`: forgets everything that this system has recorded, and nothing else that lies in the same directory.
struct FreshStart {
    let places: SystemPlaces
    let terminal: Terminal
    /// Whether somebody said yes beforehand.
    let isAgreed: Bool

    func run() throws {
        let paths = known.filter(FileTree.exists)
        guard !paths.isEmpty else { return }
        try agree(paths)
        for path in paths { try DirectoryTree.remove(path) }
        terminal.note("Removed \(paths.count) of our own in \(places.directories.state).")
    }

    /// The directories of the services and the logs, by name: what else lies there is somebody else's.
    private var known: [String] {
        let directories = ServiceName.all.map { "\(places.directories.state)/\($0)" }
        let writers = ServiceName.all.map(\.rawValue) + ["supervisor", "system"]
        let logs = writers.map { places.directories.log(service: $0) }
        return directories + logs + logs.map { $0 + ".1" }
    }

    private func agree(_ paths: [String]) throws(Problem) {
        if isAgreed || places.isDemo { return }
        let hint = "screentime system up --fresh --yes"
        guard isatty(STDIN_FILENO) == 1, terminal.isTerminal else {
            throw Problem(
                "usage.not_agreed",
                "--fresh removes all that was recorded; say --yes to mean it.",
                help: hint
            )
        }
        terminal.note("This removes all that was recorded, for good:")
        for path in paths { terminal.note("  " + path) }
        terminal.note("Type yes to go on:")
        guard readLine(strippingNewline: true) == "yes" else {
            throw Problem("system.not_agreed", "Nothing was removed and nothing was started.", help: hint)
        }
    }
}
