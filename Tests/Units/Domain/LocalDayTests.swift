import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Local days")
struct LocalDayTests {
    private static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Asia/Seoul", "Asia/Kathmandu", "Asia/Kolkata",
        "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Chatham", "Africa/Cairo",
        "America/Sao_Paulo", "America/Havana", "Asia/Beirut", "Asia/Tehran", "America/St_Johns",
        "Africa/Casablanca", "America/Nuuk", "Antarctica/Troll", "Etc/GMT+12",
    ]

    private func lengths(_ zone: String, _ startMs: Int64, hours: Int64) -> [(String, Int64)] {
        LocalDay(zone: zone).split(startWallMs: startMs, durationMs: hours * 3_600_000).map {
            ($0.day.text, $0.ms / 60_000)
        }
    }

    @Test("A moment belongs to the local day that follows from the zone's offset", arguments: zones)
    func days(zone: String) throws {
        let oracle = try #require(ZoneOracle(zone))
        let day = LocalDay(zone: zone)
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            let moment = Int64(random.number(0...4_000_000_000)) * 1000 + Int64(random.number(0...999))

            #expect(day.day(ofWallMs: moment) == oracle.day(ofWallMs: moment), "\(zone) at \(moment)")
        }
    }

    @Test("Around clock changes, local days begin where the zone's offsets say", arguments: zones)
    func changes(zone: String) throws {
        let oracle = try #require(ZoneOracle(zone))
        let day = LocalDay(zone: zone)
        for moment in oracle.transitions(fromYear: 2008, toYear: 2012)
            + oracle.transitions(fromYear: 2024, toYear: 2027)
        {
            let start = moment - 40 * 3_600_000
            let parts = day.split(startWallMs: start, durationMs: 80 * 3_600_000)
            let edges = parts.dropLast().reduce(into: [start]) { edges, part in
                edges.append((edges.last ?? 0) + part.ms)
            }.dropFirst()

            #expect(Array(edges) == oracle.changes(aroundWallMs: moment), "\(zone) at \(moment)")
            #expect(parts.reduce(0) { $0 + $1.ms } == 80 * 3_600_000)
            #expect(edges.map(oracle.day) == parts.dropFirst().map(\.day), "\(zone) at \(moment)")
        }
    }

    @Test("A day in Berlin has 23 hours in spring and 25 hours in autumn")
    func berlin() {
        // Midnight in Berlin, at the beginning of 2026-03-28 (23:00 UTC) and of 2026-10-24 (22:00 UTC).
        let spring = lengths(
            "Europe/Berlin",
            ZoneOracle.startMs(2026, month: 3, day: 28) - 3_600_000,
            hours: 72
        )
        let autumn = lengths(
            "Europe/Berlin",
            ZoneOracle.startMs(2026, month: 10, day: 24) - 2 * 3_600_000,
            hours: 72
        )

        #expect(spring.prefix(2).map(\.1) == [1440, 1380])
        #expect(spring.prefix(2).map(\.0) == ["2026-03-28", "2026-03-29"])
        #expect(autumn.prefix(2).map(\.1) == [1440, 1500])
    }

    @Test("A day on Lord Howe Island has 23.5 hours in spring")
    func lordHowe() {
        // 2026-10-04 begins at 13:30 UTC the day before, because the offset is 10:30.
        let parts = lengths(
            "Australia/Lord_Howe",
            ZoneOracle.startMs(2026, month: 10, day: 3) + 13 * 3_600_000 + 1_800_000,
            hours: 48
        )

        #expect(parts.first?.0 == "2026-10-04")
        #expect(parts.first?.1 == 1410)
    }

    @Test("Midnight in Kathmandu is at 18:15 UTC")
    func kathmandu() {
        let parts = lengths("Asia/Kathmandu", ZoneOracle.startMs(2026, month: 5, day: 1), hours: 24)

        #expect(parts.map(\.1) == [1095, 345])
        #expect(parts.map(\.0) == ["2026-05-01", "2026-05-02"])
    }

    @Test("The skipped day in Apia, 30 December 2011, contains no time")
    func apia() {
        // 2011-12-29 begins at 10:00 UTC, because the offset in summer is -10.
        let parts = lengths(
            "Pacific/Apia",
            ZoneOracle.startMs(2011, month: 12, day: 29) + 10 * 3_600_000,
            hours: 48
        )

        #expect(parts.map(\.0) == ["2011-12-29", "2011-12-31"])
        #expect(parts.map(\.1) == [1440, 1440])
    }

    @Test("A day without a midnight begins at 01:00")
    func noMidnight() {
        // On 2017-10-15 clocks in São Paulo go from 00:00 to 01:00. The day before begins at 03:00 UTC.
        let parts = lengths(
            "America/Sao_Paulo",
            ZoneOracle.startMs(2017, month: 10, day: 14) + 3 * 3_600_000,
            hours: 48
        )

        #expect(parts.prefix(2).map(\.0) == ["2017-10-14", "2017-10-15"])
        #expect(parts.prefix(2).map(\.1) == [1440, 1380])
    }

    @Test("A day that has begun continues when clocks are set back over midnight")
    func backOverMidnight() {
        // On 2010-11-07 at 02:31 UTC clocks in St John's go from 00:01 to 23:01 of the day before.
        let midnight = ZoneOracle.startMs(2010, month: 11, day: 7) + 150 * 60_000
        let again = lengths("America/St_Johns", midnight + 30 * 60_000, hours: 25)
        let whole = lengths("America/St_Johns", midnight, hours: 26)

        #expect(again.map(\.0) == ["2010-11-07", "2010-11-08"])
        #expect(again.map(\.1) == [1470, 30])
        #expect(whole.map(\.1) == [1500, 60])
    }

    @Test("A local day ends at midnight, where the next one begins")
    func midnight() {
        let day = LocalDay(zone: "Asia/Seoul")
        let midnight = ZoneOracle.startMs(2026, month: 1, day: 1) - 9 * 3_600_000

        #expect(day.day(ofWallMs: midnight - 1).text == "2025-12-31")
        #expect(day.day(ofWallMs: midnight).text == "2026-01-01")
        #expect(day.end(ofDayAtWallMs: midnight - 1) == midnight)
        #expect(day.end(ofDayAtWallMs: midnight) == midnight + 86_400_000)
    }

    @Test(
        "An invalid zone name is reported as unknown, and LocalDay uses UTC for it",
        arguments: ["", "Europe/Atlantis", "../../etc/passwd", "/etc/localtime", "Asia/Seoul\u{0}"]
    )
    func unknown(zone: String) {
        #expect(!LocalDay.isKnown(zone: zone))
        #expect(LocalDay(zone: zone).day(ofWallMs: 0) == CivilDate(year: 1970, month: 1, day: 1))
    }

    @Test("LocalDay accepts every zone of these tests", arguments: zones)
    func known(zone: String) {
        #expect(LocalDay.isKnown(zone: zone))
    }
}

extension LocalDay {
    /// Divides a period at the ends of its local days.
    fileprivate func split(startWallMs: Int64, durationMs: Int64) -> [(day: CivilDate, ms: Int64)] {
        var parts: [(day: CivilDate, ms: Int64)] = []
        var start = startWallMs
        let end = startWallMs + durationMs
        while start < end {
            // Prevents an endless loop if a day ended before it began.
            let cut = min(end, max(self.end(ofDayAtWallMs: start), start + 1))
            parts.append((day(ofWallMs: start), cut - start))
            start = cut
        }
        return parts
    }
}
