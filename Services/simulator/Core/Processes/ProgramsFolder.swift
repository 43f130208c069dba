import Glibc
import STContracts
import STPlatform

/// Where the executables of the services lie.
package enum ProgramsFolder {
    /// The name of the environment variable that says so.
    package static let variable = "SCREENTIME_PROGRAMS"

    /// Beside that of whoever plays a simulation.
    package static func own() throws -> String {
        guard let folder = folder(of: "/proc/self/exe") else {
            throw Problem("simulation.no_programs", "Cannot read /proc/self/exe. Mount /proc, and try again.")
        }
        return folder
    }

    /// As the environment says, else beside whoever plays, else beside the `screentime` that is installed.
    package static func found() throws -> String {
        if let named = getenv(variable).map({ String(cString: $0) }), !named.isEmpty { return named }
        let own = try own()
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let installed = path.split(separator: ":").compactMap { folder(of: "\($0)/screentime") }
        guard let folder = ([own] + installed).first(where: hasServices) else {
            throw Problem(
                "simulation.no_programs",
                "The services are nowhere to be found: not beside \(own), nor beside a screentime in the PATH. "
                    + "Name their folder with \(variable), or play within the process."
            )
        }
        return folder
    }

    private static func hasServices(_ folder: String) -> Bool {
        SystemBackend.services.allSatisfy { access("\(folder)/\($0)", X_OK) == 0 }
    }

    /// Of the file itself, whatever links lead to it.
    private static func folder(of path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        let text = String(cString: real)
        return text.lastIndex(of: "/").map { String(text[..<$0]) }
    }
}
