import Glibc
import STContracts
import STPlatform

/// Where the executables of the services lie.
enum ProgramsFolder {
    /// The folder of the running program.
    static func own() throws -> String {
        guard let real = realpath("/proc/self/exe", nil) else {
            throw Problem("simulation.no_programs", "Cannot read /proc/self/exe. Mount /proc, and try again.")
        }
        defer { free(real) }
        let text = String(cString: real)
        return text.lastIndex(of: "/").map { String(text[..<$0]) } ?? "/"
    }

    /// Preloaded into what apps start, so that their code sees the virtual clock.
    static let clockLibrary = "libscreentime-clock.so"

    /// The folder that is named, else that of the running program; refused when a service is not in it, or the library
    /// without which apps would see the real time.
    static func checked(_ named: String?) throws -> String {
        let folder = try named ?? own()
        let needed = SystemBackend.services.map(\.rawValue) + [clockLibrary]
        let missing = needed.filter { access("\(folder)/\($0)", $0 == clockLibrary ? R_OK : X_OK) != 0 }
        guard missing.isEmpty else {
            throw Problem(
                "simulation.no_programs",
                "These programs are not in \(folder): \(missing.joined(separator: ", ")). Build Screen "
                    + "Time with `scripts/run-all.sh` or `swift build`, or play within one process."
            )
        }
        return folder
    }
}
