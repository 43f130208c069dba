package import STContracts

/// What `trace --top` shows: rates from two reports of each service, latencies and lags from the newer one.
package struct TopBoard: Sendable {
    package struct RouteLine: Sendable, Equatable {
        package var service: String
        package var route: String
        package var perSecond: Double
        package var p50Us: Int64
        package var p99Us: Int64
        package var errors: Int64
        /// Errors since the last look.
        package var newErrors: Int64
    }

    package struct CursorLine: Sendable, Equatable {
        package var service: String
        package var source: String
        package var stream: String
        package var lag: Int64
        package var state: String
    }

    private struct Seen: Sendable {
        var count: Int64
        var errors: Int64
    }

    private var last: [String: Seen] = [:]
    private var lastUs: Int64?
    package private(set) var routes: [RouteLine] = []
    package private(set) var cursors: [CursorLine] = []

    package init() {}

    package mutating func update(_ reports: [HealthReport.Reply], nowUs: Int64) {
        let seconds = lastUs.map { max(0.001, Double(nowUs - $0) / 1_000_000) }
        lastUs = nowUs
        var seen: [String: Seen] = [:]
        routes = reports.flatMap { report in
            report.routes.map { figures in
                let key = "\(report.service) \(figures.route)"
                seen[key] = Seen(count: figures.count, errors: figures.errors)
                return line(report.service, figures, since: last[key], seconds)
            }
        }
        last = seen
        // Last come the reports themselves: it is mostly this very look that asks for them.
        routes.sort {
            let (left, right) = ($0.route == HealthReport.name ? 1 : 0, $1.route == HealthReport.name ? 1 : 0)
            return (left, $1.perSecond, $0.service, $0.route) < (right, $0.perSecond, $1.service, $1.route)
        }
        cursors = Self.cursorLines(reports)
    }

    private func line(
        _ service: String,
        _ figures: HealthReport.RouteFigures,
        since: Seen?,
        _ seconds: Double?
    ) -> RouteLine {
        // A service that was restarted counts from nothing again: then all it counted is new.
        let before = since.map { $0.count > figures.count ? Seen(count: 0, errors: 0) : $0 }
        let count = seconds == nil ? 0 : figures.count - (before?.count ?? 0)
        return RouteLine(
            service: service,
            route: figures.route,
            perSecond: seconds.map { Double(count) / $0 } ?? 0,
            p50Us: figures.p50Us,
            p99Us: figures.p99Us,
            errors: figures.errors,
            newErrors: seconds == nil ? 0 : figures.errors - (before?.errors ?? 0)
        )
    }

    static func cursorLines(_ reports: [HealthReport.Reply]) -> [CursorLine] {
        let heads = StreamHeads(reports)
        return reports.flatMap { report in
            report.cursors.map { cursor in
                CursorLine(
                    service: report.service,
                    source: cursor.source,
                    stream: cursor.stream,
                    lag: heads.lag(of: cursor),
                    state: cursor.state
                )
            }
        }
    }
}
