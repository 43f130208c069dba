import STContracts

/// A stretch in which what a rule is about is shut, and the callback that said so.
package struct ClosedSpan: WireBody, Codable, Equatable {
    package var startMs: Int64
    /// As it was told; a journey to another zone may move it.
    package var endMs: Int64
    /// The delivery that everything about it can be asked of.
    package var delivery: String
    /// Of a limit: so much use had been reached.
    package var thresholdMs: Int64?
    /// The zone that its days are counted in; nil in what an older version wrote down.
    package var zone: String?

    package init(
        startMs: Int64,
        endMs: Int64,
        delivery: String,
        thresholdMs: Int64? = nil,
        zone: String? = nil
    ) {
        self.startMs = startMs
        self.endMs = endMs
        self.delivery = delivery
        self.thresholdMs = thresholdMs
        self.zone = zone
    }

    init(_ occurrence: ActivityOccurrence, delivery: String) {
        self.init(
            startMs: occurrence.interval.startWallMs,
            endMs: occurrence.interval.endWallMs,
            delivery: delivery,
            thresholdMs: occurrence.evidence.thresholdMs,
            zone: occurrence.interval.zone
        )
    }
}
