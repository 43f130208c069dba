import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Days as they are lived")
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

    @Test("a moment lies in the day that the zone's offset says", arguments: zones)
    func days(zone: String) throws {
        let oracle = try #require(ZoneOracle(zone))
        let day = LocalDay(zone: zone)
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            let moment = Int64(random.number(0...4_000_000_000)) * 1000 + Int64(random.number(0...999))

            #expect(day.day(ofWallMs: moment) == oracle.day(ofWallMs: moment), "\(zone) at \(moment)")
        }
    }

    @Test("round every change of the clocks the parts are those of the offsets", arguments: zones)
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

    @Test("a day in Berlin has 23 hours in spring and 25 in autumn")
    func berlin() {
        // 2026-03-28 and 2026-10-24, 23:00 UTC and 22:00 UTC: midnights there.
        let spring = lengths("Europe/Berlin", ZoneOracle.startMs(2026, 3, 28) - 3_600_000, hours: 72)
        let autumn = lengths("Europe/Berlin", ZoneOracle.startMs(2026, 10, 24) - 2 * 3_600_000, hours: 72)

        #expect(spring.prefix(2).map(\.1) == [1440, 1380])
        #expect(spring.prefix(2).map(\.0) == ["2026-03-28", "2026-03-29"])
        #expect(autumn.prefix(2).map(\.1) == [1440, 1500])
    }

    @Test("a day on Lord Howe has 23.5 hours in spring")
    func lordHowe() {
        // 2026-10-04 begins at 13:30 UTC the day before, as the offset is 10:30.
        let parts = lengths(
            "Australia/Lord_Howe",
            ZoneOracle.startMs(2026, 10, 3) + 13 * 3_600_000 + 1_800_000,
            hours: 48
        )

        #expect(parts.first?.0 == "2026-10-04")
        #expect(parts.first?.1 == 1410)
    }

    @Test("in Kathmandu midnight is at a quarter past six in the evening, in UTC")
    func kathmandu() {
        let parts = lengths("Asia/Kathmandu", ZoneOracle.startMs(2026, 5, 1), hours: 24)

        #expect(parts.map(\.1) == [1095, 345])
        #expect(parts.map(\.0) == ["2026-05-01", "2026-05-02"])
    }

    @Test("Apia has no 30 December 2011, and not a minute of it")
    func apia() {
        // 2011-12-29 begins at 10:00 UTC, the offset being -10 in summer.
        let parts = lengths("Pacific/Apia", ZoneOracle.startMs(2011, 12, 29) + 10 * 3_600_000, hours: 48)

        #expect(parts.map(\.0) == ["2011-12-29", "2011-12-31"])
        #expect(parts.map(\.1) == [1440, 1440])
    }

    @Test("a day whose midnight does not exist begins at one")
    func noMidnight() {
        // São Paulo, 2017-10-15: from 00:00 to 01:00; the day before begins at 03:00 UTC.
        let parts = lengths("America/Sao_Paulo", ZoneOracle.startMs(2017, 10, 14) + 3 * 3_600_000, hours: 48)

        #expect(parts.prefix(2).map(\.0) == ["2017-10-14", "2017-10-15"])
        #expect(parts.prefix(2).map(\.1) == [1440, 1380])
    }

    @Test("a day that has begun goes on when clocks are set back over midnight")
    func backOverMidnight() {
        // St John's, 2010-11-07: at 02:31 UTC from 00:01 to 23:01 of the day before.
        let midnight = ZoneOracle.startMs(2010, 11, 7) + 150 * 60_000
        let again = lengths("America/St_Johns", midnight + 30 * 60_000, hours: 25)
        let whole = lengths("America/St_Johns", midnight, hours: 26)

        #expect(again.map(\.0) == ["2010-11-07", "2010-11-08"])
        #expect(again.map(\.1) == [1470, 30])
        #expect(whole.map(\.1) == [1500, 60])
    }

    @Test("a day ends at midnight, and the next one begins there")
    func midnight() {
        let day = LocalDay(zone: "Asia/Seoul")
        let midnight = ZoneOracle.startMs(2026, 1, 1) - 9 * 3_600_000

        #expect(day.day(ofWallMs: midnight - 1).text == "2025-12-31")
        #expect(day.day(ofWallMs: midnight).text == "2026-01-01")
        #expect(day.end(ofDayAtWallMs: midnight - 1) == midnight)
        #expect(day.end(ofDayAtWallMs: midnight) == midnight + 86_400_000)
    }

    @Test(
        "what is no zone is known as none, and counts as UTC",
        arguments: ["", "Europe/Atlantis", "../../etc/passwd", "/etc/localtime", "Asia/Seoul\u{0}"]
    )
    func unknown(zone: String) {
        #expect(!LocalDay.isKnown(zone: zone))
        #expect(LocalDay(zone: zone).day(ofWallMs: 0) == CivilDate(year: 1970, month: 1, day: 1))
    }

    @Test("every zone used here is known", arguments: zones)
    func known(zone: String) {
        #expect(LocalDay.isKnown(zone: zone))
    }
}

extension LocalDay {
    /// Cuts a stretch of time where its days end.
    fileprivate func split(startWallMs: Int64, durationMs: Int64) -> [(day: CivilDate, ms: Int64)] {
        var parts: [(day: CivilDate, ms: Int64)] = []
        var start = startWallMs
        let end = startWallMs + durationMs
        while start < end {
            // A day that ended before it began would go on for ever.
            let cut = min(end, max(self.end(ofDayAtWallMs: start), start + 1))
            parts.append((day(ofWallMs: start), cut - start))
            start = cut
        }
        return parts
    }
}
