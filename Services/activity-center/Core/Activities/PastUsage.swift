import STContracts
import STDomain
import STPlatform
import STStore

/// Usage from before an activity was watched, for events that include it.
enum PastUsage {
    private static let hour = Duration.seconds(3_600)

    /// Upper bound on the length of a row, because other usage ends a row long before.
    private static let longest = Duration.seconds(8 * 86_400)

    /// Returns the usage since the start of the activity's present interval.
    static func intervals(
        for activity: WatchedActivity,
        at moment: ZonedReading,
        _ state: ActivityState,
        _ database: Database
    ) throws -> [UsageInterval] {
        guard activity.events.contains(where: \.spec.includesPastActivity),
            let interval = activity.interval(atOrAfter: moment.wall, moment.zone),
            interval.start <= moment.wall
        else { return [] }
        return try recordedUsage(
            of: activity.key.member,
            from: queryStart(interval),
            to: moment.wall,
            state,
            database
        )
    }

    /// Returns the usage of a member that is in the ledger, and the usage that is still under way.
    static func recordedUsage(
        of member: String,
        from: WallTime,
        to: WallTime,
        _ state: ActivityState,
        _ database: Database
    ) throws -> [UsageInterval] {
        var all = try recordedIntervals(
            of: member,
            devices: state.devices.map(\.device),
            from: from,
            to: to,
            database
        )
        all += state.ongoingIntervals(member).map {
            $0.clipped(from: from, to: max(from, to))
        }
        return all
    }

    /// Returns the start of the interval, rounded down to the hour of its zone.
    static func queryStart(_ interval: IntervalSpan) -> WallTime {
        let offset = ZoneRules.load(interval.zone)?.offsetMs(atMs: interval.startWallMs) ?? 0
        let local = interval.startWallMs + offset
        return WallTime(ms: local - (local % hour.ms + hour.ms) % hour.ms - offset)
    }

    /// Returns the usage of this and other machines of the household that is in the ledger, clipped to the range. Imported usage is
    /// omitted.
    static func recordedIntervals(
        of member: String,
        devices: [String] = [],
        from: WallTime,
        to: WallTime,
        _ database: Database
    ) throws -> [UsageInterval] {
        guard from < to else { return [] }
        return try ([nil] + devices.map(Optional.init)).flatMap { device in
            try LedgerListing.overlapping(
                from..<to,
                of: member,
                device: device,
                since: from - longest,
                database
            ).rows.filter { $0.knownBy != .imported }.map { UsageInterval($0).clipped(from: from, to: to) }
        }
    }
}
