import STCommandCore
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("What people see")
struct RenderingTests {
    private let names = [
        "firefox", "한국어 앱", "org.keepassxc.KeePassXC.with.a.very.long.name.that.never.ends", "é", "编辑器", "🎮",
    ]

    @Test(
        "All lines of a bar chart with wide and long names have the same width and fit the terminal",
        arguments: [60, 100, 200]
    )
    func bars(columns: Int) {
        let terminal = Terminal(isTerminal: true, isColoured: false, columns: columns)
        let rows = names.enumerated().map {
            BarChart.Row(name: $1, value: .milliseconds(($0 + 1) * 1_234_567))
        }

        let lines = BarChart(rows: rows).lines(columns: columns, terminal)

        let widths = Set(lines.map(DisplayWidth.columns))
        #expect(widths.count == 1)
        #expect(widths.allSatisfy { $0 <= columns })
    }

    @Test("The largest value has the longest bar, a tiny value has a short bar, and zero has no bar")
    func lengths() {
        let terminal = Terminal(isTerminal: false, isColoured: false, columns: 100)
        let rows = [
            BarChart.Row(name: "a", value: .seconds(3_600)), .init(name: "b", value: .milliseconds(1)),
            .init(name: "c", value: .zero),
        ]

        let blocks = BarChart(rows: rows).lines(columns: 100, terminal).map { line in
            line.filter { "█▉▊▋▌▍▎▏".contains($0) }.count
        }

        #expect(blocks == [60, 1, 0])
    }

    @Test("Random text is printed without control characters except colours, tabs and line breaks")
    func harmless() throws {
        var random = SeededRandom(seed: 5)
        let pieces: [String] = [
            "a", "é", "한", "\n", "\t", "\u{1B}", "[", "31", ";", "m", "2J", "H", "K", "\u{7F}", "\u{9B}",
            "\u{202E}",
            "\u{2066}", "\u{2028}", "\r", "\0", "\u{8}", "]0;title\u{7}",
        ]
        for _ in 0..<5_000 {
            let text = (0..<random.number(0...12)).map { _ in random.pick(pieces) ?? "" }.joined()
            let written = Mutex("")
            var terminal = Terminal(isTerminal: true, isColoured: true, columns: 80)
            terminal.sink = { text, _ in written.withLock { $0 += text } }
            terminal.write(text)
            let plain = written.withLock { $0 }.replacing(#/\u{1B}\[[0-9;]*m|\r\n/#, with: "")
            #expect(
                plain.unicodeScalars.allSatisfy { !DisplayWidth.isControl($0) || ["\n", "\t"].contains($0) },
                "\(text.debugDescription)"
            )
            let json = JSONOutput.pretty(.array([.string(text)]))
            #expect(json.unicodeScalars.allSatisfy { !DisplayWidth.isControl($0) || $0 == "\n" })
            #expect(try JSONOutput.value(Array(json.utf8)) == .array([.string(text)]))
        }
    }

    @Test("Text is truncated by display columns, and its control characters are replaced")
    func cut() {
        #expect(DisplayWidth.truncated("한국어", 5) == "한국…")
        #expect(DisplayWidth.truncated("한국어", 6) == "한국어")
        #expect(DisplayWidth.truncated("한국어", 4) == "한…")
        #expect(DisplayWidth.columns("é") == 1)
        #expect(DisplayWidth.columns("e\u{301}") == 1)
        #expect(DisplayWidth.sanitized("a\u{1B}[31mb") == "a·[31mb")
    }

    @Test("The summary of today has the usage, the absence, the unobserved time and the start of observation")
    func today() {
        let text = lines(
            usedMs: 7_200_000,
            rows: [.init(app: "firefox", usedMs: 7_200_000, pickups: 1, notifications: 0)]
        )

        for part in [
            "Friday, 2026-11-20", "2 h so far", "firefox", "10 min", "Not observed: 1 h",
            "counts neither as usage nor as absence",
            "Observed since", "DEMO", "and 3 more, 5 min in total",
        ] {
            #expect(text.contains(part), "\(part) is missing in:\n\(text)")
        }
    }

    @Test("The summary of today reports a day without usage and a system without observations")
    func emptyDay() {
        let text = lines(usedMs: 0, rows: [], since: nil)

        #expect(text.contains("No usage was recorded"))
        #expect(text.contains("Nothing has been observed"))
    }

    private func lines(usedMs: Int64, rows: [ReportUsageRow], since: String? = "2026-11-18T08:00:00.000Z")
        -> String
    {
        var segment = ReportUsageSegment(
            startWallMs: 0,
            endWallMs: 86_400_000,
            day: "2026-11-20",
            usedMs: usedMs,
            absentMs: 600_000,
            unobservedMs: 3_600_000,
            shieldedMs: 0,
            pickups: 0,
            idlePickups: 0,
            notifications: 0,
            rows: rows
        )
        if !rows.isEmpty { (segment.restMs, segment.restCount) = (300_000, 3) }
        let reply = ReportUsage.Reply(zone: "Asia/Seoul", segments: [segment], since: since, isOpen: false)
        return TodayText.lines(reply, now: [], isDemo: true, plain).joined(separator: "\n")
    }

    @Test("Pretty-printing JSON keeps numbers and strings, and printing the result again changes nothing")
    func json() {
        let text =
            #"{"b":[1,2.50,{"x":"a,b:{}\"]"}],"a":{},"long":["\#(String(repeating: "x", count: 90))"]}"#

        let pretty = JSONOutput.pretty(Array(text.utf8))

        #expect(pretty.contains("2.50"))
        #expect(pretty.contains(#"{"x": "a,b:{}\"]"}"#))
        #expect(pretty.split(separator: "\n").count > 5)
        let again = JSONOutput.pretty(Array(pretty.utf8))
        #expect(again == pretty)
    }

    @Test(
        "Compact JSON has sorted keys, whole numbers without a point, and only the required escapes"
    )
    func compact() {
        let value: JSONValue = [
            "b": .number(1), "a10": .number(0.1), "a2": .number(1e21), "B": .number(-0.5), "é": .number(1e-7),
            "z": ["/": "a\"\\/\n\t\u{1}é\u{2028}", "n": .null, "t": true, "i": -7, "nan": .number(.nan)],
            "e": [.object([:]), .array([])],
        ]

        let expected =
            #"{"B":-0.5,"a10":0.1,"a2":1e+21,"b":1,"e":[{},[]],"#
            + #""z":{"/":"a\"\\/\n\t\u0001é\#u{2028}","i":-7,"n":null,"nan":null,"t":true},"é":1e-07}"#
        #expect(JSONOutput.line(value) == expected)
        #expect(JSONOutput.pretty(value).hasPrefix("{\n  \"B\": -0.5,\n  \"a10\": 0.1,\n"))
    }

    @Test("An app is shown by its name, else by the last part of a reverse-domain id, else by its whole id")
    func appNames() {
        let names = DisplayNames(["org.mozilla.firefox": "Firefox", "code": "Visual Studio Code\u{1B}[2J"])

        #expect(names["org.mozilla.firefox"] == "Firefox")
        #expect(names["code"] == "Visual Studio Code·[2J")
        #expect(names["org.gnome.TextEditor"] == "TextEditor")
        #expect(names["gimp-2.10"] == "gimp-2.10" && names["steam"] == "steam")
    }

    private var plain: Terminal { Terminal(isTerminal: false, isColoured: false, columns: 100) }
}
