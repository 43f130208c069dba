import Foundation
import STPlatform

/// Days of a zone from nothing but its offsets from UTC.
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

    /// The moments in a span at which the day becomes another, to the millisecond; minutes are looked at one by one.
    func changes(fromWallMs: Int64, hours: Int) -> [Int64] {
        var changes: [Int64] = []
        var before = day(ofWallMs: fromWallMs)
        for minute in 1...(hours * 60) {
            let moment = fromWallMs + Int64(minute) * 60_000
            let now = day(ofWallMs: moment)
            if now != before { changes.append(first(of: now, after: moment - 60_000, by: moment)) }
            before = now
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

    /// Where the offset changes between two years.
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

    static func startMs(_ year: Int, _ month: Int = 1, _ day: Int = 1) -> Int64 {
        Int64(CivilDate(year: year, month: month, day: day).daysSinceEpoch) * 86_400_000
    }
}
