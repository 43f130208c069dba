package import STContracts
package import STDomain
import STPlatform

/// The activities that must be watched for a rule.
///
/// Pure: the same rule always needs the same activities, independent of earlier requests.
package enum RulePlan {
    /// Forbidden use is reported only after this time, because a window may be in the foreground by mistake.
    static let graceSeconds = 10
    /// Use of a goal's reward before the goal is met, or of a window's apps outside it.
    static let earlyEvent = "early"
    /// Suffix of the activity for the days on which a window never opens.
    private static let offSuffix = "/off"
    /// Suffix of the activity for the days that have another amount.
    private static let weekendSuffix = "/weekend"

    package static func activities(of rule: Rule) -> [ActivityStart.Request] {
        let spec = rule.spec
        switch spec.kind {
        case .limit: return amounts(of: rule).map { daily(rule, amount: $0, events: [used(spec, $0)]) }
        case .goal:
            return amounts(of: rule).map {
                daily(rule, amount: $0, events: [used(spec, $0), early(spec.opens ?? [])])
            }
        case .break: return amounts(of: rule).map { daily(rule, amount: $0, events: [worked(spec, $0)]) }
        case .downtime:
            return span(spec).map { [start(rule, activity: rule.id, schedule: $0, events: [])] } ?? []
        case .window: return outside(rule)
        case .allow, .session, .unknown: return []
        }
    }

    /// One amount of a limit, a goal or a break: its days, and the activity that counts it.
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
        // On a date of exception, the weekend's amount applies instead of the week's.
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

    /// Returns the exceptions of a rule that fall on one of these days of the week.
    private static func exceptions(_ spec: RuleSpec, _ days: Set<Int>) -> [String]? {
        let dates = spec.exceptions.filter { days.contains($0.weekday) }.map(\.text)
        return dates.isEmpty ? nil : dates
    }

    static func amount(of rule: Rule, _ activity: String) -> Duration {
        let amount = amounts(of: rule).first { $0.activity == activity }
        return .milliseconds(amount?.ms ?? rule.spec.durationMs ?? 0)
    }

    /// Returns the schedule of a rule as people read it: for a window, the open time and not the closed time around it.
    package static func span(_ spec: RuleSpec) -> Schedule? {
        switch spec.kind {
        case .limit, .goal, .break:
            let except = spec.weekendMs == nil ? exceptions(spec, spec.weekdays) : nil
            return schedule(midnight, to: midnight, days: spec.days, except: except, spec: spec)
        case .downtime, .window:
            guard let window = spec.window, let from = ClockTime(window.from), let to = ClockTime(window.to)
            else { return nil }
            // A window opens on dates of exception, even on days of the week on which it otherwise stays closed.
            let except =
                spec.kind == .downtime
                ? exceptions(spec, spec.weekdays)
                : exceptions(spec, Set(1...7).subtracting(spec.weekdays))
            return schedule(from, to: to, days: spec.days, except: except, spec: spec)
        case .allow, .session, .unknown: return nil
        }
    }

    private static let midnight = ClockTime("00:00")

    /// Returns activities for all the time in which a window is closed.
    ///
    /// The time lasts from the window's end to its next start on days on which it opens, and from start to start on other days. On
    /// a date of exception the window opens. If it opens on that day of the week anyway, the closed time before it is omitted, from
    /// the window's end on the day before.
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
        guard let closed = schedule(to, to: from, days: ends, except: other.isEmpty ? nil : other, spec: spec)
        else { return [] }
        var plan = [start(rule, activity: rule.id, schedule: closed, events: events)]
        let off = Set(1...7).subtracting(days)
        if !off.isEmpty,
            let whole = schedule(
                from,
                to: from,
                days: off.sorted(),
                except: exceptions(spec, off),
                spec: spec
            )
        {
            plan.append(start(rule, activity: rule.id + offSuffix, schedule: whole, events: events))
        }
        return plan
    }

    private static func daily(_ rule: Rule, amount: Amount, events: [ActivityEventSpec])
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
        return start(rule, activity: amount.activity, schedule: day, events: events)
    }

    private static func start(
        _ rule: Rule,
        activity: String,
        schedule: Schedule,
        events: [ActivityEventSpec]
    ) -> ActivityStart.Request {
        ActivityStart.Request(
            app: BuiltInRules.app,
            member: rule.member,
            activity: activity,
            schedule: schedule,
            events: events,
            // A rule for 9:30 takes effect at 9:30, even if the child does not use the computer then.
            mode: .wallClock
        )
    }

    private static func schedule(
        _ from: ClockTime?,
        to: ClockTime?,
        days: [Int]?,
        except: [String]?,
        spec: RuleSpec
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
            // A limit that is added at noon also counts the morning, and an edit does not give time back.
            includesPastActivity: true,
            overlap: spec.overlap
        )
    }

    /// Returns the event that counts any use since the last rest.
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
