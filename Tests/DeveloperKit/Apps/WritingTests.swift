import STAppSupport
import Testing

@Suite("Input of people")
struct WritingTests {
    @Test(
        "A length of time is read from hours, minutes and seconds",
        arguments: [
            ("30m", 1_800), ("1h", 3_600), ("1h30m", 5_400), ("90s", 90), ("1h5s", 3_605), ("45", 2_700),
            ("0m", 0),
            ("24h", 86_400),
        ]
    )
    func lengths(text: String, seconds: Int) { #expect(Length(text)?.seconds == seconds) }

    @Test(
        "An invalid length of time is rejected",
        arguments: [
            "", "m", "1x", "-5m", "5m1h", "1h30", "1m1m", "1.5h", "99999999999999999999m", "1h 30m", "٣m",
            "m5",
        ]
    )
    func noLength(text: String) {
        #expect(Length(text) == nil)
        #expect(throws: Refusal.self) { try Length.read(text, "--allowance") }
    }

    @Test("The text of a length reads back as the same length, and has a Korean form")
    func lengthText() {
        for seconds in [0, 1, 59, 60, 61, 3_600, 3_661, 5_400, 86_399] {
            #expect(Length(Length(seconds: seconds).text)?.seconds == seconds)
        }
        #expect(Length(seconds: 5_400).text(.english) == "1h30m")
        #expect(Length(seconds: 5_400).text(.korean) == "1시간 30분")
        #expect(Length(seconds: 0).text(.korean) == "0분")
    }

    @Test(
        "Valid times of day are read",
        arguments: [
            ("0:00", "00:00"), ("9:05", "09:05"), ("23:59:59", "23:59:59"), ("00:00:00", "00:00"),
        ]
    )
    func times(text: String, shown: String) { #expect(TimeOfDay(text)?.text == shown) }

    @Test(
        "Text that is not a valid time of day gives no time",
        arguments: ["", "9", "24:00", "9:60", "9:5:61", "9::5", "-1:00", "1:2:3:4", "+9:00", "123:00"]
    )
    func noTime(text: String) { #expect(TimeOfDay(text) == nil) }

    @Test("A choice contains each app, category and site once")
    func choices() throws {
        let choice = try Choice("firefox, category:games site:reddit.com,firefox app:code")

        #expect(choice.applications == ["firefox", "code"])
        #expect(choice.categories == ["games"])
        #expect(choice.sites == ["reddit.com"])
        #expect(try Choice(choice.names.joined(separator: ",")) == choice)
    }

    @Test(
        "A choice without a valid name is rejected with an example",
        arguments: ["", " , ", "category:", "page:x", "site:"]
    )
    func noChoice(text: String) throws {
        let refusal = try #require(throws: Refusal.self) { try Choice(text) }

        #expect(refusal.status == .usage)
        #expect(refusal.sentence.contains(Choice.example))
    }

    @Test("A choice with more names than a selection allows is rejected")
    func tooMany() {
        let names = (0...Choice.namesMax).map { "app\($0)" }.joined(separator: ",")

        #expect(throws: Refusal.self) { try Choice(names) }
    }

    @Test("Options are flags or have a value")
    func arguments() throws {
        let arguments = try Arguments(
            ["--start", "--words", "--odd words", "--choose=a=b"],
            flags: ["--start"],
            values: ["--words", "--choose"]
        )

        #expect(arguments.has("--start"))
        #expect(arguments["--words"] == "--odd words")
        #expect(arguments["--choose"] == "a=b")
    }

    @Test(
        "Invalid options are rejected",
        arguments: [
            ["--stop"], ["start"], ["--words"], ["--start=now"], ["--start", "--start"], [""],
        ]
    )
    func badArguments(words: [String]) {
        #expect(throws: Refusal.self) { try Arguments(words, flags: ["--start"], values: ["--words"]) }
    }

    @Test(
        "The language of an example app follows the locale variables",
        arguments: [
            (["LANG": "ko_KR.UTF-8"], Language.korean), (["LANG": "en_US.UTF-8"], .english), ([:], .english),
            (["LANG": "ko_KR.UTF-8", "LC_ALL": "C"], .english),
            (["LC_ALL": "", "LC_MESSAGES": "ko_KR"], .korean),
        ]
    )
    func language(environment: [String: String], language: Language) {
        #expect(Language(environment: environment) == language)
    }
}
