package import STContracts
import STPlatform
import STZeroMQ

/// `screentime app log`.
struct AppLogCommand {
    private static let countDefault = 50
    private static let followCount = 10
    /// Interval between requests for new lines. The end of a callback triggers a request immediately.
    private static let tick: Duration = .milliseconds(300)

    private let invocation: Invocation
    private let clients: ServiceClients
    private let app: String

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let count = try invocation.count("--count")
        let length = try invocation.duration("--for")
        let follows = invocation.has("--follow")
        guard length == nil || follows else {
            throw Problem(
                "usage.option_value",
                "--for is the time after which --follow ends; use them together.",
                help: "screentime app log \(invocation.subjects[0]) --follow --for 10m"
            )
        }
        return try await ServiceClients.with(invocation.directories) { clients in
            let log = AppLogCommand(invocation: invocation, clients: clients, app: invocation.subjects[0])
            if follows {
                try await log.follow(count: count, for: length)
            } else {
                try await log.list(count ?? countDefault)
            }
            return .done
        }
    }

    private func list(_ count: Int) async throws {
        let lines = try await collect { source in
            try await source.lines(app, fromEnd: Int64(count), clients)
        }
        if lines.isEmpty {
            try await NameCheck.checkApp(app, clients)
            let name = DisplayWidth.sanitized(app)
            invocation.terminal.note(
                Speech.say("app.has-not-written-anything", "\(name, "name") has not written anything yet.")
            )
        }
        for line in lines.suffix(count) { try show(line) }
    }

    /// Returns the lines of this app from all services. Writes a note about services that do not reply.
    private func collect(
        _ ask: (inout AppLogSource) async throws -> [AppLogLine]
    ) async throws -> [AppLogLine] {
        var sources = AppLogSource.all
        return try await collect(&sources, ask)
    }

    private func collect(
        _ sources: inout [AppLogSource],
        _ ask: (inout AppLogSource) async throws -> [AppLogLine]
    ) async throws -> [AppLogLine] {
        var lists: [[AppLogLine]] = []
        var failures: [any Error] = []
        for index in sources.indices {
            do {
                lists.append(try await ask(&sources[index]))
            } catch {
                failures.append(error)
            }
        }
        if let first = failures.first, lists.isEmpty { throw first }
        for failure in failures {
            invocation.terminal.note(Speech.say(ProblemText.problem(failure)))
        }
        return AppLogSource.merged(lists)
    }

    private func follow(count: Int?, for length: Duration?) async throws {
        let topics: [ServiceName: [String]] = [
            .monitor: [Topic.subscription(.delivery)], .shield: [Topic.subscription(.shield)],
        ]
        try await BusListener.with(
            clients,
            topics: topics,
            tick: Self.tick,
            for: length,
            invocation: invocation
        ) { events in
            var sources = AppLogSource.all
            var left = count ?? .max
            let first = try await collect(&sources) { source in
                try await source.lines(app, fromEnd: Int64(min(left, Self.followCount)), clients)
            }
            if first.isEmpty { try await NameCheck.checkApp(app, clients) }
            left = try show(first.suffix(min(left, Self.followCount)), left: left)
            for await event in events {
                if case .timedOut = event { break }
                if case .interrupted = event { break }
                left = try show(await newLines(&sources)[...], left: left)
                if left == 0 { break }
            }
        }
    }

    private func newLines(_ sources: inout [AppLogSource]) async -> [AppLogLine] {
        var lists: [[AppLogLine]] = []
        for index in sources.indices {
            // A service that is restarting has no new lines.
            let lines = try? await sources[index].lines(app, fromEnd: 0, clients, timeout: .seconds(2))
            lists.append(lines ?? [])
        }
        return AppLogSource.merged(lists)
    }

    /// Shows at most `left` lines and returns how many may still follow.
    private func show(_ lines: ArraySlice<AppLogLine>, left: Int) throws -> Int {
        let shown = lines.prefix(left)
        for line in shown { try show(line) }
        return left - shown.count
    }

    private func show(_ line: AppLogLine) throws {
        if invocation.wantsJSON {
            let value = try JSONOutput.value(of: line)
            invocation.terminal.write(JSONOutput.line(value))
        } else {
            invocation.terminal.write(AppLogText.line(line, invocation.terminal))
        }
    }
}

/// The lines of an app's log from one service. Each service stores the output of the extensions that it calls.
struct AppLogSource {
    private let fetch:
        @Sendable (ServiceClients, MonitorLog.Request, Duration) async throws -> MonitorLog.Reply
    /// The token of the next page. `nil` before the first page.
    private var next: String?

    private init<R: Route>(_ route: R.Type)
    where R.Request == MonitorLog.Request, R.Reply == MonitorLog.Reply {
        fetch = { try await $0.call(route, $1, timeout: $2) }
    }

    static var all: [AppLogSource] {
        [AppLogSource(MonitorLog.self), AppLogSource(ShieldLog.self), AppLogSource(ReportLog.self)]
    }

    /// Returns all lines since the last call. The first call starts `fromEnd` lines before the end.
    mutating func lines(
        _ app: String,
        fromEnd: Int64,
        _ clients: ServiceClients,
        timeout: Duration = ServiceClients.defaultTimeout
    ) async throws -> [AppLogLine] {
        var lines: [AppLogLine] = []
        while true {
            let request = MonitorLog.Request(app: app, next: next, fromEnd: next == nil ? fromEnd : nil)
            let page = try await fetch(clients, request, timeout)
            lines += page.lines
            next = page.next
            if !page.more { return lines }
        }
    }

    /// Merges the lists by time. The lines of one service keep their order even if its clock was set back.
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

/// A line of an app's log on a terminal: time, delivery, level, source and text.
package enum AppLogText {
    package static func line(_ line: AppLogLine, _ terminal: Terminal) -> String {
        var parts = [terminal.styled(TimeText.clock(WallTime(ms: line.wallMs)), .dim)]
        parts.append(terminal.styled(DisplayWidth.padded(line.delivery ?? "-", 5), .cyan))
        parts.append(level(line.level, terminal))
        let origin = line.category ?? line.source
        parts.append(
            terminal.styled("[\(DisplayWidth.sanitized(origin))]", line.source == "host" ? .bold : .dim)
        )
        parts.append(DisplayWidth.sanitized(line.text))
        return parts.joined(separator: " ")
    }

    private static func level(_ name: String, _ terminal: Terminal) -> String {
        let text = DisplayWidth.padded(DisplayWidth.sanitized(name), 6)
        return switch name {
        case "error", "fault": terminal.styled(text, .red)
        case "debug": terminal.styled(text, .dim)
        case "notice": terminal.styled(text, .blue)
        default: text
        }
    }
}
