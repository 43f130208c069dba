import FoundationEssentials
import Glibc
package import STPlatform

/// What the supervisor wrote down about itself and its services.
package struct SupervisorFile: Sendable, Decodable {
    package struct Service: Sendable, Decodable {
        package var name: String
        package var state: String
        package var pid: Int64?
        package var restarts: Int64?
        package var lastExit: String?
        package var failure: String?
        package var status: String?

        private enum CodingKeys: String, CodingKey {
            case name, state, pid, restarts, failure, status
            case lastExit = "last_exit"
        }
    }

    package var pid: Int32
    package var startedAt: String
    package var isDemo: Bool
    package var services: [Service]

    private enum CodingKeys: String, CodingKey {
        case pid, services
        case startedAt = "started_at"
        case isDemo = "demo"
    }

    private static let bytesMax = 256 * 1024

    /// Nil when no supervisor runs: a file left behind by one that was killed says nothing about now.
    package static func read(_ directories: Directories) -> SupervisorFile? {
        guard let bytes = try? AtomicFile.read(directories.run + "/supervisor.json", limitBytes: bytesMax),
            let file = parse(bytes), isAlive(file.pid)
        else { return nil }
        return file
    }

    package static func parse(_ bytes: [UInt8]) -> SupervisorFile? {
        try? JSONDecoder().decode(SupervisorFile.self, from: Data(bytes))
    }

    package func service(_ name: String) -> Service? { services.first { $0.name == name } }

    private static func isAlive(_ pid: Int32) -> Bool { pid > 0 && (kill(pid, 0) == 0 || errno == EPERM) }
}
