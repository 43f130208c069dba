package import STContracts
package import STPlatform

/// The subscriber's side of one stream: nothing lost, nothing applied twice, in order.
///
/// Live messages only announce what is in the log. After a hole, a head beyond what has come, or a reconnect, the machine
/// reads the publisher's log before it applies anything later. A message that does not fit (another epoch, a head behind
/// what has come, another id at the same number) may just be late, so it proves nothing: the machine asks the log, and
/// rebuilds from a snapshot only when the log answers that the cursor is of another log, or too old.
///
/// Pure: messages and time come in, effects come out.
package struct FollowerMachine: Sendable {
    package enum Input: Sendable {
        case event(WireEvent)
        /// From a beacon, or from the answer to the marker subscription.
        case head(StreamPoint)
        case page(EventPage)
        case pageFailed(Problem)
        case applied
        case applyFailed(Problem)
        /// The subscriber's own loop stood still, so anything may have been missed.
        case stalled
        case tick
    }

    package enum Effect: Sendable {
        case fetch(after: StreamPoint?)
        case fetchSnapshot(next: String?)
        /// Apply in one transaction, and move the cursor past the last event.
        case apply([WireEvent])
        /// `isFirst`: forget everything built from this stream before. `cursor`: set once the last page is in.
        case applySnapshot([WireEvent], isFirst: Bool, cursor: StreamPoint?)
        /// The publisher does not have any more what it had promised.
        case lost(HistoryLoss)
        case dropped(WireEvent, reason: String)
        case gap(from: Int64, to: Int64)
    }

    package enum State: String, Sendable {
        case joining, live, catchingUp = "catching_up", rebuilding
    }

    private enum Fetch {
        case none
        case since
        case snapshot(isFirst: Bool)
        case retry(atMs: Int64)
    }

    private struct SnapshotStep {
        var cursor: StreamPoint?
        var next: String?
    }

    /// How many events may wait to be applied; more are dropped here and read from the log later.
    private static let pendingMax = 20_000
    /// How many events one commit may hold.
    package static let batchMax = 100
    /// After two and a half beacons of silence the machine asks the log.
    private static let silenceMs: Int64 = 37_500
    private static let retry = Backoff(firstMs: 50, limitMs: 2_000)

    package let stream: StreamName
    package private(set) var state = State.joining
    /// The last event taken in, applied or about to be.
    private var received: StreamPoint?
    package private(set) var applied: StreamPoint?
    package private(set) var headSeen: Int64 = 0
    private var fetch = Fetch.none
    private var wantsRebuild: Bool
    /// During a fetch, something came that its answer may not hold.
    private var rang = false
    /// During a fetch, a message came that does not fit, so the answer may be older than the trouble.
    private var doubted = false
    private var pending = Queue()
    /// Live events that came during a fetch, without holes among them.
    ///
    /// When the answer reaches the first of them they follow at once. Without them a subscriber that once fell behind
    /// would find each answer outdated by what was published meanwhile, and would never be live again under load.
    private var ahead: [WireEvent] = []
    private var inFlight: [WireEvent] = []
    private var snapshotInFlight: SnapshotStep?
    private var fetchFailures = 0
    private var applyFailures = 0
    private var applyRetryMs: Int64?
    private var heardMs: Int64

    package private(set) var gaps = 0
    package private(set) var duplicates = 0

    /// `isRebuilding` says that the last run ended in the middle of a rebuild, so only a part of a snapshot is stored and
    /// nothing may be applied on top of it.
    package init(stream: StreamName, cursor: StreamPoint?, isRebuilding: Bool = false, nowMs: Int64) {
        self.stream = stream
        applied = cursor
        received = cursor
        headSeen = cursor?.sequence ?? 0
        wantsRebuild = isRebuilding
        heardMs = nowMs
    }

    package var nextMs: Int64 {
        var next = heardMs + Self.silenceMs
        if case .retry(let atMs) = fetch { next = min(next, atMs) }
        if let applyRetryMs { next = min(next, applyRetryMs) }
        return next
    }

    package mutating func handle(_ input: Input, nowMs: Int64) -> [Effect] {
        switch input {
        case .event(let event):
            heardMs = nowMs
            return isUnfinished ? rebuild() : take(event)
        case .head(let head):
            heardMs = nowMs
            return isUnfinished ? rebuild() : takeHead(head)
        case .page(let page): return takePage(page, nowMs: nowMs)
        case .pageFailed(let problem): return takeFailure(problem, nowMs: nowMs)
        case .applied: return takeApplied()
        case .applyFailed: return takeApplyFailure(nowMs: nowMs)
        case .stalled: return isUnfinished ? rebuild() : doubt()
        case .tick: return tick(nowMs: nowMs)
        }
    }

    /// A rebuild of an earlier run that has not begun again yet.
    private var isUnfinished: Bool { wantsRebuild && state == .joining }

    /// Whether everything announced has been applied, and no fetch and no retry is under way.
    package var isSettled: Bool {
        state == .live && isFetchIdle && pending.count == 0 && inFlight.isEmpty && snapshotInFlight == nil
            && applyRetryMs == nil && (applied?.sequence ?? 0) >= headSeen
    }

    private var isFetchIdle: Bool {
        if case .none = fetch { return true }
        return false
    }

    private var isRebuilding: Bool { state == .rebuilding }

    private mutating func tick(nowMs: Int64) -> [Effect] {
        if let retryMs = applyRetryMs, retryMs <= nowMs {
            applyRetryMs = nil
            if snapshotInFlight != nil {
                // The page was not kept, so the snapshot is asked for again from the start.
                snapshotInFlight = nil
                return beginSnapshot()
            }
            return inFlight.isEmpty ? applyNext() : [.apply(inFlight)]
        }
        if case .retry(let atMs) = fetch, atMs <= nowMs {
            fetch = .none
            guard isRebuilding else { return beginFetch() }
            // What is being applied comes back first, or its answer would be taken for the snapshot's.
            return inFlight.isEmpty ? beginSnapshot() : []
        }
        if nowMs - heardMs >= Self.silenceMs {
            heardMs = nowMs
            return isUnfinished ? rebuild() : beginFetch()
        }
        return []
    }

    // MARK: - What comes by itself: events and heads

    private mutating func take(_ event: WireEvent) -> [Effect] {
        let header = event.header
        if isRebuilding { return [] }
        if let received, header.epoch != received.epoch { return doubt() }
        headSeen = max(headSeen, header.sequence)
        let expected = (received?.sequence ?? 0) + 1
        if header.sequence < expected { return takeOld(event) }
        guard isFetchIdle else {
            rang = true
            keepAhead(event)
            return []
        }
        // Beyond the limit no event is kept; reading goes on from the log once there is room.
        guard pending.count < Self.pendingMax else { return [] }
        guard header.sequence == expected else {
            gaps += 1
            return [.gap(from: expected, to: header.sequence - 1)] + beginFetch()
        }
        // After a restored backup the next number may follow another event than the one applied here.
        if let known = received?.id, let previous = header.previous, previous != known { return doubt() }
        accept(event)
        if state == .joining { state = .live }
        return applyNext()
    }

    private mutating func keepAhead(_ event: WireEvent) {
        if let last = ahead.last?.header,
            event.header.sequence != last.sequence + 1 || event.header.epoch != last.epoch
        {
            // A hole: the events before it are useless, since the log is read up to there anyway.
            if event.header.sequence <= last.sequence { return }
            ahead = []
        }
        if ahead.count < Self.pendingMax { ahead.append(event) }
    }

    /// Takes what came meanwhile, as far as it follows what has been read.
    private mutating func acceptAhead() {
        defer { ahead = [] }
        for event in ahead where event.header.epoch == received?.epoch {
            let expected = (received?.sequence ?? 0) + 1
            if event.header.sequence < expected { continue }
            guard event.header.sequence == expected, pending.count < Self.pendingMax else { return }
            if let known = received?.id, let previous = event.header.previous, previous != known { return }
            accept(event)
        }
    }

    private mutating func takeOld(_ event: WireEvent) -> [Effect] {
        let header = event.header
        if let received, let id = received.id, header.sequence == received.sequence, header.id != id {
            return doubt()
        }
        duplicates += 1
        return [.dropped(event, reason: "duplicate")]
    }

    /// A head, from the marker's answer or from a beacon, proves that the stream's own subscription has arrived.
    ///
    /// Both topics sort after the stream's, and subscriptions travel in that order. If only the marker's answer counted,
    /// its loss would leave a subscriber that has everything in the state `joining` for ever.
    private mutating func takeHead(_ head: StreamPoint) -> [Effect] {
        if isRebuilding { return [] }
        guard let received else {
            headSeen = max(headSeen, head.sequence)
            guard head.sequence == 0 else { return beginFetch() }
            if isFetchIdle {
                self.received = StreamPoint(stream: stream.rawValue, epoch: head.epoch, sequence: 0, id: nil)
                state = .live
            }
            return []
        }
        guard head.epoch == received.epoch, head.sequence >= received.sequence else { return doubt() }
        headSeen = max(headSeen, head.sequence)
        if head.sequence > received.sequence {
            rang = !isFetchIdle
            return pending.count < Self.pendingMax ? beginFetch() : []
        }
        // At the same number under another id the log is another one: a restored backup keeps its epoch.
        if let id = head.id, received.id != id { return doubt() }
        if isFetchIdle { state = .live }
        return []
    }

    private mutating func accept(_ event: WireEvent) {
        pending.append(event)
        received = StreamPoint(
            stream: stream.rawValue,
            epoch: event.header.epoch,
            sequence: event.header.sequence,
            id: event.header.id
        )
    }

    /// Something does not fit: the log says whether it is only late.
    private mutating func doubt() -> [Effect] {
        if isRebuilding { return [] }
        guard isFetchIdle else {
            doubted = true
            return []
        }
        return beginFetch()
    }

    // MARK: - What the publisher's log is asked, and what its answers mean

    private mutating func beginFetch() -> [Effect] {
        guard isFetchIdle, !isRebuilding else { return [] }
        rang = false
        doubted = false
        ahead = []
        fetch = .since
        state = .catchingUp
        return [.fetch(after: received)]
    }

    private mutating func rebuild() -> [Effect] {
        guard !isRebuilding else { return [] }
        state = .rebuilding
        pending = Queue()
        ahead = []
        if applyRetryMs != nil {
            // What waits to be applied again is of a log that does not exist any more; it might never succeed.
            applyRetryMs = nil
            inFlight = []
        }
        guard isFetchIdle, inFlight.isEmpty else {
            // What is under way must come back first, or its answer would be taken for the snapshot's.
            wantsRebuild = true
            return []
        }
        return beginSnapshot()
    }

    private mutating func beginSnapshot() -> [Effect] {
        wantsRebuild = false
        received = nil
        applied = nil
        // The numbers of the log before say nothing about the new one.
        headSeen = 0
        fetch = .snapshot(isFirst: true)
        return [.fetchSnapshot(next: nil)]
    }

    private mutating func takePage(_ page: EventPage, nowMs: Int64) -> [Effect] {
        if wantsRebuild {
            fetch = .none
            return inFlight.isEmpty ? beginSnapshot() : []
        }
        if case .snapshot(let isFirst) = fetch {
            fetchFailures = 0
            let cursor = page.next == nil ? page.head : nil
            snapshotInFlight = SnapshotStep(cursor: cursor, next: page.next)
            headSeen = max(headSeen, page.head.sequence)
            return [.applySnapshot(page.events, isFirst: isFirst, cursor: cursor)]
        }
        guard case .since = fetch else { return [] }
        headSeen = max(headSeen, page.head.sequence)
        if received == nil {
            received = StreamPoint(stream: stream.rawValue, epoch: page.head.epoch, sequence: 0, id: nil)
        }
        let before = received?.sequence ?? 0
        for event in page.events where event.header.sequence == (received?.sequence ?? 0) + 1 {
            accept(event)
        }
        acceptAhead()
        let reached = received?.sequence ?? 0
        guard reached > before || page.head.sequence <= before else { return retryFetch(nowMs: nowMs) }
        fetchFailures = 0
        return goOn(after: page, reached: reached, hasMoved: reached > before)
    }

    private mutating func goOn(after page: EventPage, reached: Int64, hasMoved: Bool) -> [Effect] {
        fetch = .none
        if (reached < headSeen && (hasMoved || rang)) || doubted {
            // Without room it goes on once something has been applied.
            return (pending.count < Self.pendingMax ? beginFetch() : []) + applyNext()
        }
        // Nothing has come since the question, so the log ends where it says, even if an earlier message claimed more.
        headSeen = reached
        state = .live
        return applyNext()
    }

    /// The log says that there is more and does not give it; asking again at once would be an endless loop.
    private mutating func retryFetch(nowMs: Int64) -> [Effect] {
        fetchFailures += 1
        fetch = .retry(atMs: nowMs + Self.retry.delayMs(attempt: fetchFailures, noise: 1))
        return []
    }

    private mutating func takeFailure(_ problem: Problem, nowMs: Int64) -> [Effect] {
        if wantsRebuild {
            fetch = .none
            return inFlight.isEmpty ? beginSnapshot() : []
        }
        switch problem.code {
        case "epoch.changed", "cursor.too_old", "snapshot.moved":
            let loss = received.flatMap { HistoryLoss(problem, after: $0) }
            fetch = .none
            state = .live
            return (loss.map { [.lost($0)] } ?? []) + rebuild()
        default: return retryFetch(nowMs: nowMs)
        }
    }

    // MARK: - What the database's thread gets, and what it answers

    private mutating func applyNext() -> [Effect] {
        guard inFlight.isEmpty, pending.count > 0, applyRetryMs == nil else { return [] }
        inFlight = pending.take(Self.batchMax)
        return [.apply(inFlight)]
    }

    private mutating func takeApplied() -> [Effect] {
        applyFailures = 0
        if let step = snapshotInFlight { return takeSnapshotApplied(step) }
        if let last = inFlight.last?.header {
            applied = StreamPoint(
                stream: stream.rawValue,
                epoch: last.epoch,
                sequence: last.sequence,
                id: last.id
            )
        }
        inFlight = []
        if wantsRebuild { return isFetchIdle ? beginSnapshot() : [] }
        let more = applyNext()
        // Room again after an overflow: go on reading where it stopped.
        let isBehind =
            isFetchIdle && (received?.sequence ?? 0) < headSeen && pending.count < Self.pendingMax / 2
        return more + (isBehind && state != .joining ? beginFetch() : [])
    }

    private mutating func takeSnapshotApplied(_ step: SnapshotStep) -> [Effect] {
        snapshotInFlight = nil
        if let next = step.next {
            fetch = .snapshot(isFirst: false)
            return [.fetchSnapshot(next: next)]
        }
        applied = step.cursor
        received = step.cursor
        fetch = .none
        state = .live
        // What was published meanwhile is in the log.
        return beginFetch()
    }

    private mutating func takeApplyFailure(nowMs: Int64) -> [Effect] {
        if wantsRebuild {
            // These events are of a log that does not exist any more, so they are dropped.
            inFlight = []
            return isFetchIdle ? beginSnapshot() : []
        }
        applyFailures += 1
        applyRetryMs = nowMs + Self.retry.delayMs(attempt: applyFailures, noise: 1)
        return []
    }

    /// Events that wait to be applied, in order.
    private struct Queue {
        private var events: [WireEvent] = []
        /// Those before it have been taken out.
        private var start = 0

        var count: Int { events.count - start }

        mutating func append(_ event: WireEvent) { events.append(event) }

        mutating func take(_ limit: Int) -> [WireEvent] {
            let end = min(start + limit, events.count)
            let taken = Array(events[start..<end])
            start = end
            // The rest, which may be thousands, is not moved down for every hundred.
            if start * 2 >= events.count {
                events.removeFirst(start)
                start = 0
            }
            return taken
        }
    }
}

extension HistoryLoss {
    /// From a publisher's answer to one who stands at a position that is not in its log; nil where nothing was lost.
    package init?(_ problem: Problem, after position: StreamPoint) {
        guard let lost = problem.details["lost"] else { return nil }
        self.init(
            source: "",
            stream: position.stream,
            kept: problem.details["head"].flatMap { Int64($0) } ?? 0,
            keptWallMs: problem.details["head_ms"].flatMap { Int64($0) },
            promised: position.sequence,
            promisedId: position.id,
            promisedWallMs: position.id.flatMap { Identifier.wallMs(of: $0) },
            isOther: lost == "other"
        )
    }

    package func of(_ service: ServiceName) -> HistoryLoss {
        var loss = self
        loss.source = service.rawValue
        return loss
    }
}
