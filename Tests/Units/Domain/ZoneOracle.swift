import Foundation
import STPlatform

/// The days of a zone, computed only from its offsets from UTC.
struct ZoneOracle {
    private let zone: TimeZone

    init?(_ name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    func day(ofWallMs wallMs: Int64) -> CivilDate {
        let moment = Date(timeIntervalSince1970: Double(wallMs) / 1000)
        let localMs = wallMs + Int64(zone.secondsFromGMT(for: moment)) * 1000
        let days = (localMs - (localMs % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
        return CivilDate(daysSinceEpoch: Int(days))
    }

    /// The moments within 40 hours of `aroundWallMs` at which a later day begins, to the millisecond.
    ///
    /// The search checks the two hours around `aroundWallMs` minute by minute, and the others every 15 minutes. If clocks
    /// are set back over midnight, the day that has begun continues.
    func changes(aroundWallMs: Int64) -> [Int64] {
        let near = (-60...60).map { aroundWallMs + $0 * 60_000 }
        let far = (-160...160).map { aroundWallMs + $0 * 900_000 }
        let moments = Set(near + far).sorted()
        var changes: [Int64] = []
        var latest = day(ofWallMs: moments[0]).daysSinceEpoch
        for (before, moment) in zip(moments, moments.dropFirst()) {
            let now = day(ofWallMs: moment)
            guard now.daysSinceEpoch > latest else { continue }
            changes.append(first(of: now, after: before, by: moment))
            latest = now.daysSinceEpoch
        }
        return changes
    }

    private func first(of day: CivilDate, after: Int64, by: Int64) -> Int64 {
        var low = after
        var high = by
        while high - low > 1 {
            let middle = (low + high) / 2
            if self.day(ofWallMs: middle) == day { high = middle } else { low = middle }
        }
        return high
    }

    /// The moments between two years at which the offset changes.
    func transitions(fromYear: Int, toYear: Int) -> [Int64] {
        var moments: [Int64] = []
        var moment = Date(timeIntervalSince1970: Double(Self.startMs(fromYear)) / 1000)
        let end = Date(timeIntervalSince1970: Double(Self.startMs(toYear)) / 1000)
        while let next = zone.nextDaylightSavingTimeTransition(after: moment), next < end, next > moment {
            moments.append(Int64((next.timeIntervalSince1970 * 1000).rounded()))
            moment = next
        }
        return moments
    }

    static func startMs(_ year: Int, month: Int = 1, day: Int = 1) -> Int64 {
        Int64(CivilDate(year: year, month: month, day: day).daysSinceEpoch) * 86_400_000
    }
}
