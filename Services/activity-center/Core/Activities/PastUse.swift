import STContracts
import STDomain
import STPlatform
import STStore

/// Use from before the watching began, for events that ask for it.
enum PastUse {
    private static let hourMs: Int64 = 3_600_000

    /// No stretch is longer, because another use cuts it long before.
    private static let longestMs: Int64 = 8 * 86_400_000

    /// The use since the start of the activity's present interval.
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

    /// The use of a member that the ledger has, and the stretch that is still open.
    static func use(
        of member: String,
        fromWallMs: Int64,
        toWallMs: Int64,
        _ state: ActivityState,
        _ database: Database
    ) throws -> [Stretch] {
        var all = try recorded(
            of: member,
            devices: state.devices.map(\.device),
            fromWallMs: fromWallMs,
            toWallMs: toWallMs,
            database
        )
        all += state.underWay(member).map {
            $0.clipped(fromWallMs: fromWallMs, toWallMs: max(fromWallMs, toWallMs))
        }
        return all
    }

    /// Rounded down to the hour of the zone that the interval was cut in.
    static func since(_ interval: IntervalSpan) -> Int64 {
        let offset = ZoneRules.of(interval.zone)?.offsetMs(atMs: interval.startWallMs) ?? 0
        let local = interval.startWallMs + offset
        return local - (local % hourMs + hourMs) % hourMs - offset
    }

    /// What was seen here or on another machine of the household and is in the ledger, cut to the range; imported time is
    /// left out.
    static func recorded(
        of member: String,
        devices: [String] = [],
        fromWallMs: Int64,
        toWallMs: Int64,
        _ database: Database
    ) throws -> [Stretch] {
        guard fromWallMs < toWallMs else { return [] }
        return try ([nil] + devices.map(Optional.init)).flatMap { device in
            try LedgerListing.touching(
                fromWallMs..<toWallMs,
                of: member,
                device: device,
                sinceWallMs: fromWallMs - longestMs,
                database
            ).rows.filter { $0.knownBy != .imported }.map {
                Stretch($0).clipped(fromWallMs: fromWallMs, toWallMs: toWallMs)
            }
        }
    }
}
