import STContracts

/// How a span's outcome is told: nothing to see, worth a look, or wrong.
struct TraceOutcome {
    var word: String
    var style: Terminal.Style?

    init(_ span: TraceSpan) {
        switch span.outcome {
        case "ok":
            // A commit or a publication that is told at all has worked.
            word = span.kind == .commit || span.kind == .publish ? "" : "ok"
            style = .green
        case "caught_up":
            word = "caught up from the log"
            style = .yellow
        case "duplicate":
            word = span.kind == .handle ? "retry, answered as before" : "duplicate"
            style = .red
        case "retry":
            word = "retry"
            style = .red
        case "gap":
            word = "gap"
            style = .red
        case "deadline.exceeded", "expired":
            word = "expired"
            style = .red
        case "access.denied":
            word = "refused: access.denied"
            style = .red
        default:
            word = span.outcome
            style = .red
        }
        if span.kind == .drop, span.outcome == "ok" { word = "dropped" }
    }
}
