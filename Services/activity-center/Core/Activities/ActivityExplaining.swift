import STContracts
import STDomain
import STEngine
import STPlatform
import STStore

/// Explains the progress of every event: the usage that counts, the usage that does not, and the reasons.
enum ActivityExplaining {
    /// The maximum number of lines for one event, and for all events of an activity, which are sent in one row.
    private static let partsMax = 40
    private static let partsOfActivityMax = 300

    static func explain(
        _ request: ActivityExplain.Request,
        _ state: ActivityState,
        _ context: RequestContext,
        _ database: Database
    ) throws -> ActivityExplain.Reply {
        let now = context.now
        let all = state.book.all(ofApp: request.app, member: request.member).filter {
            request.activity == nil || $0.key.activity == request.activity
        }
        var uses: [String: (from: Int64, stretches: [Stretch])] = [:]
        let explained = try all.map { activity in
            let member = activity.key.member
            guard let current = activity.current else {
                return explain(activity, [], from: now.wallMs, state, context)
            }
            let from = PastUse.since(current)
            // Most intervals of one member begin together, with the day.
            if uses[member]?.from != from {
                uses[member] = (
                    from,
                    try PastUse.use(of: member, fromWallMs: from, toWallMs: now.wallMs, state, database)
                )
            }
            return explain(activity, uses[member]?.stretches ?? [], from: from, state, context)
        }
        let (page, next) = try OffsetPage.slice(explained, next: request.next)
        return ActivityExplain.Reply(activities: page, next: next)
    }

    private static func explain(
        _ activity: WatchedActivity,
        _ stretches: [Stretch],
        from: Int64,
        _ state: ActivityState,
        _ context: RequestContext
    ) -> ExplainedActivity {
        let now = context.now
        // Boot times of another boot cannot be compared with the present time.
        let open = state.openStretches(of: activity.key.member).last { $0.bootId == context.bootID }
        return ExplainedActivity(
            activity: ActivityViews.view(activity, nowMs: now.wallMs),
            isOngoing: activity.current != nil,
            events: activity.events.map { event in
                let since = counting(activity, event, from: from, now)
                return ExplainEvent(
                    event: event.spec.name,
                    countedMs: event.usedMs,
                    thresholdMs: event.budget.thresholdMs,
                    leftMs: max(0, event.budget.thresholdMs - event.usedMs),
                    reached: event.progress.reached,
                    warned: event.progress.warned,
                    sinceWallMs: since,
                    since: RFC3339.text(wallMs: since),
                    carriedMs: event.carriedMs,
                    parts: parts(activity, event, stretches, state.book, state.devices, since: since),
                    nextCrossingBootMs: open.flatMap {
                        state.book.isUse($0) ? activity.checkAtBootMs($0, of: event) : nil
                    }
                )
            }
        )
    }

    /// Returns the wall time from which an event counts.
    private static func counting(
        _ activity: WatchedActivity,
        _ event: WatchedEvent,
        from: Int64,
        _ now: TimeReading
    ) -> Int64 {
        guard !event.budget.includesPast, activity.fromBootMs != .min else { return from }
        return max(from, now.wallMs - (now.bootMs - activity.fromBootMs))
    }

    private static func parts(
        _ activity: WatchedActivity,
        _ event: WatchedEvent,
        _ stretches: [Stretch],
        _ book: ActivityBook,
        _ devices: [ImportedDevice],
        since: Int64
    ) -> [ExplainPart] {
        guard activity.current != nil else { return [] }
        var sums: [ExplainKey: Int64] = [:]
        for stretch in stretches {
            let early = max(0, min(stretch.endWallMs, since) - stretch.fromWallMs)
            let late = stretch.toBootMs - stretch.fromBootMs - early
            let why = reason(stretch, event, book)
            if why == .counted, early > 0 { sums[ExplainKey(stretch, .before, devices), default: 0] += early }
            if why == .counted, late > 0 { sums[ExplainKey(stretch, .counted, devices), default: 0] += late }
            if why != .counted { sums[ExplainKey(stretch, why, devices), default: 0] += early + late }
        }
        let sorted = sums.filter { $0.value > 0 }.sorted {
            ($0.key.why.rawValue, -$0.value, $0.key.item) < ($1.key.why.rawValue, -$1.value, $1.key.item)
        }
        let most = max(1, min(partsMax, partsOfActivityMax / max(1, activity.events.count)))
        return sorted.prefix(most).map {
            ExplainPart(
                item: $0.key.item,
                ms: $0.value,
                counted: $0.key.why == .counted,
                because: $0.key.why.message(event)
            )
        }
    }

    private static func reason(_ stretch: Stretch, _ event: WatchedEvent, _ book: ActivityBook)
        -> ExplainReason
    {
        switch stretch.presence {
        case .active:
            event.matches(stretch) ? (book.isUse(stretch) ? .counted : .shielded) : .other
        case .idle: .untouched
        case .unobserved: .unseen
        case .suspended: .asleep
        default: .away
        }
    }
}

/// The key of one line of an explanation, which sums up its usage.
struct ExplainKey: Hashable {
    var item: String
    var why: ExplainReason

    init(_ stretch: Stretch, _ why: ExplainReason, _ devices: [ImportedDevice]) {
        let app = stretch.app ?? stretch.presence.rawValue
        let thing = stretch.domain.map { "\(app) on \($0)" } ?? app
        let device = stretch.device.flatMap { id in devices.first { $0.device == id }?.name }
        item = device.map { "\(thing), on the machine \($0)" } ?? thing
        self.why = why
    }
}

/// The reason why usage counts or does not count.
enum ExplainReason: Int {
    case counted, before, other, shielded, untouched, away, unseen, asleep

    func message(_ event: WatchedEvent) -> Message {
        let apps = EventText.things(event.budget.target)
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
