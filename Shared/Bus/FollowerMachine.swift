package import STContracts
package import STPlatform

/// The subscriber's side of one stream: nothing lost, nothing applied twice, in order.
///
/// Live events are only a doorbell. A hole, a head beyond what has come, or a reconnect is filled from the
/// publisher's log before anything later is applied; a log that was reset or trimmed is answered with a rebuild from
/// a snapshot. Pure: messages and time come in, effects come out.
package struct FollowerMachine: Sendable {
    package enum Input: Sendable {
        case event(WireEvent)
        /// From a beacon, or from the answer to the marker subscription.
        case head(StreamPoint, isJoin: Bool)
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
        /// Apply in one transaction together with the cursor, which is that of the last event.
        case apply([WireEvent])
        /// `isFirst`: forget everything built from this stream before. `cursor`: set once the last page is in.
        case applySnapshot([WireEvent], isFirst: Bool, cursor: StreamPoint?)
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

    /// Events waiting to be applied; beyond it they are dropped here and read from the log later.
    private static let pendingMax = 10_000
    /// As many as one commit may hold.
    package static let batchMax = 100
    /// Two and a half beacons without a word: ask.
    private static let silenceMs: Int64 = 12_500
    private static let retry = Backoff(firstMs: 50, limitMs: 2_000)

    package let stream: StreamName
    package private(set) var state = State.joining
    /// The last event taken in, applied or about to be.
    private var received: StreamPoint?
    package private(set) var applied: StreamPoint?
    package private(set) var headSeen: Int64 = 0
    private var fetch = Fetch.none
    private var wantsRebuild = false
    private var pending: [WireEvent] = []
    private var inFlight: [WireEvent] = []
    private var snapshotInFlight: (cursor: StreamPoint?, next: String?)?
    private var failures = 0
    private var applyRetryMs: Int64?
    private var heardMs: Int64

    package private(set) var gaps = 0
    package private(set) var duplicates = 0

    package init(stream: StreamName, cursor: StreamPoint?, nowMs: Int64) {
        self.stream = stream
        applied = cursor
        received = cursor
        headSeen = cursor?.sequence ?? 0
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
            return take(event, nowMs: nowMs)
        case .head(let head, let isJoin):
            heardMs = nowMs
            return takeHead(head, isJoin: isJoin)
        case .page(let page):
            failures = 0
            return takePage(page, nowMs: nowMs)
        case .pageFailed(let problem): return takeFailure(problem, nowMs: nowMs)
        case .applied: return takeApplied()
        case .applyFailed:
            failures += 1
            applyRetryMs = nowMs + Self.retry.delayMs(attempt: failures, noise: 1)
            return []
        case .stalled: return beginFetch()
        case .tick: return tick(nowMs: nowMs)
        }
    }

    // MARK: - Live

    private mutating func take(_ event: WireEvent, nowMs: Int64) -> [Effect] {
        let header = event.header
        headSeen = max(headSeen, header.sequence)
        guard header.epoch == received?.epoch || received == nil else { return rebuild() }
        if isRebuilding { return [] }
        let expected = (received?.sequence ?? 0) + 1
        if header.sequence < expected {
            duplicates += 1
            return [.dropped(event, reason: "duplicate")]
        }
        guard header.sequence == expected, isFetchIdle, pending.count < Self.pendingMax else {
            // Read from the log later, in order; a hole is told once, when it opens.
            let isHole = header.sequence > expected && isFetchIdle
            if isHole { gaps += 1 }
            let told: [Effect] = isHole ? [.gap(from: expected, to: header.sequence - 1)] : []
            return told + (pending.count < Self.pendingMax ? beginFetch() : [])
        }
        accept(event)
        if state == .joining { state = .live }
        return applyNext()
    }

    private mutating func takeHead(_ head: StreamPoint, isJoin: Bool) -> [Effect] {
        headSeen = max(headSeen, head.sequence)
        if let received, received.epoch != head.epoch || received.sequence > head.sequence { return rebuild() }
        if isRebuilding { return [] }
        let isBehind = head.sequence > (received?.sequence ?? 0)
        // At the same number under another id the log is another one: a restored backup keeps its epoch.
        if !isBehind, let received, let id = head.id, received.id != id { return rebuild() }
        if isJoin && !isBehind, isFetchIdle {
            if received == nil { received = StreamPoint(stream: stream.rawValue, epoch: head.epoch, sequence: 0, id: nil) }
            state = .live
        }
        return isBehind ? beginFetch() : []
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

    // MARK: - Catching up

    private var isFetchIdle: Bool {
        if case .none = fetch { return true }
        return false
    }

    private var isRebuilding: Bool { state == .rebuilding }

    private mutating func beginFetch() -> [Effect] {
        guard isFetchIdle, !isRebuilding else { return [] }
        fetch = .since
        state = .catchingUp
        return [.fetch(after: received)]
    }

    private mutating func rebuild() -> [Effect] {
        guard !isRebuilding else { return [] }
        state = .rebuilding
        pending = []
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
        // That of the other log: this one may be shorter, and would look as if it were never caught up with.
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
            let cursor = page.next == nil ? page.head : nil
            snapshotInFlight = (cursor, page.next)
            headSeen = max(headSeen, page.head.sequence)
            return [.applySnapshot(page.events, isFirst: isFirst, cursor: cursor)]
        }
        guard case .since = fetch else { return [] }
        headSeen = max(headSeen, page.head.sequence)
        if received == nil {
            received = StreamPoint(stream: stream.rawValue, epoch: page.head.epoch, sequence: 0, id: nil)
        }
        for event in page.events where event.header.sequence == (received?.sequence ?? 0) + 1 { accept(event) }
        let isMore = (received?.sequence ?? 0) < headSeen && !page.events.isEmpty
        if isMore && pending.count < Self.pendingMax { return [.fetch(after: received)] + applyNext() }
        fetch = .none
        if !isMore { state = .live }
        return applyNext()
    }

    private mutating func takeFailure(_ problem: Problem, nowMs: Int64) -> [Effect] {
        if wantsRebuild {
            fetch = .none
            return inFlight.isEmpty ? beginSnapshot() : []
        }
        switch problem.code {
        case "epoch.changed", "cursor.too_old", "snapshot.moved":
            fetch = .none
            state = .live
            return rebuild()
        default:
            failures += 1
            fetch = .retry(atMs: nowMs + Self.retry.delayMs(attempt: failures, noise: 1))
            return []
        }
    }

    // MARK: - Applying

    private mutating func applyNext() -> [Effect] {
        guard inFlight.isEmpty, !pending.isEmpty, applyRetryMs == nil else { return [] }
        inFlight = Array(pending.prefix(Self.batchMax))
        pending.removeFirst(inFlight.count)
        return [.apply(inFlight)]
    }

    private mutating func takeApplied() -> [Effect] {
        failures = 0
        if let page = snapshotInFlight {
            snapshotInFlight = nil
            if let next = page.next {
                fetch = .snapshot(isFirst: false)
                return [.fetchSnapshot(next: next)]
            }
            applied = page.cursor
            received = page.cursor
            fetch = .none
            state = .live
            // What was published meanwhile is in the log.
            return beginFetch()
        }
        if let last = inFlight.last?.header {
            applied = StreamPoint(stream: stream.rawValue, epoch: last.epoch, sequence: last.sequence, id: last.id)
        }
        inFlight = []
        if wantsRebuild { return isFetchIdle ? beginSnapshot() : [] }
        let more = applyNext()
        // Room again after an overflow: go on reading where it stopped.
        let isBehind = isFetchIdle && (received?.sequence ?? 0) < headSeen && pending.count < Self.pendingMax / 2
        return more + (isBehind && state != .joining ? beginFetch() : [])
    }

    private mutating func tick(nowMs: Int64) -> [Effect] {
        if let retryMs = applyRetryMs, retryMs <= nowMs {
            applyRetryMs = nil
            if let page = snapshotInFlight {
                // The page was not kept, so it is asked for again from the start.
                snapshotInFlight = nil
                _ = page
                return beginSnapshot()
            }
            return inFlight.isEmpty ? applyNext() : [.apply(inFlight)]
        }
        if case .retry(let atMs) = fetch, atMs <= nowMs {
            fetch = .none
            return isRebuilding ? beginSnapshot() : beginFetch()
        }
        if nowMs - heardMs >= Self.silenceMs {
            heardMs = nowMs
            return beginFetch()
        }
        return []
    }
}
