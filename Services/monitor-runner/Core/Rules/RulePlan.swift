package import STContracts
package import STDomain

/// The activities that activity-center must watch for a rule.
///
/// Pure: the same rule always needs the same activities, independent of earlier requests.
package enum RulePlan {
    /// Forbidden use counts only after so long: a window in front by mistake is not use.
    static let graceSeconds = 10
    /// Use of a goal's reward before the goal is met, or of a window's apps outside it.
    static let earlyEvent = "early"
    /// Added to the id of a window's rule for the days on which it never opens.
    static let offSuffix = "/off"

    package static func activities(of rule: Rule) -> [ActivityStart.Request] {
        let spec = rule.spec
        switch spec.kind {
        case .limit: return [daily(rule, [used(spec)])]
        case .goal: return [daily(rule, [used(spec), early(spec.opens ?? [])])]
        case .downtime: return span(spec).map { [start(rule, rule.id, $0, [])] } ?? []
        case .window: return outside(rule)
        case .allow, .session, .unknown: return []
        }
    }

    /// The time of a rule as people read it: for a window the open time, not the closed time around it.
    package static func span(_ spec: RuleSpec) -> Schedule? {
        switch spec.kind {
        case .limit, .goal: return schedule(midnight, midnight, spec.days, spec)
        case .downtime, .window:
            guard let window = spec.window, let from = ClockTime(window.from), let to = ClockTime(window.to)
            else { return nil }
            return schedule(from, to, spec.days, spec)
        case .allow, .session, .unknown: return nil
        }
    }

    private static let midnight = ClockTime("00:00")

    /// All the time in which a window is closed.
    ///
    /// From its end to the next start on days on which it opens, and from start to start on days on which it does not.
    private static func outside(_ rule: Rule) -> [ActivityStart.Request] {
        let spec = rule.spec
        guard let window = spec.window, let from = ClockTime(window.from), let to = ClockTime(window.to)
        else {
            return []
        }
        let events = [early(spec.targets)]
        let endsNextDay = to.minutes <= from.minutes
        let ends = spec.days.map { days in days.map { endsNextDay ? $0 % 7 + 1 : $0 }.sorted() }
        guard let closed = schedule(to, from, ends, spec) else { return [] }
        var plan = [start(rule, rule.id, closed, events)]
        let off = spec.days.map { days in (1...7).filter { !days.contains($0) } } ?? []
        if !off.isEmpty, let whole = schedule(from, from, off, spec) {
            plan.append(start(rule, rule.id + offSuffix, whole, events))
        }
        return plan
    }

    private static func daily(_ rule: Rule, _ events: [ActivityEventSpec]) -> ActivityStart.Request {
        let day = Schedule(
            start: DateFields(hour: 0, minute: 0),
            end: DateFields(hour: 0, minute: 0),
            repeats: true,
            warning: rule.spec.warnMs.map(fields(ofMs:)),
            days: rule.spec.days
        )
        return start(rule, rule.id, day, events)
    }

    private static func start(
        _ rule: Rule,
        _ activity: String,
        _ schedule: Schedule,
        _ events: [ActivityEventSpec]
    ) -> ActivityStart.Request {
        ActivityStart.Request(
            app: BuiltInRules.app,
            member: rule.member,
            activity: activity,
            schedule: schedule,
            events: events,
            // A rule for half past nine acts at half past nine, even while the child is away.
            mode: .wallClock
        )
    }

    private static func schedule(_ from: ClockTime?, _ to: ClockTime?, _ days: [Int]?, _ spec: RuleSpec)
        -> Schedule?
    {
        guard let from, let to else { return nil }
        return Schedule(
            start: from.fields,
            end: to.fields,
            repeats: true,
            warning: spec.warnMs.map(fields(ofMs:)),
            days: days
        )
    }

    private static func used(_ spec: RuleSpec) -> ActivityEventSpec {
        ActivityEventSpec(
            name: BuiltInRules.usedEvent,
            targets: targets(spec.targets),
            threshold: fields(ofMs: spec.durationMs ?? 0),
            // A limit made at noon counts the morning too, and an edit does not give time back.
            includesPastActivity: true
        )
    }

    private static func early(_ items: [TokenItem]) -> ActivityEventSpec {
        ActivityEventSpec(
            name: earlyEvent,
            targets: targets(items),
            threshold: DateFields(second: graceSeconds),
            includesPastActivity: false
        )
    }

    private static func targets(_ items: [TokenItem]) -> [ActivityTarget] {
        items.map { ActivityTarget(kind: $0.kind, id: $0.id) }
    }

    private static func fields(ofMs ms: Int64) -> DateFields {
        let seconds = Int(clamping: ms / 1000)
        var fields = DateFields()
        if seconds >= 3600 { fields.hour = seconds / 3600 }
        if seconds % 3600 >= 60 { fields.minute = seconds % 3600 / 60 }
        if seconds % 60 > 0 || seconds == 0 { fields.second = seconds % 60 }
        return fields
    }
}

/// A time of the day as a rule has it, `21:30`.
package struct ClockTime: Sendable, Equatable {
    package var minutes: Int

    /// Nil unless it is two digits, a colon and two digits; `24:00` is midnight at the end of a day.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 48 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let hour = digits[0] * 10 + digits[1]
        let minute = digits[2] * 10 + digits[3]
        guard hour < 24 && minute < 60 || hour == 24 && minute == 0 else { return nil }
        minutes = hour % 24 * 60 + minute
    }

    package var fields: DateFields { DateFields(hour: minutes / 60, minute: minutes % 60) }
}
