import STContracts
import STPlatform

/// What is asked of the publisher's log, and what its answers mean.
extension FollowerMachine {
    mutating func beginFetch() -> [Effect] {
        guard isFetchIdle, !isRebuilding else { return [] }
        rang = false
        doubted = false
        ahead = []
        fetch = .since
        state = .catchingUp
        return [.fetch(after: received)]
    }

    mutating func rebuild() -> [Effect] {
        guard !isRebuilding else { return [] }
        state = .rebuilding
        pending = []
        pendingStart = 0
        ahead = []
        if applyRetryMs != nil {
            // What waits to be applied again is of a log that is no more; it might never succeed.
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

    mutating func beginSnapshot() -> [Effect] {
        wantsRebuild = false
        received = nil
        applied = nil
        // The numbers of the log before say nothing about the new one.
        headSeen = 0
        fetch = .snapshot(isFirst: true)
        return [.fetchSnapshot(next: nil)]
    }

    mutating func takePage(_ page: EventPage, nowMs: Int64) -> [Effect] {
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
            return (waitingCount < Self.pendingMax ? beginFetch() : []) + applyNext()
        }
        // Nothing has come since the question, so the log has no more than it says, whatever was heard before.
        headSeen = reached
        state = .live
        return applyNext()
    }

    /// The log says that there is more and does not give it; to ask again at once would be a loop without an end.
    private mutating func retryFetch(nowMs: Int64) -> [Effect] {
        fetchFailures += 1
        fetch = .retry(atMs: nowMs + Self.retry.delayMs(attempt: fetchFailures, noise: 1))
        return []
    }

    mutating func takeFailure(_ problem: Problem, nowMs: Int64) -> [Effect] {
        if wantsRebuild {
            fetch = .none
            return inFlight.isEmpty ? beginSnapshot() : []
        }
        switch problem.code {
        case "epoch.changed", "cursor.too_old", "snapshot.moved":
            fetch = .none
            state = .live
            return rebuild()
        default: return retryFetch(nowMs: nowMs)
        }
    }
}
