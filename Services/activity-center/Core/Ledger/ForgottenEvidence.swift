import STContracts
import STEngine
import STStore

/// Takes what was deleted out of the reasons that were given for crossings.
enum ForgottenEvidence {
    /// Everybody is told of the time itself too: not all that is kept of it names stretches.
    static func strip(
        _ segments: Set<String>,
        _ time: Range<Int64>,
        of member: String,
        _ change: StoreTransaction
    ) throws {
        var named: Set<String> = []
        try change.rewrite(.activity, types: [ThresholdReached.type, ThresholdWarning.type]) { body in
            var occurrence = try ActivityOccurrence.decodedBody(body)
            guard occurrence.member == member else { return nil }
            let gone = occurrence.evidence.forget(segments)
            if gone.isEmpty { return nil }
            named.formUnion(gone)
            return try occurrence.encodedBody()
        }
        let all = named.sorted()
        for start in stride(from: 0, to: max(1, all.count), by: EvidenceForgotten.segmentsMax) {
            let part = Array(all[start..<min(start + EvidenceForgotten.segmentsMax, all.count)])
            try change.emit(
                EvidenceForgotten.self,
                // Each stands for itself: a snapshot must have them all.
                subject: "forgotten/" + (part.first ?? "\(member)/\(time.lowerBound)/\(time.upperBound)"),
                EvidenceForgotten.Body(
                    member: member,
                    segments: part,
                    fromWallMs: time.lowerBound,
                    toWallMs: time.upperBound
                )
            )
        }
    }
}
