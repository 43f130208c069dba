import STContracts

/// What the database's thread is given, and what it answers.
extension FollowerMachine {
    mutating func applyNext() -> [Effect] {
        guard inFlight.isEmpty, waitingCount > 0, applyRetryMs == nil else { return [] }
        let end = min(pendingStart + Self.batchMax, pending.count)
        inFlight = Array(pending[pendingStart..<end])
        pendingStart = end
        // The rest, which may be thousands, is not moved down for every hundred.
        if pendingStart * 2 >= pending.count {
            pending.removeFirst(pendingStart)
            pendingStart = 0
        }
        return [.apply(inFlight)]
    }

    mutating func takeApplied() -> [Effect] {
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
            isFetchIdle && (received?.sequence ?? 0) < headSeen && waitingCount < Self.pendingMax / 2
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

    mutating func takeApplyFailure(nowMs: Int64) -> [Effect] {
        if wantsRebuild {
            // These events are of a log that is no more; nobody will miss them.
            inFlight = []
            return isFetchIdle ? beginSnapshot() : []
        }
        applyFailures += 1
        applyRetryMs = nowMs + Self.retry.delayMs(attempt: applyFailures, noise: 1)
        return []
    }
}
