import STContracts
import STPlatform

/// What is written down about one call while it goes on, or about the time between two.
struct ExtensionRun {
    /// Lines of one call that are passed on; the bytes have a limit of their own.
    static let linesMax = 2_000

    let isCold: Bool
    var startedMs: Int64?
    var peakBytes: Int64 = 0
    var outputBytes: Int64 = 0
    var requests: Int64 = 0
    private var lines = 0
    private var lastLines: [ExtensionLine] = []

    init(isCold: Bool) { self.isCold = isCold }

    /// Whether this line is passed on; of those beyond the limit only the last are kept, for the outcome.
    mutating func keep(_ line: ExtensionLine) -> Bool {
        lines += 1
        if !line.text.isEmpty { lastLines.append(line) }
        if lastLines.count > ExtensionOutcome.lastLinesMax { lastLines.removeFirst() }
        return lines <= Self.linesMax
    }

    func outcome(_ problem: Problem?, _ result: JSONValue?) -> ExtensionOutcome {
        var outcome = ExtensionOutcome(problem: problem)
        outcome.result = result
        outcome.peakBytes = peakBytes
        outcome.outputBytes = outputBytes
        outcome.requests = requests
        outcome.durationMs = startedMs.map { Stopwatch.milliseconds() - $0 } ?? 0
        outcome.isCold = isCold
        outcome.lastLines = lastLines
        return outcome
    }
}
