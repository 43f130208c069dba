import STContracts
import STPlatform

/// Where an app's lines are kept: with the service that calls those of its extensions.
struct AppLogSource {
    let service: ServiceName
    private let ask: @Sendable (ServiceClients, MonitorLog.Request, Int64) async throws -> MonitorLog.Reply
    /// Where to go on; nil before the first page.
    private var next: String?

    private init<R: Route>(_ service: ServiceName, _ route: R.Type)
    where R.Request == MonitorLog.Request, R.Reply == MonitorLog.Reply {
        self.service = service
        ask = { try await $0.call(route, $1, timeoutMs: $2) }
    }

    static var all: [AppLogSource] {
        [
            AppLogSource(.monitor, MonitorLog.self), AppLogSource(.shield, ShieldLog.self),
            AppLogSource(.report, ReportLog.self),
        ]
    }

    /// All that came since the last look; at the first one, so many lines before the end.
    mutating func lines(
        _ app: String,
        fromEnd: Int64,
        _ clients: ServiceClients,
        timeoutMs: Int64 = BusLimits.timeoutMsDefault
    ) async throws -> [AppLogLine] {
        var lines: [AppLogLine] = []
        while true {
            let request = MonitorLog.Request(app: app, next: next, fromEnd: next == nil ? fromEnd : nil)
            let page = try await ask(clients, request, timeoutMs)
            lines += page.lines
            next = page.next
            if !page.more { return lines }
        }
    }

    /// One after the other by time; those of one service stay in their order, whatever its clock did.
    static func merged(_ lists: [[AppLogLine]]) -> [AppLogLine] {
        var rest = lists.map { $0[...] }
        var all: [AppLogLine] = []
        while let earliest = rest.indices.filter({ !rest[$0].isEmpty })
            .min(by: { (rest[$0].first?.wallMs ?? 0) < (rest[$1].first?.wallMs ?? 0) })
        {
            all.append(rest[earliest].removeFirst())
        }
        return all
    }
}
