import Foundation
import STContracts
import STTestSupport
import Synchronization
import Testing

@testable import STPlatform

@Suite("Log lines")
struct LogTests {
    private static let hostile = [
        "", "\"", "\\", "\\\"", "\n", "\r\n", "\t\u{8}\u{C}", "\u{0}\u{1}\u{1F}\u{7F}", "\u{2028}\u{2029}",
        "\",\"level\":\"error", "}\n{\"time\":\"", "김민준 👩‍👧 e\u{301}", "\u{FFFD}\u{FEFF}\u{10FFFF}", "\\u0041",
        "\u{1B}[31m", String(repeating: "\"", count: 5_000),
    ]

    private static func record(
        _ text: String,
        level: LogLevel = .info,
        fields: [(name: String, value: LogValue)] = []
    ) -> LogRecord {
        LogRecord(level: level, service: text, event: text, message: text, fields: fields, wallMs: 0)
    }

    @Test(
        "A log line is a single line of JSON that contains the record's values unchanged",
        arguments: hostile
    )
    func json(text: String) throws {
        let line = Self.record(text, fields: [("x" + text, .text(text)), ("n", -1), ("f", true)]).json
        let read = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))

        #expect(!line.unicodeScalars.contains { $0.value < 0x20 })
        guard case .object(let fields) = read else {
            Issue.record("no object: \(line)")
            return
        }
        #expect(fields["time"] == .string("1970-01-01T00:00:00.000Z"))
        #expect(fields["level"] == .string("info"))
        for name in ["service", "event", "message", "x" + text] { #expect(fields[name] == .string(text)) }
        #expect(fields["n"] == .integer(-1))
        #expect(fields["f"] == .bool(true))
        #expect(fields.count == 8)
    }

    @Test("A log line with random text is a JSON object that contains the text unchanged")
    func anyText() throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<500 {
            let text = String(decoding: random.bytes(random.number(0...60)), as: UTF8.self)
            let read = try JSONDecoder().decode(JSONValue.self, from: Data(Self.record(text).json.utf8))
            guard case .object(let fields) = read else {
                Issue.record("no object for \(text)")
                return
            }

            #expect(fields["message"] == .string(text))
        }
    }

    @Test(
        "Log lines contain personal values only at debug level, and otherwise their digest",
        arguments: LogLevel.allCases
    )
    func personal(level: LogLevel) {
        let title = "Letter to my mother"
        let record = Self.record("e", level: level, fields: [("title", .personal(title))])

        #expect(record.json.contains(title) == (level == .debug))
        #expect(record.text(coloured: false).contains(title) == (level == .debug))
        #expect(record.text(coloured: true).contains(title) == (level == .debug))
        #expect(record.json.contains(LogValue.digest(title)) == (level != .debug))
        #expect(LogValue.digest(title) != LogValue.digest(title + "s"))
    }

    @Test("Log lines contain colour codes if colours are requested, and otherwise plain text")
    func colours() {
        let record = Self.record("e", level: .error, fields: [("n", 7)])

        #expect(record.text(coloured: false) == "00:00:00.000 ERROR e e  e  n=7")
        #expect(record.text(coloured: true).contains("\u{1B}[31mERROR\u{1B}[0m"))
    }

    @Test("Records below the log level are not written")
    func levels() {
        let sink = CollectedLines()
        let log = Log(
            service: "s",
            level: .warning,
            sink: sink,
            time: SimulatedTimeSource(wallMs: 1_000)
        )

        log.info("b")
        log.warning("c", "why", fields: ["n": 1])
        log.error("d")
        log.problem("e", Problem("x.y", "It broke.", help: "mend it"), fields: ["n": 2])

        #expect(sink.records.map(\.event) == ["c", "d", "e"])
        #expect(sink.records.map(\.level) == [.warning, .error, .error])
        #expect(sink.records.map(\.wallMs) == [1_000, 1_000, 1_000])
        #expect(sink.records.last?.message == "It broke.")
        #expect(sink.records.last?.fields.map(\.name) == ["code", "try", "n"])
    }

    @Test("Log levels are in ascending order and have syslog's priorities")
    func order() {
        #expect(LogLevel.allCases == LogLevel.allCases.sorted())
        #expect(LogLevel.allCases.map(\.priority) == [7, 6, 4, 3])
    }
}

/// Keeps lines instead of writing them.
final class CollectedLines: LogSink {
    private let kept = Mutex<[LogRecord]>([])

    var records: [LogRecord] { kept.withLock { $0 } }

    func write(_ record: LogRecord) { kept.withLock { $0.append(record) } }
}
