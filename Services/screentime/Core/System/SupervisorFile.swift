import FoundationEssentials
import STPlatform

/// What `supervisor.json` says about a system that somebody else started.
struct SupervisorFile: Decodable, Sendable {
    struct Service: Decodable, Sendable {
        var name: String
        var state: String
        var pid: Int32?
        var restarts: Int?
    }

    var pid: Int32
    var demo: Bool
    var services: [Service]

    private static let bytesMax = 1 << 20

    /// Nil when there is none, or when it is being replaced by one of a version that we cannot read.
    static func read(_ places: SystemPlaces) -> SupervisorFile? {
        guard let bytes = try? AtomicFile.read(places.reportPath, limitBytes: bytesMax) else { return nil }
        return try? JSONDecoder().decode(SupervisorFile.self, from: Data(bytes))
    }
}
