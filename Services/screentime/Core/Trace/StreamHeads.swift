import STContracts

/// How far behind each subscriber is, by what the publishers themselves say.
struct StreamHeads {
    private var heads: [String: Int64] = [:]

    init(_ reports: [HealthReport.Reply]) {
        for report in reports {
            for stream in report.streams { heads[stream.stream] = stream.sequence }
        }
    }

    /// The subscriber's own idea of the head counts where the publisher does not answer.
    func lag(of cursor: HealthReport.Cursor) -> Int64 {
        max(0, max(heads[cursor.stream] ?? 0, cursor.headSeen) - cursor.sequence)
    }
}
