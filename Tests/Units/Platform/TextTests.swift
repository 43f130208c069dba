import STPlatform
import Testing

@Suite("Text formats")
struct TextFormatTests {
    @Test(
        "Times are written and read as RFC 3339",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_735_787_045_678, "2025-01-02T03:04:05.678Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
        ] as [(Int64, String)]
    )
    func times(_ wallMs: Int64, _ text: String) {
        #expect(RFC3339.text(wallMs: wallMs) == text)
        #expect(RFC3339.wallMs(text) == wallMs)
    }

    @Test("A text is plain unless it contains a control character or a bidirectional control")
    func plain() {
        for value in UInt32(0)...0x30FF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isControl = scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
            for text in ["\(scalar)", "한\(scalar)", "\u{C2}\(scalar)\u{BF}"] where text.isPlain == isControl {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
        #expect("".isPlain && "Chess ♟ 체스 é".isPlain)
    }

    @Test("A time on each day of four centuries is read back unchanged")
    func days() {
        for day in Int64(0)..<146_097 {
            let wallMs = -2_208_988_800_000 + day * 86_400_000 + day % 86_400_000
            let text = RFC3339.text(wallMs: wallMs)
            guard RFC3339.wallMs(text) == wallMs else {
                Issue.record("\(text) is not \(wallMs)")
                return
            }
        }
    }

    @Test(
        "Text that is not a valid RFC 3339 time is rejected",
        arguments: [
            "", "2025-01-02", "2025-01-02T03:04:05", "2025-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2025-01-01T00:00:61Z", "2025-01-01T00:00:00+0000",
            "2025-01-01T00:00:00+24:00", "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z",
            "2025-01-01T24:00:00Z",
            "2025-01-01T00:60:00Z", "2025-01-01T00:00:00.Z",
            "2025-01-01T00:00:0٣Z", "+025-01-01T00:00:00Z",
            "2025-01-01T00:00:00,5Z",
        ]
    )
    func badTimes(_ text: String) {
        #expect(RFC3339.wallMs(text) == nil)
    }

    @Test("RFC 3339 times with lower-case letters, offsets or a leap second are read")
    func otherWritings() {
        #expect(RFC3339.wallMs("1970-01-01t00:00:01z") == 1000)
        #expect(RFC3339.wallMs("1970-01-01T09:00:01+09:00") == 1000)
        #expect(RFC3339.wallMs("1969-12-31T19:00:01-05:00") == 1000)
        #expect(RFC3339.wallMs("1970-01-01T00:00:60Z") == 60_000)
    }

    @Test("The fraction of a time may be absent, and digits below a millisecond are dropped")
    func fractions() {
        #expect(RFC3339.wallMs("1970-01-01T00:00:01Z") == 1000)
        #expect(RFC3339.wallMs("1970-01-01T00:00:01.5Z") == 1500)
        #expect(RFC3339.wallMs("1970-01-01T00:00:01.123999999Z") == 1123)
    }

    @Test(
        "Durations are written in at most two units, in English and in Korean",
        arguments: [
            (0, "0 s", "0초"), (250, "250 ms", "250밀리초"), (999, "999 ms", "999밀리초"), (1000, "1 s", "1초"),
            (45_999, "45 s", "45초"), (192_000, "3 min 12 s", "3분 12초"),
            (5_400_000, "1 h 30 min", "1시간 30분"), (3_605_000, "1 h", "1시간"), (86_400_000, "1 d", "1일"),
            (97_500_000, "27 h 5 min", "27시간 5분"), (187_200_000, "2 d 4 h", "2일 4시간"),
            (-192_000, "-3 min 12 s", "-3분 12초"),
        ] as [(Int64, String, String)]
    )
    func durations(ms: Int64, english: String, korean: String) {
        #expect(TextFormat.duration(ms: ms) == english)
        #expect(TextFormat.duration(ms: ms, in: .korean) == korean)
    }

    @Test("Durations are written in hours, exactly with all units, or in the form for typing")
    func otherDurations() {
        #expect(TextFormat.duration(ms: 187_200_000, inHours: true) == "52 h")
        #expect(TextFormat.exactDuration(ms: 93_784_005) == "1 d 2 h 3 min 4 s 5 ms")
        #expect(TextFormat.exactDuration(ms: 0) == "0 s")
        #expect(TextFormat.typedDuration(ms: 93_784_005) == "1d2h3m4s5ms")
        #expect(TextFormat.typedDuration(ms: 0) == "0")
    }

    @Test("Exact and typed durations are read back unchanged, and short ones are rounded down")
    func roundTrip() {
        var random = SeededRandom(seed: 17)
        for _ in 0..<2_000 {
            let ms = Int64.random(
                in: 1...TextFormat.durationMsMax >> Int64.random(in: 0...30, using: &random),
                using: &random
            )
            #expect(TextFormat.durationMs(TextFormat.typedDuration(ms: ms)) == ms)
            #expect(TextFormat.durationMs(TextFormat.exactDuration(ms: ms)) == ms)
            let short = TextFormat.durationMs(TextFormat.duration(ms: ms)) ?? -1
            #expect(short <= ms && ms - short < max(1000, ms / 24))
        }
    }

    @Test("Durations from days to milliseconds are read, also with several units")
    func readDurations() {
        #expect(TextFormat.durationMs("1h30m") == 5_400_000)
        #expect(TextFormat.durationMs("45s") == 45_000)
        #expect(TextFormat.durationMs("250ms") == 250)
        #expect(TextFormat.durationMs("90m") == 5_400_000)
        #expect(TextFormat.durationMs("1d2h3m4s5ms") == 93_784_005)
        #expect(TextFormat.duration(ms: .min).hasPrefix("-"))
    }

    @Test(
        "Text that is not a valid duration is rejected",
        arguments: [
            "", "5", "m", "1x", "30m1h", "1h1h", "-1h", "1.5h", " 1h", "1h ", "1 m s",
            "99999999999999999999h",
            "10001d", "1H",
        ]
    )
    func badDurations(_ text: String) {
        #expect(TextFormat.durationMs(text) == nil)
    }

    @Test(
        "Sizes are written in binary units with at most one decimal",
        arguments: [
            (0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (1_258_291, "1.1 MiB"), (1_258_292, "1.2 MiB"),
            (6_000_000_000, "5.5 GiB"), (.max, "7.9 EiB"), (-2048, "-2 KiB"),
        ] as [(Int64, String)]
    )
    func sizes(_ count: Int64, _ text: String) {
        #expect(TextFormat.bytes(count) == text)
    }

    @Test("The closest word is suggested, and none if no word is close")
    func closest() {
        let words = ["limit", "list", "status", "report"]

        #expect(TextFormat.closest(to: "limti", in: words) == "limit")
        #expect(TextFormat.closest(to: "STATSU", in: words) == "status")
        #expect(TextFormat.closest(to: "zebra", in: words) == nil)
        #expect(TextFormat.closest(to: "", in: words) == nil)
        #expect(TextFormat.closest(to: String(repeating: "a", count: 100_000), in: words) == nil)
    }
}

@Suite("JSON strings")
struct JSONQuotingTests {
    @Test(
        "A JSON string escapes the characters that JSON requires and no others",
        arguments: [
            ("", #""""#), ("plain é😀 /", #""plain é😀 /""#), (#"a"b\c"#, #""a\"b\\c""#),
            ("\n\r\t\u{0}\u{1B}\u{1F}\u{7F}", #""\n\r\t\u0000\u001b\u001f"# + "\u{7F}\""),
        ]
    )
    func quoted(text: String, json: String) {
        var bytes = Array("x".utf8)
        JSONQuoting.append(text, to: &bytes)

        #expect(JSONQuoting.quoted(text) == json)
        #expect(String(decoding: bytes, as: UTF8.self) == "x" + json)
    }
}

@Suite("Base64")
struct Base64Tests {
    /// The test vectors of RFC 4648, section 10.
    @Test(
        "Base64 encodes and decodes the test vectors of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ]
    )
    func vectors(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
    }

    @Test(
        "Base64 text that the encoder would not produce is rejected",
        arguments: ["Zg", "Zg=", "Zh==", "Zm9v\n", " Zm9v", "Zm9v====", "Zm-v", "Zm9v\u{0}", "김", "="]
    )
    func strict(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}

@Suite("Display languages")
struct LanguageTests {
    @Test(
        "The language code ko selects Korean in every spelling, and other codes select English",
        arguments: [
            ("ko", DisplayLanguage.korean), ("KO", .korean), ("ko_KR.UTF-8", .korean), ("ko-KR", .korean),
            ("en", .english), ("en_GB", .english), ("kok_IN", .english), ("de", .english), ("", .english),
            ("_ko", .english), ("\u{1B}ko", .english),
        ]
    )
    func words(tag: String, language: DisplayLanguage) {
        #expect(DisplayLanguage(of: tag) == language)
    }

    @Test("An unsupported language code gives nil, and a missing tag gives English")
    func others() {
        #expect(DisplayLanguage.all == [.english, .korean])
        #expect(DisplayLanguage(code: "de-DE") == nil)
        #expect(DisplayLanguage(code: "en-DE") == .english)
        #expect(DisplayLanguage(of: nil) == .english)
    }

    @Test(
        "The session's language comes from LANGUAGE, LC_ALL, LC_MESSAGES or LANG, as in a C library",
        arguments: [
            (["LANG": "ko_KR.UTF-8"], "ko_KR"),
            (["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "de_DE@euro"], "de_DE"),
            (["LANG": "ko_KR.UTF-8", "LC_ALL": "", "LC_MESSAGES": "en_US"], "en_US"),
            (["LANG": "de_DE.UTF-8", "LANGUAGE": "de:ko_KR:en"], "ko_KR"),
            (["LANG": "ko_KR.UTF-8", "LANGUAGE": "de:fr"], "de"),
            (["LANG": "ko_KR.UTF-8", "LANGUAGE": ""], "ko_KR"),
            (["LANG": "C", "LANGUAGE": "ko"], nil), (["LANGUAGE": "ko"], nil),
            // C and POSIX select no language, and variables of lower priority are ignored.
            (["LC_ALL": "C.UTF-8", "LANG": "ko_KR.UTF-8"], nil), (["LANG": "POSIX"], nil), ([:], nil),
        ] as [([String: String], String?)]
    )
    func session(environment: [String: String], tag: String?) {
        #expect(SessionLanguage.tag(environment) == tag)
    }

    @Test(
        "A malformed language name gives no language tag",
        arguments: ["../../etc", "ko\nKR", "ko KR", String(repeating: "k", count: 36), "한국어", ".UTF-8"]
    )
    func broken(name: String) {
        #expect(SessionLanguage.tag(name) == nil)
    }
}
