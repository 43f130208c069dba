import STContracts
import STPlatform

/// `screentime trace --top`.
enum TraceTop {
    private static let periodMs: Int64 = 1_000
    /// Home, and clear what is below: without the flicker of clearing all.
    private static let home = "\u{1B}[H"
    private static let clearLine = "\u{1B}[K"
    private static let clearBelow = "\u{1B}[J"

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let rounds = try invocation.count("--count")
        let forMs = try invocation.durationMs("--for")
        return try await ServiceClients.with(invocation.directories) { clients in
            let listener = Listener(clients.loop)
            try await listener.open([:], invocation.directories, tickMs: periodMs, forMs: forMs)
            do {
                try await show(clients, listener.events, rounds: rounds, invocation)
                await listener.close()
            } catch {
                await listener.close()
                throw error
            }
            return .done
        }
    }

    private static func show(
        _ clients: ServiceClients,
        _ events: AsyncStream<Listener.Event>,
        rounds: Int?,
        _ invocation: Invocation
    ) async throws {
        var board = TopBoard()
        // The first look only tells where the counts stand; rates need two.
        guard try await look(clients, &board) != nil else { throw StatusCommand.nothingRuns }
        if invocation.terminal.isTerminal { invocation.terminal.write("\u{1B}[2J") }
        var shown = 0
        for await event in events {
            switch event {
            case .tick: break
            case .message: continue
            case .timeUp, .interrupted: return
            }
            let silent = try await look(clients, &board)
            draw(board, silent: silent ?? ServiceName.all.map(\.rawValue), invocation)
            shown += 1
            if shown == rounds { return }
        }
    }

    /// The names of those that do not answer, or nil when none does.
    private static func look(_ clients: ServiceClients, _ board: inout TopBoard) async throws -> [String]? {
        let answers = await clients.askAll(HealthReport.self, Empty(), timeoutMs: 900)
        let reports = ServiceName.all.compactMap { try? answers[$0]?.get() }
        board.update(reports, nowUs: Stopwatch.nanoseconds() / 1_000)
        guard !reports.isEmpty else { return nil }
        return ServiceName.all.filter { (try? answers[$0]?.get()) == nil }.map(\.rawValue)
    }

    private static func draw(_ board: TopBoard, silent: [String], _ invocation: Invocation) {
        // Asked anew each time, because people resize windows.
        var terminal = Terminal.current(environment: invocation.environment)
        terminal.sink = invocation.terminal.sink
        let demo = Banner.isDemo(invocation.directories) ? "  DEMO: not your own data" : ""
        if invocation.wantsJSON {
            terminal.write(String(decoding: JSONOutput.compact(json(board, silent)), as: UTF8.self))
            return
        }
        let lines = TopText.lines(board, silent: silent, title: "Screen Time, the bus\(demo)", terminal)
        guard terminal.isTerminal else { return terminal.write(lines.joined(separator: "\n") + "\n") }
        terminal.write(home + lines.map { $0 + clearLine }.joined(separator: "\n") + "\n" + clearBelow)
    }

    private static func json(_ board: TopBoard, _ silent: [String]) -> JSONValue {
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
