package import STContracts
package import STPlatform

/// The subscriber's side of one stream. It loses no event, applies no event twice, and applies all events in order.
///
/// Live messages only announce events that are in the publisher's log. After a gap, a head beyond the received events, or a
/// reconnect, the machine reads the log before it applies any later event. A message that does not fit has another epoch, a head
/// before the received events, or another id at the same number. It may only be late, so it proves nothing. The machine then reads
/// the log. It rebuilds from a snapshot only if the log replies that the cursor is of another log or too old.
///
/// Pure: messages and time go in, effects come out. The owner reports the result of each effect with another input:
///
/// ```swift
/// var machine = FollowerMachine(stream: .usage, cursor: savedCursor, now: now)
/// for effect in machine.handle(.event(event), now: now) {
///     switch effect {
///     case .apply(let events): apply(events)  // Then: `.applied` or `.applyFailed`.
///     case .fetch(let after): requestEvents(after)  // Then: `.page` or `.pageFailed`.
///     case .fetchSnapshot(let next): requestSnapshot(next)  // Then: `.page` or `.pageFailed`.
///     default: break
///     }
/// }
/// ```
package struct FollowerMachine: Sendable {
    package enum Input: Sendable {
        case event(WireEvent)
        /// From a beacon, or from the reply to the marker subscription.
        case head(StreamPoint)
        case page(EventPage)
        case pageFailed(Problem)
        case applied
        case applyFailed(Problem)
        /// The subscriber's own loop was blocked, so it may have missed any message.
        case stalled
        case tick
    }

    package enum Effect: Sendable {
        case fetch(after: StreamPoint?)
        case fetchSnapshot(next: String?)
        /// Apply in one transaction, and move the cursor past the last event.
        case apply([WireEvent])
        /// `isFirst`: first delete everything built from this stream. `cursor`: set for the last page.
        case applySnapshot([WireEvent], isFirst: Bool, cursor: StreamPoint?)
        /// The publisher no longer has events that it had announced.
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
        case retry(at: BootTime)
    }

    private struct SnapshotStep {
        var cursor: StreamPoint?
        var next: String?
    }

    /// Upper bound on the events that wait to be applied. More events are dropped here and read from the log later.
    private static let pendingMax = 20_000
    /// Upper bound on the events in one commit.
    package static let batchMax = 100
    /// The silence after which the machine reads the log: two and a half beacons.
    private static let silence = Duration.milliseconds(37_500)
    private static let retry = Backoff(firstMs: 50, limitMs: 2_000)

    package let stream: StreamName
    package private(set) var state = State.joining
    /// The last event received, which has been applied or will be.
    private var received: StreamPoint?
    package private(set) var applied: StreamPoint?
    package private(set) var latestHead: Int64 = 0
    private var fetch = Fetch.none
    private var wantsRebuild: Bool
    /// True if something arrived during a fetch that its reply may not contain.
    private var wasSignalled = false
    /// True if a message that does not fit arrived during a fetch, so that the reply may be older than the problem.
    private var hasDoubt = false
    private var pending = Queue()
    /// Live events that arrived during a fetch, without gaps among them.
    ///
    /// If the reply reaches the first of them, they are accepted immediately afterwards. Otherwise, the events published meanwhile
    /// would make each reply outdated, and a subscriber that once fell behind would never be live again under load.
    private var ahead: [WireEvent] = []
    private var inFlight: [WireEvent] = []
    private var snapshotInFlight: SnapshotStep?
    private var fetchFailures = 0
    private var applyFailures = 0
    private var applyRetryAt: BootTime?
    private var lastReceived: BootTime

    package private(set) var gaps = 0
    package private(set) var duplicates = 0

    /// `isRebuilding`: true if the last run ended during a rebuild. Only a part of a snapshot is stored then, and no event may be
    /// applied on top of it.
    package init(stream: StreamName, cursor: StreamPoint?, isRebuilding: Bool = false, now: BootTime) {
        self.stream = stream
        applied = cursor
        received = cursor
        latestHead = cursor?.sequence ?? 0
        wantsRebuild = isRebuilding
        lastReceived = now
    }

    package var next: BootTime {
        var next = lastReceived + Self.silence
        if case .retry(let at) = fetch { next = min(next, at) }
        if let applyRetryAt { next = min(next, applyRetryAt) }
        return next
    }

    package mutating func handle(_ input: Input, now: BootTime) -> [Effect] {
        switch input {
        case .event(let event):
            lastReceived = now
            return isUnfinished ? rebuild() : receive(event)
        case .head(let head):
            lastReceived = now
            return isUnfinished ? rebuild() : receiveHead(head)
        case .page(let page): return receivePage(page, now: now)
        case .pageFailed(let problem): return handleFetchFailure(problem, now: now)
        case .applied: return handleApplied()
        case .applyFailed: return handleApplyFailure(now: now)
        case .stalled: return isUnfinished ? rebuild() : checkForGap()
        case .tick: return tick(now: now)
        }
    }

    /// True if an earlier run began a rebuild and this one has not begun it again yet.
    private var isUnfinished: Bool { wantsRebuild && state == .joining }

    /// True if everything announced has been applied, and no fetch and no retry is under way.
    package var isCaughtUp: Bool {
        state == .live && isFetchIdle && pending.count == 0 && inFlight.isEmpty && snapshotInFlight == nil
            && applyRetryAt == nil && (applied?.sequence ?? 0) >= latestHead
    }

    private var isFetchIdle: Bool {
        if case .none = fetch { return true }
        return false
    }

    private var isRebuilding: Bool { state == .rebuilding }

    private mutating func tick(now: BootTime) -> [Effect] {
        if let retryAt = applyRetryAt, retryAt <= now {
            applyRetryAt = nil
            if snapshotInFlight != nil {
                // The page was not stored, so the snapshot is requested again from the start.
                snapshotInFlight = nil
                return beginSnapshot()
            }
            return inFlight.isEmpty ? applyNext() : [.apply(inFlight)]
        }
        if case .retry(let at) = fetch, at <= now {
            fetch = .none
            guard isRebuilding else { return beginFetch() }
            // First wait for the result of the events being applied. Otherwise it would be taken for the result of the snapshot.
            return inFlight.isEmpty ? beginSnapshot() : []
        }
        if now - lastReceived >= Self.silence {
            lastReceived = now
            return isUnfinished ? rebuild() : beginFetch()
        }
        return []
    }

    // MARK: - Live events and heads

    private mutating func receive(_ event: WireEvent) -> [Effect] {
        let header = event.header
        if isRebuilding { return [] }
        if let received, header.epoch != received.epoch { return checkForGap() }
        latestHead = max(latestHead, header.sequence)
        let expected = (received?.sequence ?? 0) + 1
        if header.sequence < expected { return receiveOld(event) }
        guard isFetchIdle else {
            wasSignalled = true
            storeAhead(event)
            return []
        }
        // Beyond the limit no event is kept. Reading continues from the log once there is room.
        guard pending.count < Self.pendingMax else { return [] }
        guard header.sequence == expected else {
            gaps += 1
            return [.gap(from: expected, to: header.sequence - 1)] + beginFetch()
        }
        // After a restored backup, the next number may follow another event than the one applied here.
        if let known = received?.id, let previous = header.previous, previous != known {
            return checkForGap()
        }
        accept(event)
        if state == .joining { state = .live }
        return applyNext()
    }

    private mutating func storeAhead(_ event: WireEvent) {
        if let last = ahead.last?.header,
            event.header.sequence != last.sequence + 1 || event.header.epoch != last.epoch
        {
            // There is a gap. The events before it are useless, because the log is read up to there anyway.
            if event.header.sequence <= last.sequence { return }
            ahead = []
        }
        if ahead.count < Self.pendingMax { ahead.append(event) }
    }

    /// Accepts the live events that follow the events read from the log.
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

    private mutating func receiveOld(_ event: WireEvent) -> [Effect] {
        let header = event.header
        if let received, let id = received.id, header.sequence == received.sequence, header.id != id {
            return checkForGap()
        }
        duplicates += 1
        return [.dropped(event, reason: "duplicate")]
    }

    /// Handles a head. A head from the marker's reply or from a beacon proves that the stream's own subscription has arrived.
    ///
    /// Both topics sort after the stream's, and subscriptions are sent in that order. If only the marker's reply counted, its loss
    /// would leave a subscriber that has all events in the state `joining` forever.
    private mutating func receiveHead(_ head: StreamPoint) -> [Effect] {
        if isRebuilding { return [] }
        guard let received else {
            latestHead = max(latestHead, head.sequence)
            guard head.sequence == 0 else { return beginFetch() }
            if isFetchIdle {
                self.received = StreamPoint(stream: stream.rawValue, epoch: head.epoch, sequence: 0, id: nil)
                state = .live
            }
            return []
        }
        guard head.epoch == received.epoch, head.sequence >= received.sequence else { return checkForGap() }
        latestHead = max(latestHead, head.sequence)
        if head.sequence > received.sequence {
            wasSignalled = !isFetchIdle
            return pending.count < Self.pendingMax ? beginFetch() : []
        }
        // Another id at the same number means another log, because a restored backup keeps its epoch.
        if let id = head.id, received.id != id { return checkForGap() }
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

    /// Reads the log after a message that does not fit. The log shows if the message was only late.
    private mutating func checkForGap() -> [Effect] {
        if isRebuilding { return [] }
        guard isFetchIdle else {
            hasDoubt = true
            return []
        }
        return beginFetch()
    }

    // MARK: - Requests to the publisher's log, and their replies

    private mutating func beginFetch() -> [Effect] {
        guard isFetchIdle, !isRebuilding else { return [] }
        wasSignalled = false
        hasDoubt = false
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
        if applyRetryAt != nil {
            // The events that wait for a retry are of a log that no longer exists, so they might never succeed.
            applyRetryAt = nil
            inFlight = []
        }
        guard isFetchIdle, inFlight.isEmpty else {
            // First wait for the results under way. Otherwise they would be taken for the result of the snapshot.
            wantsRebuild = true
            return []
        }
        return beginSnapshot()
    }

    private mutating func beginSnapshot() -> [Effect] {
        wantsRebuild = false
        received = nil
        applied = nil
        // The numbers of the old log have no meaning in the new one.
        latestHead = 0
        fetch = .snapshot(isFirst: true)
        return [.fetchSnapshot(next: nil)]
    }

    private mutating func receivePage(_ page: EventPage, now: BootTime) -> [Effect] {
        if wantsRebuild {
            fetch = .none
            return inFlight.isEmpty ? beginSnapshot() : []
        }
        if case .snapshot(let isFirst) = fetch {
            fetchFailures = 0
            let cursor = page.next == nil ? page.head : nil
            snapshotInFlight = SnapshotStep(cursor: cursor, next: page.next)
            latestHead = max(latestHead, page.head.sequence)
            return [.applySnapshot(page.events, isFirst: isFirst, cursor: cursor)]
        }
        guard case .since = fetch else { return [] }
        latestHead = max(latestHead, page.head.sequence)
        if received == nil {
            received = StreamPoint(stream: stream.rawValue, epoch: page.head.epoch, sequence: 0, id: nil)
        }
        let before = received?.sequence ?? 0
        for event in page.events where event.header.sequence == (received?.sequence ?? 0) + 1 {
            accept(event)
        }
        acceptAhead()
        let reached = received?.sequence ?? 0
        guard reached > before || page.head.sequence <= before else { return retryFetch(now: now) }
        fetchFailures = 0
        return continueFetch(after: page, reached: reached, hasMoved: reached > before)
    }

    private mutating func continueFetch(after page: EventPage, reached: Int64, hasMoved: Bool) -> [Effect] {
        fetch = .none
        if (reached < latestHead && (hasMoved || wasSignalled)) || hasDoubt {
            // Without room, reading continues once something has been applied.
            return (pending.count < Self.pendingMax ? beginFetch() : []) + applyNext()
        }
        // Nothing has arrived since the request, so the log ends where the reply says, even if an earlier message announced more.
        latestHead = reached
        state = .live
        return applyNext()
    }

    /// Waits before the next fetch. The log announces more events and does not return them, so an immediate fetch would be an
    /// endless loop.
    private mutating func retryFetch(now: BootTime) -> [Effect] {
        fetchFailures += 1
        fetch = .retry(at: now + .milliseconds(Self.retry.delayMs(attempt: fetchFailures, noise: 1)))
        return []
    }

    private mutating func handleFetchFailure(_ problem: Problem, now: BootTime) -> [Effect] {
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
        default: return retryFetch(now: now)
        }
    }

    // MARK: - Jobs for the database's thread, and their results

    private mutating func applyNext() -> [Effect] {
        guard inFlight.isEmpty, pending.count > 0, applyRetryAt == nil else { return [] }
        inFlight = pending.receive(Self.batchMax)
        return [.apply(inFlight)]
    }

    private mutating func handleApplied() -> [Effect] {
        applyFailures = 0
        if let step = snapshotInFlight { return handleSnapshotApplied(step) }
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
        // There is room again after an overflow, so reading continues from the last event.
        let isBehind =
            isFetchIdle && (received?.sequence ?? 0) < latestHead && pending.count < Self.pendingMax / 2
        return more + (isBehind && state != .joining ? beginFetch() : [])
    }

    private mutating func handleSnapshotApplied(_ step: SnapshotStep) -> [Effect] {
        snapshotInFlight = nil
        if let next = step.next {
            fetch = .snapshot(isFirst: false)
            return [.fetchSnapshot(next: next)]
        }
        applied = step.cursor
        received = step.cursor
        fetch = .none
        state = .live
        // The log contains the events that were published meanwhile.
        return beginFetch()
    }

    private mutating func handleApplyFailure(now: BootTime) -> [Effect] {
        if wantsRebuild {
            // These events are of a log that no longer exists, so they are dropped.
            inFlight = []
            return isFetchIdle ? beginSnapshot() : []
        }
        applyFailures += 1
        applyRetryAt = now + .milliseconds(Self.retry.delayMs(attempt: applyFailures, noise: 1))
        return []
    }

    /// Events that wait to be applied, in order.
    private struct Queue {
        private var events: [WireEvent] = []
        /// The number of events that were already taken.
        private var start = 0

        var count: Int { events.count - start }

        mutating func append(_ event: WireEvent) { events.append(event) }

        mutating func receive(_ limit: Int) -> [WireEvent] {
            let end = min(start + limit, events.count)
            let taken = Array(events[start..<end])
            start = end
            // The remaining events, which may be thousands, are not moved for every hundred.
            if start * 2 >= events.count {
                events.removeFirst(start)
                start = 0
            }
            return taken
        }
    }
}

extension HistoryLoss {
    /// Creates a loss from a publisher's reply to a subscriber whose position is not in its log. Returns nil if nothing was lost.
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
