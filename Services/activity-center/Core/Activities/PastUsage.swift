import STContracts
import STDomain
import STPlatform
import STStore

/// Usage from before an activity was watched, for events that include it.
enum PastUsage {
    private static let hourMs: Int64 = 3_600_000

    /// Upper bound on the length of a row, because other usage ends a row long before.
    private static let longestMs: Int64 = 8 * 86_400_000

    /// Returns the usage since the start of the activity's present interval.
    static func intervals(
        for activity: WatchedActivity,
        at moment: ZonedReading,
        _ state: ActivityState,
        _ database: Database
    ) throws -> [UsageInterval] {
        guard activity.events.contains(where: \.spec.includesPastActivity),
            let interval = activity.interval(atOrAfter: moment.reading.wallMs, moment.zone),
            interval.startWallMs <= moment.reading.wallMs
        else { return [] }
        return try recordedUsage(
            of: activity.key.member,
            fromWallMs: queryStartMs(interval),
            toWallMs: moment.reading.wallMs,
            state,
            database
        )
    }

    /// Returns the usage of a member that is in the ledger, and the usage that is still under way.
    static func recordedUsage(
        of member: String,
        fromWallMs: Int64,
        toWallMs: Int64,
        _ state: ActivityState,
        _ database: Database
    ) throws -> [UsageInterval] {
        var all = try recordedIntervals(
            of: member,
            devices: state.devices.map(\.device),
            fromWallMs: fromWallMs,
            toWallMs: toWallMs,
            database
        )
        all += state.ongoingIntervals(member).map {
            $0.clipped(fromWallMs: fromWallMs, toWallMs: max(fromWallMs, toWallMs))
        }
        return all
    }

    /// Returns the start of the interval, rounded down to the hour of its zone.
    static func queryStartMs(_ interval: IntervalSpan) -> Int64 {
        let offset = ZoneRules.load(interval.zone)?.offsetMs(atMs: interval.startWallMs) ?? 0
        let local = interval.startWallMs + offset
        return local - (local % hourMs + hourMs) % hourMs - offset
    }

    /// Returns the usage of this and other machines of the household that is in the ledger, clipped to the range. Imported usage is
    /// omitted.
    static func recordedIntervals(
        of member: String,
        devices: [String] = [],
        fromWallMs: Int64,
        toWallMs: Int64,
        _ database: Database
    ) throws -> [UsageInterval] {
        guard fromWallMs < toWallMs else { return [] }
        return try ([nil] + devices.map(Optional.init)).flatMap { device in
            try LedgerListing.overlapping(
                fromWallMs..<toWallMs,
                of: member,
                device: device,
                sinceWallMs: fromWallMs - longestMs,
                database
            ).rows.filter { $0.knownBy != .imported }.map {
                UsageInterval($0).clipped(fromWallMs: fromWallMs, toWallMs: toWallMs)
            }
        }
    }
}
