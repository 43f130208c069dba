import STPlatform
import STSupervision

/// Waits for all services to be ready, and knows when that is not going to happen.
struct StartWatch: Sendable {
    enum Outcome: Sendable {
        case ready
        /// Somebody asked it to stop before it was ready.
        case stopped
        /// With what to tell.
        case failed(String)
    }

    static let deadlineMs: Int64 = 30_000
    /// A service that ended so often before it was ready will not become so by itself.
    private static let startsMax = 3
    /// sysexits.h: 64 usage, 74 its database, 78 its configuration: another try meets the same.
    private static let lastingExits: [ExitStatus] = [.exited(64), .exited(74), .exited(78)]

    let supervisor: Supervisor
    let text: LogLineText
    let logs: String

    func wait() throws -> Outcome {
        let inTime = try supervisor.waitUntil(deadlineMs: Self.deadlineMs) { statuses in
            let isReady = !statuses.isEmpty && statuses.allSatisfy(\.state.isReady)
            return isReady || statuses.contains { Self.isHopeless($0) || $0.state == .stopped }
        }
        let statuses = supervisor.status()
        let hopeless = statuses.filter(Self.isHopeless)
        if !hopeless.isEmpty { return .failed(report(hopeless)) }
        if statuses.contains(where: { $0.state == .stopped }) { return .stopped }
        return inTime ? .ready : .failed(report(statuses.filter { !$0.state.isReady }))
    }

    private static func isHopeless(_ status: ServiceStatus) -> Bool {
        if status.state.isFailed { return true }
        guard case .backingOff = status.state, let exit = status.lastExit else { return false }
        return status.readySinceBootMs == nil
            && (lastingExits.contains(exit) || status.restarts + 1 >= startsMax)
    }

    private func report(_ missing: [ServiceStatus]) -> String {
        let parts = missing.map { status in
            let reason = status.failure ?? "not ready within \(TextFormat.duration(ms: Self.deadlineMs))"
            let lines = supervisor.lastLines(status.name).map { "    " + (text.readable($0) ?? $0) }
            let tail = lines.isEmpty ? "    (it wrote nothing)" : lines.joined(separator: "\n")
            return
                "\(status.name) did not start: \(reason)\n\(tail)\n  its whole log: \(logs)/\(status.name).log"
        }
        return parts.joined(separator: "\n")
    }
}
