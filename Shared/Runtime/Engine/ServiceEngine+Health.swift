import STBus
import STContracts
import STPlatform

/// What the service tells about itself.
extension ServiceEngine {
    /// The routes whose answer lies outside of the definition and its database.
    static var builtins: [RouteInfo] {
        [
            RouteInfo(HealthPing.self), RouteInfo(HealthReport.self), RouteInfo(ClockStatus.self),
            RouteInfo(ClockTurn.self),
        ]
    }

    func builtin(_ request: AdmittedRequest, peer: [UInt8]) -> [ServiceEffect] {
        finish(request, peer: peer, repeated: false) {
            switch request.header.route {
            case ClockStatus.name: return try clockStatus(isTurned: false).encodedBody()
            case ClockTurn.name: return try clockStatus(isTurned: true).encodedBody()
            case HealthPing.name:
                let vitals = vitals()
                return try HealthPing.Reply(
                    service: definition.name.rawValue,
                    pid: vitals.pid,
                    version: Version.text,
                    uptimeMs: vitals.uptimeMs,
                    state: "ready"
                ).encodedBody()
            default: return try healthReport(vitals()).encodedBody()
            }
        }
    }

    func healthReport(_ vitals: ServiceVitals) -> HealthReport.Reply {
        HealthReport.Reply(
            service: definition.name.rawValue,
            pid: vitals.pid,
            version: Version.text,
            uptimeMs: vitals.uptimeMs,
            state: "ready",
            pssKib: vitals.pssKib,
            databaseBytes: vitals.databaseBytes,
            streams: heads.map { .init(stream: $0.stream, epoch: $0.epoch, sequence: $0.sequence) },
            cursors: zip(definition.subscriptions, followers).map { subscription, follower in
                .init(
                    source: subscription.source.rawValue,
                    stream: subscription.stream.rawValue,
                    sequence: follower.applied?.sequence ?? 0,
                    headSeen: follower.headSeen,
                    state: follower.state.rawValue
                )
            },
            counters: vitals.counters.merging(followerCounters) { first, _ in first }
                .merging(definition.figures(state)) { first, _ in first },
            routes: figures.sorted { $0.key < $1.key }.map { name, figures in
                .init(
                    route: name,
                    count: figures.histogram.count,
                    errors: figures.errors,
                    p50Us: figures.histogram.quantile(0.5),
                    p99Us: figures.histogram.quantile(0.99)
                )
            }
        )
    }

    private var followerCounters: [String: Int64] {
        [
            "gaps": Int64(followers.reduce(0) { $0 + $1.gaps }),
            "duplicates": Int64(followers.reduce(0) { $0 + $1.duplicates }),
        ]
    }
}
