import STPlatform

/// Limits the observed changes per second without losing time of any app.
///
/// Pure. Windows that flap would fill the ledger with rows of a millisecond. Beyond the rate, the changes of half a second are
/// sent sorted, one interval per app. The sums stay exact to the millisecond, and only the order within that half second is lost.
/// If such a half second contains more than ten apps, the time of the shortest is added to the longest.
struct ObservationThrottle: Sendable {
    struct Change: Sendable, Equatable {
        var state: ObservedState
        var at: BootTime
    }

    /// Upper bound on the changes that are sent without a pause. The same number is added again in each second.
    ///
    /// A sorted half second may use ten more, so there are never more than 50 changes in any second.
    private static let burstMax: Int64 = 20
    private static let token: Duration = .milliseconds(50)
    static let foldLength: Duration = .milliseconds(500)

    /// The last change that was sent.
    private(set) var lastSent: Change?
    /// Changes in a millisecond that is not over yet, or in the half second that is being sorted. They are in order, one
    /// per millisecond.
    private var waiting: [Change] = []
    /// A length instead of a count, so that nothing is rounded.
    private var tokens = token * burstMax
    private var filledAt = BootTime(ms: 0)
    /// The start of the half second that is being sorted. `nil` while each change is sent separately.
    private var foldStart: BootTime?

    /// Adds a change at a moment. The moment is moved so that it is not before the last change that was sent.
    mutating func enqueue(_ sight: ObservedState, at moment: BootTime) {
        let at = max(moment, waiting.last?.at ?? lastSent?.at ?? BootTime(ms: 0))
        // The last of several changes within one millisecond counts.
        if waiting.last?.at == at { waiting.removeLast() }
        guard sight != (waiting.last ?? lastSent)?.state else { return }
        waiting.append(Change(state: sight, at: at))
    }

    var isSettled: Bool { waiting.isEmpty && foldStart == nil }

    /// The boot time at which `tell` has something to return.
    var nextDue: BootTime? {
        if let foldStart { return foldStart + Self.foldLength }
        return waiting.first.map { $0.at + .milliseconds(1) }
    }

    /// Returns the changes that are ready: only those of past milliseconds, because another change may still arrive in
    /// the present one.
    mutating func takeDue(_ now: BootTime) -> [Change] {
        var changes: [Change] = []
        while true {
            if let start = foldStart {
                guard now >= start + Self.foldLength else { return changes }
                changes += fold(before: start + Self.foldLength)
                foldStart = nil
            } else {
                guard let next = waiting.first, next.at < now else { return changes }
                refillTokens(next.at)
                guard tokens >= Self.token else {
                    foldStart = next.at
                    continue
                }
                waiting.removeFirst()
                if next.state != lastSent?.state { changes.append(consumeToken(next)) }
            }
        }
    }

    private mutating func refillTokens(_ now: BootTime) {
        tokens = min(Self.token * Self.burstMax, tokens + max(.zero, now - filledAt))
        filledAt = max(filledAt, now)
    }

    private mutating func consumeToken(_ change: Change) -> Change {
        tokens -= Self.token
        lastSent = change
        return change
    }

    /// Returns one interval for each sight of that half second. The previous sight comes first, and the final sight last.
    private mutating func fold(before end: BootTime) -> [Change] {
        refillTokens(end)
        let count = waiting.prefix { $0.at < end }.count
        let parts = waiting.prefix(count)
        waiting.removeFirst(count)
        guard var at = parts.first?.at, let last = parts.last?.state else { return [] }
        var order: [ObservedState] = []
        var lasted: [ObservedState: Duration] = [:]
        for (index, part) in parts.enumerated() {
            let partEnd = index + 1 < count ? parts[parts.startIndex + index + 1].at : end
            if lasted[part.state] == nil { order.append(part.state) }
            lasted[part.state, default: .zero] += partEnd - part.at
        }
        keepLongest(Int(tokens.ms / Self.token.ms), last: last, order: &order, lasted: &lasted)
        order.removeAll { $0 == last || $0 == lastSent?.state }
        if let before = lastSent?.state, before != last, lasted[before] != nil { order.insert(before, at: 0) }
        order.append(last)
        var changes: [Change] = []
        for sight in order {
            if sight != lastSent?.state {
                changes.append(consumeToken(Change(state: sight, at: at)))
            }
            at = at + (lasted[sight] ?? .zero)
        }
        return changes
    }

    private func keepLongest(
        _ limit: Int,
        last: ObservedState,
        order: inout [ObservedState],
        lasted: inout [ObservedState: Duration]
    ) {
        guard order.count > limit else { return }
        let ranked = order.sorted { (lasted[$0] ?? .zero) > (lasted[$1] ?? .zero) }
        var kept = Array(ranked.prefix(max(1, limit)))
        if !kept.contains(last) { kept[kept.count - 1] = last }
        for sight in order where !kept.contains(sight) {
            lasted[kept[0], default: .zero] += lasted.removeValue(forKey: sight) ?? .zero
        }
        order.removeAll { !kept.contains($0) }
    }
}
