package import STContracts
import STDomain

/// Decides if a change makes a rule easier for the member, and so may have to wait.
package enum RuleLoosening {
    /// True if the change is looser in any respect. It then waits as a whole, even if it is stricter in another respect.
    package static func isLooser(from old: RuleSpec, to new: RuleSpec) -> Bool {
        !RuleStrictness(new).isAtLeastAsStrict(as: RuleStrictness(old))
    }

    /// The same if there may be no rule before or after.
    package static func isLooser(from old: RuleSpec?, to new: RuleSpec?) -> Bool {
        switch (old, new) {
        case (let old?, let new?): isLooser(from: old, to: new)
        case (let old?, nil): isRemovalLooser(old)
        case (nil, let new?): isAdditionLooser(new)
        case (nil, nil): false
        }
    }

    /// True unless the rule allows something.
    package static func isRemovalLooser(_ spec: RuleSpec) -> Bool { spec.kind != .allow }

    /// True only for a new permission.
    package static func isAdditionLooser(_ spec: RuleSpec) -> Bool { spec.kind == .allow }

    /// A rule that is in no respect easier than either of two rules. `nil` if no single rule is.
    ///
    /// Fields that do not affect strictness, such as its text, come from the first rule.
    package static func strictest(_ one: RuleSpec, _ other: RuleSpec) -> RuleSpec? {
        let isEasierWithMore = [.goal, .allow, .session].contains(one.kind)
        let isEverything = one.kind == .limit && (one.targets.isEmpty || other.targets.isEmpty)
        var spec = one
        spec.then = [one.then, other.then].contains(.shield) ? .shield : one.then
        spec.except = joined(one.except, other: other.except, key: { $0 }) { $0.intersection($1) }
        spec.opens = joined(one.opens, other: other.opens, key: key) {
            one.kind == .downtime ? $0.intersection($1) : $0.union($1)
        }
        spec.targets =
            isEverything
            ? []
            : joined(one.targets, other: other.targets, key: key) {
                isEasierWithMore ? $0.intersection($1) : $0.union($1)
            } ?? []
        if one.kind != .window, one.weekdays != other.weekdays {
            let days = one.weekdays.union(other.weekdays).sorted()
            spec.days = days.count == 7 ? nil : days
        }
        let isOnce =
            one.kind == .goal
            ? [one, other].contains { $0.overlap == .once }
            : one.overlap == other.overlap && one.overlap == .once
        spec.overlap = isOnce ? .once : nil
        spec.restMs = [one.restMs, other.restMs].compactMap(\.self).max()
        let isLessEasier = one.kind == .goal || one.kind == .session
        let amounts = [one.durationMs, other.durationMs].compactMap(\.self)
        let weekends = [one, other].compactMap { $0.weekendMs ?? $0.durationMs }
        spec.durationMs = isLessEasier ? amounts.max() : amounts.min()
        spec.weekendMs = isLessEasier ? weekends.max() : weekends.min()
        if spec.weekendMs == spec.durationMs { spec.weekendMs = nil }
        guard one.window != nil else { return proven(spec, one: one, other: other) }
        for source in [one, other] {
            spec.window = source.window
            if one.kind == .window { spec.days = source.days }
            if let found = proven(spec, one: one, other: other) { return found }
        }
        return nil
    }

    private static func proven(_ spec: RuleSpec, one: RuleSpec, other: RuleSpec) -> RuleSpec? {
        guard !isLooser(from: one, to: spec), !isLooser(from: other, to: spec) else { return nil }
        if isRule(spec) { return spec }
        // The duration may be too short for the warning.
        var silent = spec
        silent.warnMs = nil
        return isRule(silent) ? silent : nil
    }

    private static func isRule(_ spec: RuleSpec) -> Bool {
        var asked = spec
        if asked.kind == .allow { asked.then = nil }
        return (try? RuleCheck.checked(asked, for: Member(name: "", role: .individual))) != nil
    }

    private static func key(_ item: TokenItem) -> String { item.kind.rawValue + item.id }

    private static func joined<Item: Hashable>(
        _ one: [Item]?,
        other: [Item]?,
        key: (Item) -> String,
        join: (Set<Item>, Set<Item>) -> Set<Item>
    ) -> [Item]? {
        guard one != other else { return one }
        let all = join(Set(one ?? []), Set(other ?? [])).sorted { key($0) < key($1) }
        return all.isEmpty ? nil : all
    }
}

