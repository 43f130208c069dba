package import STContracts
package import STDomain
import STPlatform

/// The activities that must be watched for a rule.
///
/// Pure: the same rule always needs the same activities, independent of earlier requests.
package enum RulePlan {
    /// Forbidden use counts only after so long: a window in front by mistake is not use.
    static let graceSeconds = 10
    /// Use of a goal's reward before the goal is met, or of a window's apps outside it.
    static let earlyEvent = "early"
    /// Added to the id of a window's rule for the days on which it never opens.
    private static let offSuffix = "/off"
    /// Added to the id of a rule for the days that have another amount.
    private static let weekendSuffix = "/weekend"

    package static func activities(of rule: Rule) -> [ActivityStart.Request] {
        let spec = rule.spec
        switch spec.kind {
        case .limit: return amounts(of: rule).map { daily(rule, $0, [used(spec, $0)]) }
        case .goal:
            return amounts(of: rule).map { daily(rule, $0, [used(spec, $0), early(spec.opens ?? [])]) }
        case .break: return amounts(of: rule).map { daily(rule, $0, [worked(spec, $0)]) }
        case .downtime: return span(spec).map { [start(rule, rule.id, $0, [])] } ?? []
        case .window: return outside(rule)
        case .allow, .session, .unknown: return []
        }
    }

    /// How much of a limit or a goal on which days, and the activity that counts it.
    struct Amount {
        var activity: String
        var ms: Int64
        var days: [Int]?
        var except: [String]?
    }

    static func amounts(of rule: Rule) -> [Amount] {
        let spec = rule.spec
        let ms = spec.durationMs ?? 0
        guard let weekendMs = spec.weekendMs else {
            return [
                Amount(activity: rule.id, ms: ms, days: spec.days, except: exceptions(spec, spec.weekdays))
            ]
        }
        let week = spec.weekdays.subtracting(RuleSpec.weekend)
        // What is not a day of the week's amount is one of the weekend's.
        let except = exceptions(spec, week)
        return [
            Amount(activity: rule.id, ms: ms, days: week.sorted(), except: except),
            Amount(
                activity: rule.id + weekendSuffix,
                ms: weekendMs,
                days: spec.weekdays.intersection(RuleSpec.weekend).sorted(),
                except: except
            ),
        ]
    }

    /// Those of a rule's exceptions that fall on one of these days.
    private static func exceptions(_ spec: RuleSpec, _ days: Set<Int>) -> [String]? {
        let dates = spec.exceptions.filter { days.contains($0.weekday) }.map(\.text)
        return dates.isEmpty ? nil : dates
    }

    static func amountMs(of rule: Rule, _ activity: String) -> Int64 {
        amounts(of: rule).first { $0.activity == activity }?.ms ?? rule.spec.durationMs ?? 0
    }

    /// The time of a rule as people read it: for a window the open time, not the closed time around it.
    package static func span(_ spec: RuleSpec) -> Schedule? {
        switch spec.kind {
        case .limit, .goal, .break:
            let except = spec.weekendMs == nil ? exceptions(spec, spec.weekdays) : nil
            return schedule(midnight, midnight, spec.days, except, spec)
        case .downtime, .window:
            guard let window = spec.window, let from = ClockTime(window.from), let to = ClockTime(window.to)
            else { return nil }
            // A window opens on days of exception, also on those of a week on which it otherwise does not.
            let except =
                spec.kind == .downtime
                ? exceptions(spec, spec.weekdays)
                : exceptions(spec, Set(1...7).subtracting(spec.weekdays))
            return schedule(from, to, spec.days, except, spec)
        case .allow, .session, .unknown: return nil
        }
    }

    private static let midnight = ClockTime("00:00")

    /// All the time in which a window is closed.
    ///
    /// From its end to the next start on days on which it opens, and from start to start on days on which it does not.
    /// On a day of exception it opens, and where it opened anyway, what is about it is free from its end on the day before.
    private static func outside(_ rule: Rule) -> [ActivityStart.Request] {
        let spec = rule.spec
        guard let window = spec.window, let from = ClockTime(window.from), let to = ClockTime(window.to)
        else {
            return []
        }
        let events = [early(spec.targets)]
        let endsNextDay = to.minutes <= from.minutes
        let ends = spec.days.map { days in days.map { endsNextDay ? $0 % 7 + 1 : $0 }.sorted() }
        let days = spec.weekdays
        let other = spec.exceptions.compactMap { date -> String? in
            let opens = days.contains(date.weekday) ? date.adding(days: -1) : date
            guard opens == date || days.contains(opens.weekday) else { return nil }
            return opens.adding(days: endsNextDay ? 1 : 0).text
        }
        guard let closed = schedule(to, from, ends, other.isEmpty ? nil : other, spec) else { return [] }
        var plan = [start(rule, rule.id, closed, events)]
        let off = Set(1...7).subtracting(days)
        if !off.isEmpty, let whole = schedule(from, from, off.sorted(), exceptions(spec, off), spec) {
            plan.append(start(rule, rule.id + offSuffix, whole, events))
        }
        return plan
    }

    private static func daily(_ rule: Rule, _ amount: Amount, _ events: [ActivityEventSpec])
        -> ActivityStart.Request
    {
        let day = Schedule(
            start: DateFields(hour: 0, minute: 0),
            end: DateFields(hour: 0, minute: 0),
            repeats: true,
            warning: rule.spec.warnMs.map(fields(ofMs:)),
            days: amount.days,
            except: amount.except
        )
        return start(rule, amount.activity, day, events)
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

    private static func schedule(
        _ from: ClockTime?,
        _ to: ClockTime?,
        _ days: [Int]?,
        _ except: [String]?,
        _ spec: RuleSpec
    ) -> Schedule? {
        guard let from, let to else { return nil }
        return Schedule(
            start: from.fields,
            end: to.fields,
            repeats: true,
            warning: spec.warnMs.map(fields(ofMs:)),
            days: days,
            except: except
        )
    }

    private static func used(_ spec: RuleSpec, _ amount: Amount) -> ActivityEventSpec {
        ActivityEventSpec(
            name: BuiltInRules.usedEvent,
            targets: targets(spec.targets),
            threshold: fields(ofMs: amount.ms),
            // A limit made at noon counts the morning too, and an edit does not give time back.
            includesPastActivity: true,
            overlap: spec.overlap
        )
    }

    /// Any use counts towards a break, from the last rest on.
    private static func worked(_ spec: RuleSpec, _ amount: Amount) -> ActivityEventSpec {
        ActivityEventSpec(
            name: BuiltInRules.usedEvent,
            targets: [],
            threshold: fields(ofMs: amount.ms),
            includesPastActivity: false,
            restMs: spec.restMs
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

extension ClockTime {
    var fields: DateFields { DateFields(hour: minutes / 60, minute: minutes % 60) }
}
