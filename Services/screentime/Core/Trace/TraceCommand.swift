import STContracts
import STPlatform

/// `screentime trace`.
enum TraceCommand {
    static let commands: [Command] = [
        Command(
            ["trace"],
            "Shows messages live: what caused each one, and how long each step took",
            options: [
                .init(
                    "--service",
                    value: "SERVICE",
                    summary: "only traces in which this service takes part",
                    key: "help.--service.only-stories-in-which-this"
                ),
                .init(
                    "--topic",
                    value: "PREFIX",
                    summary: "only traces with a route or event that begins with this prefix, such as usage."
                ),
                .init("--trace", value: "ID", summary: "only the trace whose ID begins with this"),
                .init(
                    "--for",
                    value: "DURATION",
                    summary: "ends after this time",
                    key: "help.--for.ends-after-this-time"
                ),
                .init(
                    "--count",
                    value: "N",
                    summary: "ends after this many traces, or after this many updates of --top",
                    key: "help.--count.ends-after-this-many-stories"
                ),
                .init(
                    "--chrome",
                    place: .file,
                    summary: "writes the traces to this file for Perfetto (ui.perfetto.dev) at the end"
                ),
                .init("--top", value: nil, summary: "shows rates, latencies and lags instead, every second"),
                .json,
            ],
            example: "screentime trace --topic usage. --for 10s"
        ) { try await run($0) }
    ]

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        if invocation.has("--top") { return try await TraceTop.run(invocation) }
        let filter = TraceFilter(
            service: try invocation.service("--service")?.rawValue,
            topic: invocation.value("--topic"),
            trace: invocation.value("--trace")
        )
        let count = try invocation.count("--count")
        let length = try invocation.duration("--for")
        let output = try TraceOutput(invocation, filter, count: count)
        return try await ServiceClients.with(invocation.directories) { clients in
            let isRunning = await announce(clients, invocation)
            let topics = Dictionary(uniqueKeysWithValues: ServiceName.all.map { ($0, [Topic.tracePrefix]) })
            return try await BusListener.with(
                clients,
                topics: topics,
                tick: .milliseconds(50),
                for: length,
                invocation: invocation
            ) {
                try await follow($0, output, isRunning: isRunning)
            }
        }
    }

    private static func follow(
        _ events: AsyncStream<BusListener.Event>,
        _ start: TraceOutput,
        isRunning: Bool
    ) async throws -> ExitCode {
        var output = start
        loop: for await event in events {
            switch event {
            case .message(_, let frames):
                guard frames.count > 2, let span = try? TraceSpan.decodedBody(frames[2]) else { continue }
                output.add(span, now: .now)
            case .tick: output.tick(now: .now)
            case .timedOut, .interrupted: break loop
            }
            if output.isComplete { break }
        }
        try output.finish()
        return isRunning || output.hasReceived ? .done : .notRunning
    }

    /// Reports how many services run. Returns false if none does.
    private static func announce(_ clients: ServiceClients, _ invocation: Invocation) async -> Bool {
        let answers = await clients.results(HealthPing.self, Empty(), timeout: .milliseconds(500))
        let running = answers.values.filter { (try? $0.get()) != nil }.count
        let demo =
            Banner.isDemo(invocation.directories)
            ? "  " + Speech.say("command.demo-not-your-own", "DEMO: not your own data") : ""
        let text =
            running == 0
            ? Speech.say(
                "trace.no-service-yet",
                "No service is running yet. Waiting for one to start. To end, press Ctrl-C."
            )
            : Speech.say(
                "trace.listening",
                """
                Listening to \(running, "count") of \(ServiceName.all.count, "all") services, which now report \
                each step. To end, press Ctrl-C.
                """
            )
        invocation.terminal.note(text + demo)
        return running > 0
    }
}

/// The output of spans: traces on the terminal, JSON on standard output, or a file for Perfetto.
struct TraceOutput {
    /// Enough for minutes of a busy system, and small enough for any machine.
    private static let fileSpansMax = 200_000

    private let terminal: Terminal
    private let filter: TraceFilter
    private let count: Int?
    private let asJSON: Bool
    private let file: String?
    private var collector = TraceCollector()
    private var shownCount = 0
    private var spans: [TraceSpan] = []
    private var receivedCount = 0
    private var isFull = false

    init(_ invocation: Invocation, _ filter: TraceFilter, count: Int?) throws(Problem) {
        terminal = invocation.terminal
        self.filter = filter
        self.count = count
        asJSON = invocation.wantsJSON
        file = invocation.value("--chrome")
        // Written immediately, so that a file that cannot be written fails before an hour of tracing and not after it.
        if let file {
            try AtomicFile.write(Array("{\"traceEvents\":[]}\n".utf8), to: file, mode: 0o644, durable: false)
        }
    }

    var isComplete: Bool { count.map { shownCount >= $0 } ?? false }

    mutating func add(_ span: TraceSpan, now: SuspendingClock.Instant) {
        receivedCount += 1
        if asJSON, file == nil {
            guard filter.accepts(span), !isComplete, let bytes = try? span.encodedBody() else { return }
            terminal.write(String(decoding: bytes, as: UTF8.self))
            shownCount += 1
        } else {
            collector.add(span, now: now)
        }
    }

    mutating func tick(now: SuspendingClock.Instant) { show(collector.due(now: now)) }

    var hasReceived: Bool { receivedCount > 0 }

    mutating func finish() throws {
        show(collector.flush())
        guard let file else { return }
        let document = JSONOutput.compact(ChromeTrace(spans).document)
        try AtomicFile.write(document + [0x0A], to: file, mode: 0o644, durable: false)
        let (path, page) = (DisplayWidth.sanitized(file), "https://ui.perfetto.dev")
        terminal.note(
            Speech.say(
                "trace.written",
                count: shownCount,
                one: """
                    \(path, "file") has \(shownCount, "count") trace. Its steps, which Perfetto calls spans: \
                    \(spans.count, "steps"). To view the file, open it at \(page, "page").
                    """,
                other: """
                    \(path, "file") has \(shownCount, "count") traces. Their steps, which Perfetto calls spans: \
                    \(spans.count, "steps"). To view the file, open it at \(page, "page").
                    """
            )
        )
        guard isFull else { return }
        terminal.note(
            Speech.say(
                "trace.only-first-steps",
                "The file has only the first \(Self.fileSpansMax, "most") steps. Later ones were left out."
            )
        )
    }

    private mutating func show(_ stories: [CollectedTrace]) {
        for story in stories where filter.accepts(story) && !isComplete {
            shownCount += 1
            if file == nil {
                terminal.write(TraceText.lines(story, terminal).joined(separator: "\n"))
            } else if spans.count + story.spans.count <= Self.fileSpansMax {
                spans += story.spans
            } else {
                isFull = true
            }
        }
    }
}
