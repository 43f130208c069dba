package import STContracts
import STDomain

/// Whether a change makes a rule easier for the member, and so may have to wait.
package enum RuleLoosening {
    /// A change that is looser in one respect and stricter in another counts as looser and waits as a whole.
    package static func isLooser(from old: RuleSpec, to new: RuleSpec) -> Bool {
        !RuleDemand(new).isAtLeastAsStrict(as: RuleDemand(old))
    }

    /// Removing a rule is looser unless the rule allows something.
    package static func isRemovalLooser(_ spec: RuleSpec) -> Bool { spec.kind != .allow }

    /// Only a new permission makes things easier.
    package static func isAdditionLooser(_ spec: RuleSpec) -> Bool { spec.kind == .allow }

    private static func pausedMs(_ rule: Rule, _ nowMs: Int64) -> Int64 {
        rule.isPaused(nowMs: nowMs) ? rule.pausedUntilMs ?? nowMs : nowMs
    }

    /// A pause is looser when it ends later than the present one, or than now.
    package static func isPauseLooser(_ rule: Rule, untilMs: Int64, nowMs: Int64) -> Bool {
        rule.spec.kind != .allow && untilMs > pausedMs(rule, nowMs)
    }
}

/// What a rule demands, without its name and words: what makes one rule stricter than another.
struct RuleDemand: Equatable {
    /// `nil` means everything.
    typealias Things = Set<TokenItem>?

    var kind: RuleKind
    var things: Things
    var opens: Set<TokenItem>
    var amountMs: Int64
    var weekendMs: Int64
    var restMs: Int64
    /// The times of a week in which it applies, whole days where it names no time; for a window the open times.
    var times: SpanSet
    /// On which it does not hold.
    var except: Set<String>
    var shields: Bool

    private static let dayMinutes = 1_440
    private static let weekMinutes = 7 * dayMinutes

    init(_ spec: RuleSpec) {
        kind = spec.kind
        // Only a limit can be on everything.
        things = spec.kind == .limit && spec.targets.isEmpty ? nil : Set(spec.targets)
        opens = Set(spec.opens ?? [])
        amountMs = spec.durationMs ?? 0
        weekendMs = spec.weekendMs ?? amountMs
        restMs = spec.restMs ?? 0
        except = Set(spec.except ?? [])
        shields = spec.then == .shield
        times = spec.kind == .allow ? SpanSet() : Self.times(spec.window, spec.weekdays)
    }

    private static func times(_ window: RuleWindow?, _ days: Set<Int>) -> SpanSet {
        let from = window.flatMap { ClockTime($0.from) }?.minutes ?? 0
        let to = window.flatMap { ClockTime($0.to) }?.minutes ?? 0
        let length = to > from ? to - from : to + dayMinutes - from
        var times = SpanSet()
        for day in days {
            let start = (day - 1) * dayMinutes + from
            let end = start + length
            times.insert(span(start, min(end, weekMinutes)))
            // A time that runs past Saturday continues at the start of the week.
            if end > weekMinutes { times.insert(span(0, end - weekMinutes)) }
        }
        return times
    }

    private static func span(_ from: Int, _ to: Int) -> TimeSpan {
        TimeSpan(Int64(from) * 60_000, Int64(to) * 60_000)
    }

    private static func covers(_ more: SpanSet, _ less: SpanSet) -> Bool {
        var both = more
        both.formUnion(less)
        return both == more
    }

    func isMore(than other: RuleDemand) -> Bool {
        amountMs > other.amountMs || weekendMs > other.weekendMs
    }

    /// Whether it is in no respect easier than the other one.
    func isAtLeastAsStrict(as other: RuleDemand) -> Bool {
        guard kind == other.kind, shields || !other.shields, except.isSubset(of: other.except) else {
            return false
        }
        switch kind {
        case .limit:
            return !isMore(than: other) && Self.covers(times, other.times)
                && Self.covers(things, other.things)
        case .downtime: return Self.covers(times, other.times)
        case .window: return Self.covers(other.times, times) && Self.covers(things, other.things)
        case .goal:
            // More apps that count make a goal easier; more apps that it opens make it stricter.
            return !other.isMore(than: self) && Self.covers(times, other.times)
                && Self.covers(other.things, things) && opens.isSuperset(of: other.opens)
        case .break:
            return !isMore(than: other) && restMs >= other.restMs && Self.covers(times, other.times)
        case .session: return amountMs >= other.amountMs && Self.covers(other.things, things)
        case .allow: return Self.covers(other.things, things)
        case .unknown: return false
        }
    }

    private static func covers(_ more: Things, _ less: Things) -> Bool {
        guard let more else { return true }
        return less.map { more.isSuperset(of: $0) } ?? false
    }
}
