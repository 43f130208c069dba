import Glibc
package import STPlatform

/// What clocks and calendars show at a moment, in one zone.
package struct LocalClock: Sendable {
    private let offsetMs: @Sendable (Int64) -> Int64
    /// As services know it; nil leaves it to them.
    package let zone: String?

    /// The zone of this computer.
    package static let here = LocalClock(zone: known(LocalZone.identifier())) { wallMs in
        var seconds = time_t(floored(wallMs, 1000))
        var parts = tm()
        localtime_r(&seconds, &parts)
        return Int64(parts.tm_gmtoff) * 1000
    }

    /// The offset from UTC at a moment.
    package init(zone: String? = nil, offsetMs: @escaping @Sendable (Int64) -> Int64) {
        self.zone = zone
        self.offsetMs = offsetMs
    }

    package func day(_ wallMs: Int64) -> CivilDate {
        CivilDate(daysSinceEpoch: Int(Self.floored(wallMs + offsetMs(wallMs), 86_400_000)))
    }

    /// From midnight, as the clock shows it.
    package func minuteOfDay(_ wallMs: Int64) -> Int {
        let local = wallMs + offsetMs(wallMs)
        return Int((local - Self.floored(local, 86_400_000) * 86_400_000) / 60_000)
    }

    package func hour(_ wallMs: Int64) -> Int { minuteOfDay(wallMs) / 60 }

    /// `17:05`.
    package func time(_ wallMs: Int64) -> String { Self.time(minute: minuteOfDay(wallMs)) }

    /// The first moment of a day; where the clock jumped over midnight, that is later.
    package func start(of day: CivilDate) -> Int64 {
        let local = Int64(day.daysSinceEpoch) * 86_400_000
        // The offset may change around midnight: the first moment that belongs to the day is its start.
        let moments = [-1, 1].map { local - offsetMs(local + $0 * 86_400_000) }.sorted()
        return moments.first { self.day($0) == day } ?? moments[1]
    }

    /// The moment at which the hour began.
    package func startOfHour(_ wallMs: Int64) -> Int64 {
        let offset = offsetMs(wallMs)
        return Self.floored(wallMs + offset, 3_600_000) * 3_600_000 - offset
    }

    /// `2026-11-20T17:05:00+09:00`.
    package func exact(_ wallMs: Int64) -> String {
        let offset = offsetMs(wallMs)
        let local = wallMs + offset
        let second = (local - Self.floored(local, 60_000) * 60_000) / 1000
        let minutes = offset.magnitude / 60_000
        let zone = (offset < 0 ? "-" : "+") + Self.time(minute: Int(minutes))
        return day(wallMs).text + "T" + time(wallMs) + ":" + Self.two(Int(second)) + zone
    }

    /// What nobody knows is not named: whoever is asked takes the zone of this computer then, as this clock does.
    private static func known(_ zone: String) -> String? {
        access("/usr/share/zoneinfo/" + zone, R_OK) == 0 ? zone : nil
    }

    private static func time(minute: Int) -> String { two(minute / 60) + ":" + two(minute % 60) }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private static func floored(_ value: Int64, _ unit: Int64) -> Int64 {
        value >= 0 ? value / unit : (value - unit + 1) / unit
    }
}
