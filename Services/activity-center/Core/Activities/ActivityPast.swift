import STContracts
import STDomain
import STPlatform
import STStore

/// Use from before the watching began, for events that ask for it.
enum ActivityPast {
    private static let hourMs: Int64 = 3_600_000

    /// What the ledger has since the start of the interval that the activity finds itself in.
    static func stretches(
        for activity: WatchedActivity,
        at moment: BookMoment,
        _ state: ActivityState,
        _ database: Database
    ) throws -> [Stretch] {
        guard activity.events.contains(where: \.spec.includesPastActivity),
            let interval = activity.interval(atOrAfter: moment.reading.wallMs, moment.zone),
            interval.startWallMs <= moment.reading.wallMs
        else { return [] }
        return try use(
            of: activity.key.member,
            fromWallMs: since(interval),
            toWallMs: moment.reading.wallMs,
            state,
            database
        )
    }

    /// What the ledger has, and the stretch still open.
    static func use(
        of member: String,
        fromWallMs: Int64,
        toWallMs: Int64,
        _ state: ActivityState,
        _ database: Database
    ) throws -> [Stretch] {
        var all = try LedgerReading.stretches(
            of: member,
            fromWallMs: fromWallMs,
            toWallMs: toWallMs,
            database
        )
        if let open = state.openStretch(of: member) {
            all.append(open.clipped(fromWallMs: fromWallMs, toWallMs: max(fromWallMs, toWallMs)))
        }
        return all
    }

    /// Rounded down to the hour of the zone that the interval was cut in.
    static func since(_ interval: IntervalSpan) -> Int64 {
        let offset = ZoneRules.of(interval.zone)?.offsetMs(atMs: interval.startWallMs) ?? 0
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
