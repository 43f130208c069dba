import STContracts
import STPlatform
import STStore

/// What the streams of other services do to this one.
extension StoreEngine {
    /// Applies events in order.
    ///
    /// `isCareful`: each in a savepoint of its own, so that one that cannot be read can be passed over; that
    /// costs, so it is done only once it is known that there is one.
    func apply(
        _ events: [WireEvent],
        _ index: Int,
        into part: inout StoreBatch<State>,
        isCareful: Bool
    ) throws {
        let change = transaction(cause: nil, trace: nil, now: time.now())
        for event in events {
            change.turn(to: event)
            guard isCareful else {
                try definition.subscriptions[index].apply(&state, event, change)
                continue
            }
            let before = state
            let place = change.place
            do {
                try database.savepoint { try definition.subscriptions[index].apply(&state, event, change) }
            } catch let problem as Problem where problem.code.hasPrefix("body.") {
                // An event that cannot be read now can never be read: waiting for it would stop the stream for good.
                // What was done of it before it became unreadable is undone.
                state = before
                change.goBack(to: place)
                part.skipped.append((event, problem))
            }
        }
        try definition.subscriptions[index].settled?(&state, change)
        try change.finish()
        part.events += change.published
        if change.wantsScrub { part.wantsScrub = true }
    }

    func reset(_ index: Int, into part: inout StoreBatch<State>) throws {
        let change = transaction(cause: nil, trace: nil, now: time.now())
        try definition.subscriptions[index].reset(&state, change)
        try change.finish()
        part.events += change.published
        if change.wantsScrub { part.wantsScrub = true }
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
