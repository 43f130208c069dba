import STContracts
import STDesktopCore

/// Observations on their way into the spool, in order.
struct TellingQueue {
    /// While the disk takes nothing.
    private static let observationsMax = 5_000

    private var batches: [SpoolAdd.Request] = []

    var isEmpty: Bool { batches.isEmpty }

    var isOverfull: Bool {
        batches.reduce(0) { $0 + $1.observations.count } > Self.observationsMax
    }

    var first: SpoolAdd.Request? { batches.first }

    mutating func add(_ observations: [Observation], of run: String) {
        guard !observations.isEmpty else { return }
        batches.append(SpoolAdd.Request(run: run, observations: observations))
    }

    mutating func removeFirst() { if !batches.isEmpty { batches.removeFirst() } }
}
