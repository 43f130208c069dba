import STContracts

/// What comes by itself: events and heads.
extension FollowerMachine {
    mutating func take(_ event: WireEvent) -> [Effect] {
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
        // Beyond the limit nothing is kept; reading goes on from the log once there is room.
        guard waitingCount < Self.pendingMax else { return [] }
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
            // A hole: what came before it is of no use any more, since reading goes on from the log up to there.
            if event.header.sequence <= last.sequence { return }
            ahead = []
        }
        if ahead.count < Self.pendingMax { ahead.append(event) }
    }

    /// Takes what came meanwhile, as far as it follows what has been read.
    mutating func acceptAhead() {
        defer { ahead = [] }
        for event in ahead where event.header.epoch == received?.epoch {
            let expected = (received?.sequence ?? 0) + 1
            if event.header.sequence < expected { continue }
            guard event.header.sequence == expected, waitingCount < Self.pendingMax else { return }
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

    /// A head proves that the stream's own subscription has arrived, be it the marker's answer or a beacon.
    ///
    /// Both topics sort after the stream's, and subscriptions travel in that order. Were only the marker's answer taken for it,
    /// its loss would leave a subscriber that has everything joining for ever.
    mutating func takeHead(_ head: StreamPoint) -> [Effect] {
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
            return waitingCount < Self.pendingMax ? beginFetch() : []
        }
        // At the same number under another id the log is another one: a restored backup keeps its epoch.
        if let id = head.id, received.id != id { return doubt() }
        if isFetchIdle { state = .live }
        return []
    }

    mutating func accept(_ event: WireEvent) {
        pending.append(event)
        received = StreamPoint(
            stream: stream.rawValue,
            epoch: event.header.epoch,
            sequence: event.header.sequence,
            id: event.header.id
        )
    }

    /// Something does not fit: the log says whether it is only late.
    mutating func doubt() -> [Effect] {
        if isRebuilding { return [] }
        guard isFetchIdle else {
            doubted = true
            return []
        }
        return beginFetch()
    }
}
