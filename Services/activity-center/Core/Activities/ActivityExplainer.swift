import STContracts
import STDomain
import STEngine
import STPlatform
import STStore

/// Explains the progress of every event: the usage that counts, the usage that does not, and the reasons.
enum ActivityExplainer {
    /// The maximum number of lines for one event, and for all events of an activity, which are sent in one row.
    private static let partsMax = 40
    private static let partsOfActivityMax = 300

    static func explain(
        _ request: ActivityExplain.Request,
        state: ActivityState,
        context: RequestContext,
        database: Database
    ) throws -> ActivityExplain.Reply {
        let now = context.now
        let all = state.activities.all(ofApp: request.app, member: request.member).filter {
            request.activity == nil || $0.key.activity == request.activity
        }
        var uses: [String: (from: WallTime, stretches: [UsageInterval])] = [:]
        let explained = try all.map { activity in
            let member = activity.key.member
            guard let current = activity.current else {
                return explain(activity, stretches: [], from: now.wall, state: state, context: context)
            }
            let from = PastUsage.queryStart(current)
            // Most intervals of one member begin together, with the day.
            if uses[member]?.from != from {
                uses[member] = (
                    from,
                    try PastUsage.recordedUsage(
                        of: member,
                        from: from,
                        to: now.wall,
                        state,
                        database
                    )
                )
            }
            return explain(
                activity,
                stretches: uses[member]?.stretches ?? [],
                from: from,
                state: state,
                context: context
            )
        }
        let (page, next) = try OffsetPage.slice(explained, next: request.next)
        return ActivityExplain.Reply(activities: page, next: next)
    }

    private static func explain(
        _ activity: WatchedActivity,
        stretches: [UsageInterval],
        from: WallTime,
        state: ActivityState,
        context: RequestContext
    ) -> ExplainedActivity {
        let now = context.now
        // Boot times of another boot cannot be compared with the present time.
        let open = state.openIntervals(of: activity.key.member).last { $0.bootId == context.bootID }
        return ExplainedActivity(
            activity: ActivityViews.view(activity, now: now.wall),
            isOngoing: activity.current != nil,
            events: activity.events.map { event in
                let since = countingStart(activity, event: event, from: from, now: now)
                return ExplainEvent(
                    event: event.spec.name,
                    countedMs: event.used.ms,
                    thresholdMs: event.budget.thresholdMs,
                    leftMs: max(0, event.budget.thresholdMs - event.used.ms),
                    reached: event.progress.reached,
                    warned: event.progress.warned,
                    sinceWallMs: since.ms,
                    since: RFC3339.text(wallMs: since.ms),
                    carriedMs: event.carried.ms,
                    parts: parts(
                        activity,
                        event: event,
                        stretches: stretches,
                        book: state.activities,
                        devices: state.devices,
                        since: since
                    ),
                    nextCrossingBootMs: open.flatMap {
                        state.activities.countsAsUsage($0) ? activity.checkTime($0, of: event)?.ms : nil
                    }
                )
            }
        )
    }

    /// Returns the wall time from which an event counts.
    private static func countingStart(
        _ activity: WatchedActivity,
        event: WatchedEvent,
        from: WallTime,
        now: TimeReading
    ) -> WallTime {
        guard !event.budget.includesPast, activity.fromBootMs != .min else { return from }
        return max(from, now.wall - (now.boot - BootTime(ms: activity.fromBootMs)))
    }

    private static func parts(
        _ activity: WatchedActivity,
        event: WatchedEvent,
        stretches: [UsageInterval],
        book: WatchedActivities,
        devices: [ImportedDevice],
        since: WallTime
    ) -> [ExplainPart] {
        guard activity.current != nil else { return [] }
        var sums: [ExplanationKey: Duration] = [:]
        for stretch in stretches {
            let early = max(.zero, min(stretch.endWall, since) - stretch.fromWall)
            let late = stretch.toBoot - stretch.fromBoot - early
            let why = reason(stretch, event: event, book: book)
            if why == .counted, early > .zero {
                sums[ExplanationKey(stretch, why: .before, devices: devices), default: .zero] += early
            }
            if why == .counted, late > .zero {
                sums[ExplanationKey(stretch, why: .counted, devices: devices), default: .zero] += late
            }
            if why != .counted {
                sums[ExplanationKey(stretch, why: why, devices: devices), default: .zero] += early + late
            }
        }
        let sorted = sums.filter { $0.value > .zero }.sorted {
            ($0.key.reason.rawValue, $1.value, $0.key.item) < (
                $1.key.reason.rawValue, $0.value, $1.key.item
            )
        }
        let most = max(1, min(partsMax, partsOfActivityMax / max(1, activity.events.count)))
        return sorted.prefix(most).map {
            ExplainPart(
                item: $0.key.item,
                ms: $0.value.ms,
                counted: $0.key.reason == .counted,
                because: $0.key.reason.message(event)
            )
        }
    }

    private static func reason(_ stretch: UsageInterval, event: WatchedEvent, book: WatchedActivities)
        -> ExplainReason
    {
        switch stretch.presence {
        case .active:
            event.matches(stretch) ? (book.countsAsUsage(stretch) ? .counted : .shielded) : .other
        case .idle: .untouched
        case .unobserved: .unseen
        case .suspended: .asleep
        default: .away
        }
    }
}

/// The key of one line of an explanation, which sums up its usage.
struct ExplanationKey: Hashable {
    var item: String
    var reason: ExplainReason

    init(_ stretch: UsageInterval, why: ExplainReason, devices: [ImportedDevice]) {
        let app = stretch.app ?? stretch.presence.rawValue
        let thing = stretch.domain.map { "\(app) on \($0)" } ?? app
        let device = stretch.device.flatMap { id in devices.first { $0.device == id }?.name }
        item = device.map { "\(thing), on the machine \($0)" } ?? thing
        self.reason = why
    }
}

/// The reason why usage counts or does not count.
enum ExplainReason: Int {
    case counted, before, other, shielded, untouched, away, unseen, asleep

    func message(_ event: WatchedEvent) -> Message {
        let apps = EventText.targetText(event.budget.target)
        return switch self {
        case .counted: Message("usage-part.counts", "counts as \(apps, "apps")")
        case .before: Message("usage-part.before", "not counted because monitoring began later")
        case .other: Message("usage-part.other", "not counted because it is not one of \(apps, "apps")")
        case .shielded: Message("usage-part.shielded", "not counted because a shield covered it")
        case .untouched:
            Message(
                "usage-part.untouched",
                "not counted because no key was pressed and the pointer did not move"
            )
        case .away: Message("usage-part.away", "not counted because the person was away")
        case .unseen: Message("usage-part.unseen", "not counted because Screen Time could not see it")
        case .asleep: Message("usage-part.asleep", "not counted because the computer was asleep")
        }
    }
}
