import STDomain
import STPlatform
import Testing

@Suite("Text for moments")
struct MomentWordsTests {
    /// A moment of November 2026 in Berlin. The 20th is a Friday.
    private static func wallMs(day: Int = 20, hour: Int, minute: Int = 0) -> Int64 {
        let days = CivilDate(year: 2026, month: 11, day: day).daysSinceEpoch
        return Int64(days) * 86_400_000 + Int64((hour - 1) * 60 + minute) * 60_000
    }

    @Test(
        "A moment is described by its time today, its weekday this week, or else its date",
        arguments: [
            (20, 22, 30, "at 22:30", "22:30"), (21, 0, 0, "at midnight", "자정"),
            (21, 0, 5, "tomorrow at 00:05", "내일 00:05"),
            (22, 0, 0, "on Sunday at 00:00", "일요일 00:00"),
            (26, 9, 5, "on Thursday at 09:05", "목요일 09:05"),
            (27, 17, 0, "on 27 November at 17:00", "11월 27일 17:00"), (20, 21, 0, "at 21:00", "21:00"),
            (19, 21, 0, "yesterday at 21:00", "어제 21:00"),
            (18, 21, 0, "on 18 November at 21:00", "11월 18일 21:00"),
            (50, 8, 0, "on 20 December at 08:00", "12월 20일 08:00"),
            (65, 8, 0, "on 4 January 2027 at 08:00", "2027년 1월 4일 08:00"),
        ]
    )
    func moments(_ day: Int, hour: Int, minute: Int, english: String, korean: String) {
        let moment = Self.wallMs(day: 20, hour: hour, minute: minute) + Int64(day - 20) * 86_400_000
        func words(_ language: DisplayLanguage) -> MomentFormatter {
            MomentFormatter(fromMs: Self.wallMs(hour: 22), zone: "Europe/Berlin", in: language)
        }
        #expect(words(.english).at(moment) == english)
        #expect(english.hasSuffix(words(.english).text(moment)))
        #expect(words(.korean).text(moment) == korean)
        #expect(words(.korean).at(moment) == korean + "에")
    }

    @Test("Moments far in the past and future and in unknown zones are described")
    func strange() {
        func words(_ wallMs: Int64, _ nowMs: Int64, _ zone: String) -> String {
            MomentFormatter(fromMs: nowMs, zone: zone).text(wallMs)
        }
        #expect(words(Self.wallMs(hour: 22, minute: 1), Self.wallMs(hour: 22), "Nowhere/Else") == "21:01")
        #expect(words(1, -86_400_000 * 40_000, "Asia/Seoul") == "1 January 1970 at 09:00")
        #expect(words(-86_400_000 * 3, -86_400_000 * 5, "UTC") == "Monday at 00:00")
        #expect(words(ZoneRules.lastMs - 1, 0, "UTC") == "31 December 2199 at 23:59")
        // Clocks in Santiago went from 00:00 to 01:00 on 6 September 2026.
        let evening = Int64(CivilDate(year: 2026, month: 9, day: 6).daysSinceEpoch) * 86_400_000
        #expect(words(evening + 4 * 3_600_000, evening, "America/Santiago") == "midnight")
    }

    @Test("Text about a later day is valid until midnight")
    func goodUntil() {
        let words = MomentFormatter(fromMs: Self.wallMs(hour: 22), zone: "Europe/Berlin")
        #expect(words.validUntil(Self.wallMs(hour: 23)) == nil)
        #expect(words.text(Self.wallMs(day: 21, hour: 0) + 59_999) == "midnight")
        #expect(words.validUntil(Self.wallMs(day: 21, hour: 1)) == Self.wallMs(day: 21, hour: 0))
    }
}
