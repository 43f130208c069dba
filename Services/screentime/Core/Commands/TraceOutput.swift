import STContracts
import STPlatform

/// Where spans go: to the terminal as stories, to standard output as JSON, or into a file for Perfetto.
struct TraceOutput {
    /// Enough for minutes of a busy system, and small enough for any machine.
    private static let fileSpansMax = 200_000

    private let terminal: Terminal
    private let filter: TraceFilter
    private let count: Int?
    private let asJSON: Bool
    private let file: String?
    private var collector = TraceCollector()
    private var told = 0
    private var spans: [TraceSpan] = []
    private var heard = 0
    private var isFull = false

    init(_ invocation: Invocation, _ filter: TraceFilter, count: Int?) throws(Problem) {
        terminal = invocation.terminal
        self.filter = filter
        self.count = count
        asJSON = invocation.wantsJSON
        file = invocation.value("--chrome")
        // Written to now, so that nobody finds out after an hour of tracing that they may not write there.
        if let file {
            try AtomicFile.write(Array("{\"traceEvents\":[]}\n".utf8), to: file, mode: 0o644, durable: false)
        }
    }

    var isComplete: Bool { count.map { told >= $0 } ?? false }

    mutating func take(_ span: TraceSpan, nowMs: Int64) {
        heard += 1
        if asJSON, file == nil {
            guard filter.accepts(span), !isComplete, let bytes = try? span.encodedBody() else { return }
            terminal.write(String(decoding: bytes, as: UTF8.self))
            told += 1
        } else {
            collector.add(span, nowMs: nowMs)
        }
    }

    mutating func tick(nowMs: Int64) { tell(collector.due(nowMs: nowMs)) }

    var hasHeard: Bool { heard > 0 }

    mutating func finish() throws {
        tell(collector.flush())
        guard let file else { return }
        let document = JSONOutput.compact(ChromeTrace(spans).document)
        try AtomicFile.write(document + [0x0A], to: file, mode: 0o644, durable: false)
        let number = told == 1 ? "1 story" : "\(told) stories"
        terminal.note("\(file): \(number), \(spans.count) spans. Open it at https://ui.perfetto.dev.")
        if isFull { terminal.note("Only the first \(Self.fileSpansMax) spans are in it.") }
    }

    private mutating func tell(_ stories: [TraceStory]) {
        for story in stories where filter.accepts(story) && !isComplete {
            told += 1
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
