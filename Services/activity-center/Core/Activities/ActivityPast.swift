import STContracts
import STDomain
import STPlatform
import STStore

/// Use from before the watching began, for events that ask for it.
enum ActivityPast {
    private static let hourMs: Int64 = 3_600_000

    /// Counts what the ledger has since the interval's start, from the round hour before it, and says what that has
    /// made come true already.
    static func count(
        into activity: inout WatchedActivity,
        at moment: BookMoment,
        _ state: ActivityState,
        _ database: Database
    ) throws -> [DueOccurrence] {
        guard let current = activity.current, activity.events.contains(where: \.spec.includesPastActivity) else {
            return []
        }
        let from = since(current)
        var stretches = try LedgerReading.stretches(
            of: activity.key.member,
            fromWallMs: from,
            toWallMs: moment.reading.wallMs,
            database
        )
        if let open = state.openStretch(of: activity.key.member) {
            stretches.append(open.clipped(fromWallMs: from, toWallMs: moment.reading.wallMs))
        }
        var due: [DueOccurrence] = []
        for index in activity.events.indices where activity.events[index].spec.includesPastActivity {
            for stretch in stretches
            where stretch.presence == .active && activity.events[index].matches(stretch) {
                let ms = max(0, stretch.toBootMs - stretch.fromBootMs)
                activity.events[index].usedMs += ms
                activity.events[index].remember(stretch, fromBootMs: stretch.fromBootMs, ms: ms)
            }
            guard let last = stretches.last else { continue }
            for (occasion, point) in activity.events[index].crossed(activity.warningMs) {
                // Of what lies in the past already, only the fact is told, not a warning of it.
                if occasion == .thresholdWarning, activity.events[index].isReached { continue }
                var crossing = activity.crossing(
                    occasion,
                    activity.events[index],
                    current,
                    last,
                    atBootMs: moment.reading.bootMs,
                    point,
                    note: "Counted from before the watching began."
                )
                crossing.dueWallMs = moment.reading.wallMs
                due.append(crossing)
            }
        }
        return due
    }

    /// Rounded down to the hour of the zone that the interval was cut in.
    static func since(_ interval: IntervalSpan) -> Int64 {
        let offset = LocalDay(zone: interval.zone).offsetMs(atWallMs: interval.startWallMs)
        let local = interval.startWallMs + offset
        return local - (local % hourMs + hourMs) % hourMs - offset
    }
}

extension Stretch {
    func clipped(fromWallMs: Int64, toWallMs: Int64) -> Stretch {
        var part = self
        let start = max(self.fromWallMs, fromWallMs)
        part.fromBootMs = bootMs(atWallMs: start)
        part.toBootMs = max(part.fromBootMs, min(toBootMs, bootMs(atWallMs: toWallMs)))
        part.fromWallMs = start
        return part
    }
}
