package import STContracts
import STPlatform

/// `screentime trace --top`.
enum TraceTop {
    private static let interval: Duration = .seconds(1)
    /// Moves the cursor home. With `clearBelow` this avoids the flicker of clearing the whole screen.
    private static let home = "\u{1B}[H"
    private static let clearLine = "\u{1B}[K"
    private static let clearBelow = "\u{1B}[J"

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let rounds = try invocation.count("--count")
        let length = try invocation.duration("--for")
        return try await ServiceClients.with(invocation.directories) { clients in
            try await BusListener.with(
                clients,
                topics: [:],
                tick: interval,
                for: length,
                invocation: invocation
            ) {
                try await show(clients, events: $0, rounds: rounds, invocation: invocation)
            }
            return .done
        }
    }

    private static func show(
        _ clients: ServiceClients,
        events: AsyncStream<BusListener.Event>,
        rounds: Int?,
        invocation: Invocation
    ) async throws {
        var board = TopFigures()
        // Rates need two reports. This is the first.
        guard try await refresh(clients, &board) != nil else { throw StatusCommand.nothingRuns }
        if invocation.terminal.isTerminal { invocation.terminal.draw("\u{1B}[2J") }
        var shown = 0
        for await event in events {
            switch event {
            case .tick: break
            case .message: continue
            case .timedOut, .interrupted: return
            }
            let silent = try await refresh(clients, &board)
            draw(board, silent: silent ?? ServiceName.all.map(\.rawValue), invocation)
            shown += 1
            if shown == rounds { return }
        }
    }

    /// Returns the names of the services that do not reply, or `nil` if none replies.
    private static func refresh(_ clients: ServiceClients, _ board: inout TopFigures) async throws
        -> [String]?
    {
        let answers = await clients.results(HealthReport.self, Empty(), timeout: .milliseconds(900))
        let reports = ServiceName.all.compactMap { try? answers[$0]?.get() }
        board.update(reports, nowUs: Stopwatch.nanoseconds() / 1_000)
        guard !reports.isEmpty else { return nil }
        return ServiceName.all.filter { (try? answers[$0]?.get()) == nil }.map(\.rawValue)
    }

    private static func draw(_ board: TopFigures, silent: [String], _ invocation: Invocation) {
        // Read for each frame, because people resize windows.
        var terminal = Terminal.current(environment: invocation.environment)
        terminal.sink = invocation.terminal.sink
        let demo = Banner.isDemo(invocation.directories) ? "  DEMO: not your own data" : ""
        if invocation.wantsJSON {
            terminal.write(String(decoding: JSONOutput.compact(json(board, silent)), as: UTF8.self))
            return
        }
        let lines = TopText.lines(board, silent: silent, title: "Screen Time, the bus\(demo)", terminal)
        guard terminal.isTerminal else { return terminal.write(lines.joined(separator: "\n") + "\n") }
        terminal.draw(home + lines.map { $0 + clearLine }.joined(separator: "\n") + "\n" + clearBelow)
    }

    private static func json(_ board: TopFigures, _ silent: [String]) -> JSONValue {
        [
            "routes": .array(
                board.routes.map {
                    [
                        "service": .string($0.service), "route": .string($0.route),
                        "per_second": .number($0.perSecond),
                        "p50_us": .integer($0.p50Us), "p99_us": .integer($0.p99Us),
                        "errors": .integer($0.errors),
                    ]
                }
            ),
            "cursors": .array(board.cursors.map(StatusJSON.cursor)),
            "silent": .array(silent.map { .string($0) }),
        ]
    }
}

/// The data of `trace --top`: rates from two reports of each service, latencies and lags from the newer one.
package struct TopFigures: Sendable {
    package struct RouteLine: Sendable, Equatable {
        package var service: String
        package var route: String
        package var perSecond: Double
        package var p50Us: Int64
        package var p99Us: Int64
        package var errors: Int64
        /// The errors since the last report.
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
                return line(report.service, figures: figures, since: last[key], seconds: seconds)
            }
        }
        last = seen
        // Health reports come last, because mostly this command requests them.
        routes.sort {
            let (left, right) = ($0.route == HealthReport.name ? 1 : 0, $1.route == HealthReport.name ? 1 : 0)
            return (left, $1.perSecond, $0.service, $0.route) < (right, $0.perSecond, $1.service, $1.route)
        }
        cursors = Self.cursorLines(reports)
    }

    private func line(
        _ service: String,
        figures: HealthReport.RouteFigures,
        since: Seen?,
        seconds: Double?
    ) -> RouteLine {
        // A restarted service counts from zero again, so all its counts are new.
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

/// The stream heads that the publishers report, to determine the lag of each subscriber.
struct StreamHeads {
    private var heads: [String: Int64] = [:]

    init(_ reports: [HealthReport.Reply]) {
        for report in reports {
            for stream in report.streams { heads[stream.stream] = stream.sequence }
        }
    }

    /// Returns the lag. The head that the subscriber has seen is used if the publisher does not reply.
    func lag(of cursor: HealthReport.Cursor) -> Int64 {
        max(0, max(heads[cursor.stream] ?? 0, cursor.headSeen) - cursor.sequence)
    }
}

/// The screen of `trace --top`.
package enum TopText {
    package static func lines(_ board: TopFigures, silent: [String], title: String, _ terminal: Terminal)
        -> [String]
    {
        var lines = [terminal.styled(title, .bold), ""]
        let cursors = cursorLines(board, terminal)
        // Cursors are few and matter most, so routes are left out if the terminal has few rows.
        let room = terminal.isTerminal ? max(4, terminal.rows - cursors.count - silent.count - 6) : .max
        let routes = routeLines(board, terminal)
        lines += routes.prefix(room)
        if routes.count > room { lines.append("  … and \(routes.count - room) more routes") }
        lines += cursors.isEmpty ? [] : [""] + cursors
        lines += silent.map { terminal.styled("\($0) does not answer", .red) }
        return lines
    }

    private static func routeLines(_ board: TopFigures, _ terminal: Terminal) -> [String] {
        var table = TextTable([
            ("SERVICE", .left), ("ROUTE", .left), ("RATE/S", .right), ("P50", .right), ("P99", .right),
            ("ERRORS", .right),
        ])
        for line in board.routes {
            let errors = line.newErrors > 0 ? "\(line.errors) (+\(line.newErrors))" : String(line.errors)
            table.add([
                .init(line.service, .cyan), .init(line.route), .init(rate(line.perSecond)),
                .init(Latency.text(us: line.p50Us)), .init(Latency.text(us: line.p99Us)),
                .init(errors, line.newErrors > 0 ? .red : nil),
            ])
        }
        return table.lines(columns: terminal.columns, terminal)
    }

    private static func cursorLines(_ board: TopFigures, _ terminal: Terminal) -> [String] {
        guard !board.cursors.isEmpty else { return [] }
        var table = TextTable([
            ("SUBSCRIBER", .left), ("FOLLOWS", .left), ("BEHIND", .right), ("STATE", .left),
        ])
        for line in board.cursors {
            table.add([
                .init(line.service, .cyan), .init("\(line.stream) of \(line.source)"),
                .init(String(line.lag), line.lag > 0 ? .yellow : nil), .init(line.state),
            ])
        }
        return table.lines(columns: terminal.columns, terminal)
    }

    /// Returns the value with one decimal, without Foundation's formatters.
    static func rate(_ value: Double) -> String {
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
