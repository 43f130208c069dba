import STContracts
import STPlatform
import STStore

/// What the streams of other services do to this one.
extension StoreEngine {
    func apply(_ event: WireEvent, _ index: Int, into part: inout StoreBatch<State>) throws {
        let trace = TraceContext(traceparent: event.header.traceparent)?.next() ?? .fresh()
        let change = transaction(cause: event.header.id, trace: trace, now: time.now())
        let before = state
        do {
            try database.savepoint { try definition.subscriptions[index].apply(&state, event, change) }
            part.events += change.published
        } catch let problem as Problem where problem.code.hasPrefix("body.") {
            // An event that cannot be read now can never be read: waiting for it would stop the stream for good.
            // What was done of it before it became unreadable is undone.
            state = before
            part.skipped.append((event, problem))
        }
    }

    func reset(_ index: Int, into part: inout StoreBatch<State>) throws {
        let change = transaction(cause: nil, trace: .fresh(), now: time.now())
        try definition.subscriptions[index].reset(&state, change)
        part.events += change.published
        // Until the last page is in, the cursor says "rebuilding": a start in between begins the rebuild again.
        try setCursor(index, StreamPoint(stream: "", epoch: "", sequence: 0, id: nil))
    }

    func moveCursor(_ index: Int, _ last: WireEvent?) throws {
        guard let header = last?.header else { return }
        let point = StreamPoint(
            stream: header.stream.rawValue,
            epoch: header.epoch,
            sequence: header.sequence,
            id: header.id
        )
        try setCursor(index, point)
    }

    func setCursor(_ index: Int, _ point: StreamPoint) throws {
        let followed = definition.subscriptions[index]
        try cursors.set(
            source: followed.source.rawValue,
            stream: followed.stream.rawValue,
            StreamPosition(epoch: point.epoch, sequence: point.sequence, id: point.id)
        )
    }
}
