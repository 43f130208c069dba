import STContracts

/// What a rule asks of somebody, without its name and words: what makes one rule stricter than another.
struct RuleDemand: Equatable {
    /// `nil` is everything there is.
    typealias Things = Set<TokenItem>?

    var kind: RuleKind
    var things: Things
    var opens: Set<TokenItem>
    var amountMs: Int64
    /// Of a week, in which it holds; of a window those in which it is open. Whole days where there is no part of one.
    var minutes: Set<Int>
    var shields: Bool

    static let dayMinutes = 1_440
    static let weekMinutes = 7 * dayMinutes

    init(_ spec: RuleSpec) {
        kind = spec.kind
        // Only a limit can be on everything.
        things = spec.kind == .limit && spec.targets.isEmpty ? nil : Set(spec.targets)
        opens = Set(spec.opens ?? [])
        amountMs = spec.durationMs ?? 0
        shields = spec.then == .shield
        minutes = spec.kind == .allow ? [] : Self.minutes(spec.window, spec.days)
    }

    private static func minutes(_ window: RuleWindow?, _ days: [Int]?) -> Set<Int> {
        let from = window.flatMap { ClockTime($0.from) }?.minutes ?? 0
        let to = window.flatMap { ClockTime($0.to) }?.minutes ?? 0
        let length = to > from ? to - from : to + dayMinutes - from
        var minutes: Set<Int> = []
        for day in days ?? Array(1...7) {
            let start = (day - 1) * dayMinutes + from
            for minute in start..<(start + length) { minutes.insert(minute % weekMinutes) }
        }
        return minutes
    }

    /// Whether nothing of it is easier on somebody than the other one is.
    func isAtLeastAsStrict(as other: RuleDemand) -> Bool {
        guard kind == other.kind, shields || !other.shields else { return false }
        switch kind {
        case .limit:
            return amountMs <= other.amountMs && minutes.isSuperset(of: other.minutes)
                && Self.covers(things, other.things)
        case .downtime: return minutes.isSuperset(of: other.minutes)
        case .window: return minutes.isSubset(of: other.minutes) && Self.covers(things, other.things)
        case .goal:
            // What counts towards it is a help, and what it opens is shut until then.
            return amountMs >= other.amountMs && minutes.isSuperset(of: other.minutes)
                && Self.covers(other.things, things) && opens.isSuperset(of: other.opens)
        case .allow: return Self.covers(other.things, things)
        case .unknown: return false
        }
    }

    private static func covers(_ more: Things, _ less: Things) -> Bool {
        guard let more else { return true }
        return less.map { more.isSuperset(of: $0) } ?? false
    }
}
