import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Schedules compared with a simulated clock")
struct SchedulePropertyTests {
    /// Zones with a day on which their clocks change. In the last three they do not change.
    private static let places: [(zone: String, day: String)] = [
        ("Europe/Berlin", "2026-03-29"), ("Europe/Berlin", "2026-10-25"), ("America/New_York", "2026-03-08"),
        ("America/New_York", "2026-11-01"), ("Australia/Lord_Howe", "2026-10-04"),
        ("Australia/Lord_Howe", "2026-04-05"), ("Pacific/Chatham", "2026-09-27"),
        ("Pacific/Chatham", "2026-04-05"), ("America/Sao_Paulo", "2017-10-15"),
        ("America/Sao_Paulo", "2018-02-18"), ("America/St_Johns", "2010-03-14"),
        ("America/St_Johns", "2010-11-07"), ("America/Nuuk", "2026-03-28"), ("America/Nuuk", "2026-10-24"),
        ("Antarctica/Troll", "2026-03-29"), ("Antarctica/Troll", "2026-10-25"),
        ("Africa/Cairo", "2026-04-24"),
        ("Asia/Beirut", "2026-03-29"), ("Pacific/Apia", "2011-12-30"), ("Asia/Pyongyang", "2018-05-04"),
        ("Africa/Casablanca", "2026-02-15"), ("Asia/Seoul", "2026-11-20"), ("Asia/Kathmandu", "2026-11-20"),
        ("UTC", "2026-11-20"),
    ]

    private static func end(_ kind: Int, _ random: inout SeededRandom) -> ScheduleOracle.End {
        // Half of the ends are in the hours in which clocks change.
        let early = random.chance(percent: 50)
        return ScheduleOracle.End(
            weekday: kind == 2 ? random.number(1...7) : nil,
            hour: kind == 0 ? nil : random.number(0...(early ? 4 : 23)),
            minute: random.pick([0, 15, 29, 30, 45, 59]) ?? 0,
            second: random.chance(percent: 20) ? random.number(0...59) : 0
        )
    }

    @Test("A thousand random schedules around clock changes match a clock simulated minute by minute")
    func walks() throws {
        let oracles = try Self.places.map { place in
            let middle = at("\(place.day) 00:00")
            return try #require(
                ScheduleOracle(
                    zone: place.zone,
                    fromMs: middle - 16 * 86_400_000,
                    minutes: (16 + 30) * 1440
                )
            )
        }
        var uneven = 0
        for seed in 0..<1000 {
            var random = SeededRandom(seed: UInt64(seed))
            let place = random.number(0...(oracles.count - 1))
            let oracle = oracles[place]
            let kind = random.pick([0, 1, 1, 1, 1, 2, 2]) ?? 1
            let start = Self.end(kind, &random)
            let end = random.chance(percent: 10) ? start : Self.end(kind, &random)
            let days =
                kind == 2 || random.chance(percent: 70) ? [] : Set((0..<3).map { _ in random.number(1...7) })
            let schedule = Schedule(
                start: start.fields,
                end: end.fields,
                repeats: true,
                days: days.isEmpty ? nil : days.sorted()
            )
            let isNear = random.chance(percent: 50)
            let reach: Int64 = isNear ? 3 * 3_600_000 : 7 * 86_400_000
            let middle = at("\(Self.places[place].day) 00:00")
            let now = (isNear ? oracle.changeMs ?? middle : middle) + random.number(-reach...reach)
            let expected = oracle.intervals(
                start: start,
                end: end,
                days: days,
                around: now,
                weeks: kind == 2 || !days.isEmpty ? 3 : 1
            )
            let index = try #require(expected.firstIndex { $0.endMs > now })
            let found = schedule.interval(atOrAfter: now, zone: oracle.zone)
            let next = found.flatMap { schedule.next(after: $0) }

            guard found == expected[index], next == expected[index + 1] else {
                Issue.record(
                    """
                    seed \(seed): \(schedule.summary) in \(oracle.zone) at \(now): \
                    \(found.map { $0.text() } ?? "none"), then \(next.map { $0.text() } ?? "none"), not \
                    \(expected[index].text()), then \(expected[index + 1].text())
                    """
                )
                return
            }
            uneven += expected[index].durationMs == expected[index + 1].durationMs ? 0 : 1
        }
        // Enough of the schedules must cover a clock change.
        #expect(uneven > 100)
    }

    @Test("Intervals of random schedules do not overlap, and each is found from a moment inside it")
    func follow() throws {
        for seed in 0..<1000 {
            var random = SeededRandom(seed: UInt64(seed))
            let place = random.pick(Self.places) ?? Self.places[0]
            let kind = random.pick([0, 1, 1, 2]) ?? 1
            let schedule = Schedule(
                start: Self.end(kind, &random).fields,
                end: Self.end(kind, &random).fields,
                repeats: true
            )
            let from = at("\(place.day) 00:00") - random.number(0...3) * 86_400_000
            let list = schedule.preview(count: 12, fromMs: from, zone: place.zone)

            guard list.count == 12, list[0].endMs > from else {
                Issue.record("seed \(seed): \(list.count) intervals")
                return
            }
            for (one, other) in zip(list, list.dropFirst()) {
                let inside = one.startMs + random.number(0...(one.durationMs - 1))
                let holds =
                    one.startMs < one.endMs && one.endMs <= other.startMs
                    && schedule.interval(atOrAfter: inside, zone: place.zone) == one
                    && schedule.interval(atOrAfter: one.endMs, zone: place.zone) == other
                guard holds else {
                    Issue.record("seed \(seed): \(schedule.summary) in \(place.zone): \(one), \(other)")
                    return
                }
            }
        }
    }

    @Test("After a zone change, an interval ends when the new zone's clock shows the planned time")
    func moves() throws {
        let zones = Self.places.map(\.zone).filter { $0 != "Pacific/Apia" }
        for seed in 0..<1000 {
            var random = SeededRandom(seed: UInt64(seed))
            let old = random.pick(zones) ?? zones[0]
            let new = random.pick(zones) ?? zones[0]
            let day = (random.pick(Self.places) ?? Self.places[0]).day
            let endMs = at("\(day) 00:00") + random.number(-40...40) * 1_800_000
            let interval = Interval(startMs: endMs - 86_400_000 * 3, endMs: endMs, zone: old)
            let before = try #require(ScheduleOracle(zone: old, fromMs: endMs, minutes: 1))
            let face = before.faces[0].minute
            let after = try #require(
                ScheduleOracle(zone: new, fromMs: face * 60_000 - 16 * 3_600_000, minutes: 32 * 60)
            )
            let expected = old == new ? endMs : after.faces.first { $0.minute == face }?.atMs
            let found = daily("22:00", "07:00").end(of: interval, movedTo: new)

            guard found == expected else {
                Issue.record("seed \(seed): \(old) to \(new) at \(endMs): \(found), not \(expected ?? 0)")
                return
            }
        }
    }
}
