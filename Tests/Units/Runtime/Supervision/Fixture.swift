import Glibc
import STPlatform
import STSupervision
import STTestSupport
import Synchronization

/// A supervisor in a scratch directory. Its services are small scripts.
final class Fixture: Sendable {
    private struct Line: Sendable {
        var service: String
        var text: String
    }

    let directories: Directories
    let supervisor: Supervisor
    private let lines: LineCollector

    /// Collects the lines from the supervisor's sink, as a merged log does.
    private final class LineCollector: Sendable {
        let lines = Mutex<[Line]>([])
    }

    init(
        _ scratch: ScratchDirectory,
        _ specs: [ServiceSpec],
        options: SupervisorOptions = SupervisorOptions()
    ) throws {
        directories = scratch.directories
        let lines = LineCollector()
        var options = options
        options.sink = { service, text in
            lines.lines.withLock { $0.append(Line(service: service, text: text)) }
        }
        self.lines = lines
        supervisor = try Supervisor(directories: directories, specs: specs, options: options)
    }

    func lines(of service: String) -> [String] {
        lines.lines.withLock { $0.filter { $0.service == service }.map(\.text) }
    }

    /// The output lines of all services, in order of arrival.
    var merged: [String] {
        lines.lines.withLock { $0.filter { $0.service != "supervisor" }.map { "\($0.service): \($0.text)" } }
    }

    func status(_ name: String) -> ServiceStatus? { supervisor.status(name) }

    func waitUntil(_ name: String, _ condition: (ServiceStatus) -> Bool) throws -> Bool {
        try supervisor.waitUntil(deadlineMs: 20_000) { $0.contains { $0.name == name && condition($0) } }
    }

    static func shell(
        _ name: String,
        _ script: String,
        after: [String] = [],
        notify: Bool = true,
        watchdogMs: Int64? = nil
    ) -> ServiceSpec {
        ServiceSpec(
            name: name,
            executable: "/bin/sh",
            arguments: ["-c", script],
            environment: ["PATH": "/usr/bin:/bin"],
            startAfter: after,
            notify: notify,
            watchdogMs: watchdogMs
        )
    }

    /// A service that prints a greeting, sends READY=1, and ends on SIGTERM with status 0.
    static func wellBehaved(_ name: String, after: [String] = []) -> ServiceSpec {
        shell(
            name,
            "trap 'echo bye; exit 0' TERM; echo hello; systemd-notify --ready --status=\"at work\"; "
                + "while :; do sleep 60 & wait $!; done",
            after: after
        )
    }
}
