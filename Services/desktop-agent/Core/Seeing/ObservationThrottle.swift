/// Limits the observed changes per second without losing time of any app.
///
/// Pure. Windows that flap would fill the ledger with rows of a millisecond. Beyond the rate, the changes of half a second are
/// sent sorted, one interval per app. The sums stay exact to the millisecond, and only the order within that half second is lost.
/// If such a half second contains more than ten apps, the time of the shortest is added to the longest.
struct ObservationThrottle: Sendable {
    struct Change: Sendable, Equatable {
        var state: ObservedState
        var atBootMs: Int64
    }

    /// Upper bound on the changes that are sent without a pause. The same number is added again in each second.
    ///
    /// A sorted half second may use ten more, so there are never more than 50 changes in any second.
    private static let burstMax: Int64 = 20
    private static let tokenMs: Int64 = 50
    static let foldMs: Int64 = 500

    /// The last change that was sent.
    private(set) var lastSent: Change?
    /// Changes in a millisecond that is not over yet, or in the half second that is being sorted. They are in order, one
    /// per millisecond.
    private var waiting: [Change] = []
    /// In milliseconds, so that nothing is rounded.
    private var tokensMs = burstMax * tokenMs
    private var filledBootMs: Int64 = 0
    /// The start of the half second that is being sorted. `nil` while each change is sent separately.
    private var foldBootMs: Int64?

    /// Adds a change at a moment. The moment is moved so that it is not before the last change that was sent.
    mutating func enqueue(_ sight: ObservedState, atBootMs: Int64) {
        let bootMs = max(atBootMs, waiting.last?.atBootMs ?? lastSent?.atBootMs ?? 0)
        // The last of several changes within one millisecond counts.
        if waiting.last?.atBootMs == bootMs { waiting.removeLast() }
        guard sight != (waiting.last ?? lastSent)?.state else { return }
        waiting.append(Change(state: sight, atBootMs: bootMs))
    }

    var isSettled: Bool { waiting.isEmpty && foldBootMs == nil }

    /// The boot time at which `tell` has something to return.
    var nextBootMs: Int64? {
        if let foldBootMs { return foldBootMs + Self.foldMs }
        return waiting.first.map { $0.atBootMs + 1 }
    }

    /// Returns the changes that are ready: only those of past milliseconds, because another change may still arrive in
    /// the present one.
    mutating func takeDue(bootMs now: Int64) -> [Change] {
        var changes: [Change] = []
        while true {
            if let start = foldBootMs {
                guard now >= start + Self.foldMs else { return changes }
                changes += fold(before: start + Self.foldMs)
                foldBootMs = nil
            } else {
                guard let next = waiting.first, next.atBootMs < now else { return changes }
                refillTokens(next.atBootMs)
                guard tokensMs >= Self.tokenMs else {
                    foldBootMs = next.atBootMs
                    continue
                }
                waiting.removeFirst()
                if next.state != lastSent?.state { changes.append(consumeToken(next)) }
            }
        }
    }

    private mutating func refillTokens(_ bootMs: Int64) {
        tokensMs = min(Self.burstMax * Self.tokenMs, tokensMs + max(0, bootMs - filledBootMs))
        filledBootMs = max(filledBootMs, bootMs)
    }

    private mutating func consumeToken(_ change: Change) -> Change {
        tokensMs -= Self.tokenMs
        lastSent = change
        return change
    }

    /// Returns one interval for each sight of that half second. The previous sight comes first, and the final sight last.
    private mutating func fold(before end: Int64) -> [Change] {
        refillTokens(end)
        let count = waiting.prefix { $0.atBootMs < end }.count
        let parts = waiting.prefix(count)
        waiting.removeFirst(count)
        guard var bootMs = parts.first?.atBootMs, let last = parts.last?.state else { return [] }
        var order: [ObservedState] = []
        var lasted: [ObservedState: Int64] = [:]
        for (index, part) in parts.enumerated() {
            let partEnd = index + 1 < count ? parts[parts.startIndex + index + 1].atBootMs : end
            if lasted[part.state] == nil { order.append(part.state) }
            lasted[part.state, default: 0] += partEnd - part.atBootMs
        }
        keepLongest(Int(tokensMs / Self.tokenMs), last: last, order: &order, lasted: &lasted)
        order.removeAll { $0 == last || $0 == lastSent?.state }
        if let before = lastSent?.state, before != last, lasted[before] != nil { order.insert(before, at: 0) }
        order.append(last)
        var changes: [Change] = []
        for sight in order {
            if sight != lastSent?.state {
                changes.append(consumeToken(Change(state: sight, atBootMs: bootMs)))
            }
            bootMs += lasted[sight] ?? 0
        }
        return changes
    }

    private func keepLongest(
        _ limit: Int,
        last: ObservedState,
        order: inout [ObservedState],
        lasted: inout [ObservedState: Int64]
    ) {
        guard order.count > limit else { return }
        let ranked = order.sorted { (lasted[$0] ?? 0) > (lasted[$1] ?? 0) }
        var kept = Array(ranked.prefix(max(1, limit)))
        if !kept.contains(last) { kept[kept.count - 1] = last }
        for sight in order where !kept.contains(sight) {
            lasted[kept[0], default: 0] += lasted.removeValue(forKey: sight) ?? 0
        }
        order.removeAll { !kept.contains($0) }
    }
}
