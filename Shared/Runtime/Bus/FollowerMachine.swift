package import STContracts
package import STPlatform

/// The subscriber's side of one stream: nothing lost, nothing applied twice, in order.
///
/// Live messages are only a doorbell. A hole, a head beyond what has come, or a reconnect is filled from the
/// publisher's log before anything later is applied. A message that does not fit (another epoch, a head behind what
/// has come, another id at the same number) may just be late, so it is no proof: the log is asked, and only its
/// answer that the cursor is of another log, or too old, leads to a rebuild from a snapshot.
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

    enum Fetch {
        case none
        case since
        case snapshot(isFirst: Bool)
        case retry(atMs: Int64)
    }

    struct SnapshotStep {
        var cursor: StreamPoint?
        var next: String?
    }

    /// Events waiting to be applied; beyond it they are dropped here and read from the log later.
    static let pendingMax = 20_000
    /// As many as one commit may hold.
    package static let batchMax = 100
    /// Two and a half beacons without a word: ask.
    static let silenceMs: Int64 = 37_500
    static let retry = Backoff(firstMs: 50, limitMs: 2_000)

    package let stream: StreamName
    package internal(set) var state = State.joining
    /// The last event taken in, applied or about to be.
    var received: StreamPoint?
    package internal(set) var applied: StreamPoint?
    package internal(set) var headSeen: Int64 = 0
    var fetch = Fetch.none
    var wantsRebuild: Bool
    /// While a fetch was under way something came that its answer may not hold.
    var rang = false
    /// While a fetch was under way a message came that does not fit, so its answer may be older than the trouble.
    var doubted = false
    var pending: [WireEvent] = []
    /// Those before it have been taken out to be applied.
    var pendingStart = 0
    /// Live events that came while a fetch was under way, without holes among them.
    ///
    /// When the answer reaches up to the first of them they follow at once; without them a subscriber that
    /// fell behind once would find each answer outdated by what was published meanwhile, and would never be
    /// live again under load.
    var ahead: [WireEvent] = []
    var inFlight: [WireEvent] = []
    var snapshotInFlight: SnapshotStep?
    var fetchFailures = 0
    var applyFailures = 0
    var applyRetryMs: Int64?
    var heardMs: Int64

    package internal(set) var gaps = 0
    package internal(set) var duplicates = 0

    /// `isRebuilding`: the last run ended in the middle of a rebuild, so what is stored is a part of a snapshot and
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

    /// Whether everything heard of has been applied, and nothing is asked for or tried again.
    package var isSettled: Bool {
        state == .live && isFetchIdle && waitingCount == 0 && inFlight.isEmpty && snapshotInFlight == nil
            && applyRetryMs == nil && (applied?.sequence ?? 0) >= headSeen
    }

    var waitingCount: Int { pending.count - pendingStart }

    var isFetchIdle: Bool {
        if case .none = fetch { return true }
        return false
    }

    var isRebuilding: Bool { state == .rebuilding }

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
}
