import STPlatform
import Testing

@testable import STCommandCore

@Suite("Lines in the merged log")
struct LogLineTests {
    private let text = LogLineText(
        Terminal(isTerminal: false, isColoured: false, columns: 100),
        services: ["auth-service", "notifier"]
    )

    @Test("A log record is shown as text with its fields in a fixed order")
    func record() {
        let line =
            #"{"time":"2026-11-20T17:00:00.125Z","level":"warning","service":"notifier","event":"late","message":"Too late.","route":"notify.add","count":3,"again":true}"#

        #expect(
            text.readable(line)?.dropFirst(6)
                == "00.125 warn  late Too late. again=true count=3 route=notify.add"
        )
        #expect(text.render("notifier", line).hasPrefix("notifier     | "))
    }

    @Test(
        "A line that is not a log record is shown unchanged",
        arguments: ["Fatal error: index out of range", "{", "{\"a\":1}", "[1]", "", "{\"event\":3}"]
    )
    func other(line: String) {
        #expect(text.readable(line) == nil)
        #expect(text.render("auth-service", line) == "auth-service | " + line)
    }

    @Test("Control characters in log lines are replaced, in plain lines and in records")
    func controlCharacters() {
        #expect(text.render("notifier", "a\u{1B}[2Jb\tc\u{9B}") == "notifier     | a\u{FFFD}[2Jb c\u{FFFD}")
        #expect(text.readable(#"{"event":"x","message":"a\u001b[2Jb"}"#) == "x a\u{FFFD}[2Jb")
    }
}
