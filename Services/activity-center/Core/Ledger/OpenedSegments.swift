import STContracts
import STEngine

/// Stretches that one request has begun or made longer, as far as they are still open at its end.
///
/// What is over by then is told as closed and nothing else: a snapshot would say the same.
struct OpenedSegments {
    private var segments: [Segment] = []

    mutating func add(_ segment: Segment) {
        remove(segment)
        segments.append(segment)
    }

    mutating func remove(_ segment: Segment) { segments.removeAll { $0.segment == segment.segment } }

    func tell(_ change: StoreTransaction) throws {
        for segment in segments {
            try change.emit(SegmentOpened.self, subject: segment.segment, segment)
        }
    }
}