/// The demands of a rule, without its name and text. They determine if a rule is stricter than another.
package struct RuleStrictness: Equatable {
    /// `nil` means everything.
    typealias Things = Set<TokenItem>?

    var kind: RuleKind
    var targets: Things
    var opens: Set<TokenItem>
    var amountMs: Int64
    var weekendMs: Int64
    var restMs: Int64
    /// True if simultaneous time on two machines counts once.
    var isOnce: Bool
    /// The times of a week in which the rule applies: whole days if it names no times. For a window, the times in which the targets
    /// are open.
    var times: TimeRangeSet
    /// The dates on which the rule does not apply.
    var except: Set<String>
    var shields: Bool

    private static let dayMinutes = 1_440
    private static let weekMinutes = 7 * dayMinutes

    package init(_ spec: RuleSpec) {
        kind = spec.kind
        // Only a limit can apply to everything.
        targets = spec.kind == .limit && spec.targets.isEmpty ? nil : Set(spec.targets)
        opens = Set(spec.opens ?? [])
        amountMs = spec.durationMs ?? 0
        weekendMs = spec.weekendMs ?? amountMs
        restMs = spec.restMs ?? 0
        isOnce = spec.overlap == .once
        except = Set(spec.except ?? [])
        // A permission has no consequence.
        shields = spec.then == .shield && spec.kind != .allow
        times = spec.kind == .allow ? TimeRangeSet() : Self.times(spec.window, spec.weekdays)
    }

    private static func times(_ window: RuleWindow?, _ days: Set<Int>) -> TimeRangeSet {
        let from = window.flatMap { ClockTime($0.from) }?.minutes ?? 0
        let to = window.flatMap { ClockTime($0.to) }?.minutes ?? 0
        let length = to > from ? to - from : to + dayMinutes - from
        var times = TimeRangeSet()
        for day in days {
            let start = (day - 1) * dayMinutes + from
            let end = start + length
            times.insert(span(start, min(end, weekMinutes)))
            // A time that runs past Saturday continues at the start of the week.
            if end > weekMinutes { times.insert(span(0, end - weekMinutes)) }
        }
        return times
    }

    private static func span(_ from: Int, _ to: Int) -> TimeRange {
        TimeRange(Int64(from) * 60_000, Int64(to) * 60_000)
    }

    private static func covers(_ more: TimeRangeSet, _ less: TimeRangeSet) -> Bool {
        var both = more
        both.formUnion(less)
        return both == more
    }

    package func isStricter(than other: RuleStrictness) -> Bool {
        amountMs > other.amountMs || weekendMs > other.weekendMs
    }

    /// True if it is in no respect easier than the other.
    func isAtLeastAsStrict(as other: RuleStrictness) -> Bool {
        guard kind == other.kind, shields || !other.shields, except.isSubset(of: other.except) else {
            return false
        }
        switch kind {
        case .limit:
            return !isStricter(than: other) && (!isOnce || other.isOnce) && Self.covers(times, other.times)
                && Self.covers(targets, other.targets)
        case .downtime: return opens.isSubset(of: other.opens) && Self.covers(times, other.times)
        case .window: return Self.covers(other.times, times) && Self.covers(targets, other.targets)
        case .goal:
            // More apps that count make a goal easier. More apps that it opens make it stricter.
            return !other.isStricter(than: self) && (isOnce || !other.isOnce)
                && Self.covers(times, other.times)
                && Self.covers(other.targets, targets) && opens.isSuperset(of: other.opens)
        case .break:
            return !isStricter(than: other) && restMs >= other.restMs && Self.covers(times, other.times)
        case .session: return amountMs >= other.amountMs && Self.covers(other.targets, targets)
        case .allow: return Self.covers(other.targets, targets)
        case .unknown: return false
        }
    }

    private static func covers(_ more: Things, _ less: Things) -> Bool {
        guard let more else { return true }
        return less.map { more.isSuperset(of: $0) } ?? false
    }
}
