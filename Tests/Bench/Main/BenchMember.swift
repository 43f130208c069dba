import STBus
import STContracts
import STPlatform
import STZeroMQ

/// Somebody whose use is sent.
enum BenchMember {
    static func add(_ name: String, _ client: BusClient) async throws {
        _ = try await client.call(MemberAdd.self, Member(name: name, role: .child))
        let deadline = Stopwatch.milliseconds() + 20_000
        while true {
            let report = try await client.call(HealthReport.self, to: .activity, Empty())
            let cursor = report.cursors.first { $0.stream == StreamName.authorization.rawValue }
            if let cursor, cursor.sequence >= 2, cursor.state == "live" { return }
            guard Stopwatch.milliseconds() < deadline else {
                throw Problem("bench.failed", "No member was heard of.")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
