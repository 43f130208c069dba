import Glibc
import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("A file that cannot be brought in", .timeLimit(.minutes(5)))
struct BadImportTests {
    private let house: TransferHouse

    init() throws { house = try TransferHouse() }

    private static let header =
        #"{"screentime":"export","version":1,"exported_at":"2026-11-20T10:00:00.000Z","device":{"id":"device-1","name":"laptop","model":"mac"}}"#

    private static func end(_ lines: Int) -> String {
        #"{"end":"2026-11-20T10:00:00.000Z","lines":\#(lines)}"#
    }

    private static func usage(_ number: Int) throws -> String {
        var row = TransferHouse.row(number)
        row.member = "kim"
        return #"{"usage":\#(String(decoding: try row.encodedBody(), as: UTF8.self))}"#
    }

    private func bring(_ bytes: [UInt8], _ options: [String] = []) async throws -> (Int32, String, String) {
        let path = house.scratch.file("file")
        try AtomicFile.write(bytes, to: path)
        let (code, output) = try await house.run(["data", "import", path, "--json"] + options)
        guard case .object(let fields) = try JSONOutput.value(Array(output.standard.utf8)) else {
            return (code, "", "")
        }
        func text(_ name: String) -> String {
            if case .string(let text)? = fields[name] { text } else { "" }
        }
        return (code, text("code"), text("message"))
    }

    private func bring(_ lines: [String], _ options: [String] = []) async throws -> (Int32, String, String) {
        try await bring(Array((lines.joined(separator: "\n") + "\n").utf8), options)
    }

    @Test("An invalid import file is rejected with a code and a line number, and nothing is imported")
    func structure() async throws {
        let row = try Self.usage(1)
        let long = #"{"usage":{"app":"\#(String(repeating: "x", count: 65_536))"}}"#
        let deep = #"{"usage":\#(String(repeating: "[", count: 100))\#(String(repeating: "]", count: 100))}"#
        let version = Self.header.replacing("\"version\":1", with: "\"version\":7")
        let cases: [([String], String, Int)] = [
            ([""], "import.no_header", 1),
            (["hello"], "import.no_header", 1),
            ([#"{"screentime":"report","version":1}"#], "import.no_header", 1),
            ([#"{"screentime":"export","version":1}"#], "import.no_header", 1),
            ([row, Self.end(1)], "import.no_header", 1),
            ([version, Self.end(1)], "import.other_version", 1),
            ([Self.header], "import.truncated", 1),
            ([Self.header, row], "import.truncated", 2),
            ([Self.header, row, Self.end(3)], "import.lines_missing", 3),
            ([Self.header, row, Self.end(2), row], "import.more_after_end", 4),
            ([Self.header, row, "{\"end\":1}"], "import.bad_end", 3),
            ([Self.header, "no json", Self.end(2)], "import.not_json", 2),
            ([Self.header, "", Self.end(2)], "import.not_json", 2),
            ([Self.header, "[1]", Self.end(2)], "import.not_json", 2),
            ([Self.header, "{}", Self.end(2)], "import.not_json", 2),
            ([Self.header, row + row, Self.end(2)], "import.not_json", 2),
            ([Self.header, deep, Self.end(2)], "import.not_json", 2),
            ([Self.header, row, #"{"usagee":{}}"#, Self.end(3)], "import.unknown_line", 3),
            ([Self.header, row, long, Self.end(3)], "import.line_too_long", 3),
            ([Self.header, "{\"usage\":\"\u{0}\"}", Self.end(2)], "import.binary", 2),
        ]
        for (lines, code, line) in cases {
            let (exit, found, message) = try await bring(lines)
            #expect(exit == 1 && found == code, "\(found) instead of \(code): \(message)")
            #expect(message.hasPrefix("Line \(line): "), "\(message)")
        }
        #expect(house.now.rows.isEmpty)
        #expect(!house.now.asked.contains(UsageImport.name))
    }

    @Test("A cut-off import file is rejected, and one without its last line end is imported")
    func truncated() async throws {
        let text =
            [Self.header, try Self.usage(1), try Self.usage(2), Self.end(3)].joined(separator: "\n") + "\n"
        let bytes = Array(text.utf8)
        var random = SeededRandom(seed: 4)
        for _ in 0..<40 {
            let cut = random.number(0...bytes.count - 3)
            let (exit, code, message) = try await bring(Array(bytes.prefix(cut)))
            #expect(exit == 1)
            let isHeader = cut < Self.header.utf8.count
            #expect(code == (isHeader ? "import.no_header" : "import.truncated"), "\(cut): \(message)")
        }
        // Only the last line end is missing: all is there.
        #expect(try await bring(Array(bytes.dropLast())).0 == 0)
        #expect(house.now.rows.count == 2)
    }

    @Test("An import file of random bytes is rejected with or without a valid header")
    func rubbish() async throws {
        var random = SeededRandom(seed: 5)
        for size in [1, 100, 70_000, 300_000] {
            let (exit, code, _) = try await bring(random.bytes(size))
            #expect(exit == 1)
            #expect(["import.no_header", "import.line_too_long"].contains(code), "\(code)")
        }
        let lines = Array((Self.header + "\n").utf8) + random.bytes(1_000) + Array("\n\(Self.end(2))\n".utf8)
        let (_, code, _) = try await bring(lines)
        #expect(["import.binary", "import.not_json"].contains(code))
    }

    @Test("`data import` rejects directories, pipes, devices and missing files without sending a request")
    func places() async throws {
        let scratch = house.scratch
        mkfifo(scratch.file("pipe"), 0o600)
        for (path, code) in [
            (scratch.path, "import.is_directory"), (scratch.file("pipe"), "import.not_a_file"),
            (scratch.file("none"), "import.not_readable"), ("/dev/null", "import.not_a_file"),
        ] {
            let (exit, output) = try await house.run(["data", "import", path, "--json"])
            #expect(exit == 1)
            #expect(output.standard.contains("\"\(code)\""), "\(output.standard)")
        }
        #expect(house.now.asked.isEmpty)
    }

    @Test("A rejected import row is reported with its line and the imported count, and a retry adds the rest")
    func badLine() async throws {
        let rows = try (1...450).map { try Self.usage($0) }
        house.change { $0.refused = ["agent/run/312"] }
        let lines = [Self.header] + rows + [Self.end(451)]
        let (exit, code, message) = try await bring(lines)
        #expect(exit == 2 && code == "usage.times_reversed")
        #expect(message.hasPrefix("Line 313: This row ends before it begins."))
        #expect(message.contains("Before that, 311 lines were imported."))
        #expect(house.now.rows.count == 311)
        house.change { $0.refused = [] }
        #expect(try await bring(lines).0 == 0)
        #expect(house.now.rows.map(\.sequence) == Array(1...450))
    }

    @Test("An import line with invalid fields or an unknown device is rejected with its line number")
    func badFields() async throws {
        for bad in [
            #"{"usage":{"segment":"x"}}"#, #"{"usage":7}"#, #"{"member":{"name":5}}"#, #"{"list":{}}"#,
        ] {
            let lines = [Self.header, try Self.usage(1), bad, Self.end(3)]
            let (exit, code, message) = try await bring(lines)
            #expect(exit == 1 && code == "import.bad_line", "\(code) \(message)")
            #expect(message.hasPrefix("Line 3: "))
        }
        var row = TransferHouse.row(2)
        row.device = "tablet"
        let line = #"{"usage":\#(String(decoding: try row.encodedBody(), as: UTF8.self))}"#
        let (_, code, message) = try await bring([Self.header, try Self.usage(1), line, Self.end(3)])
        #expect(code == "import.unknown_device" && message.hasPrefix("Line 3: "))
        #expect(house.now.rows.map(\.segment) == ["agent/run/1"])
    }

    @Test("An import continues after a rejected rule and reports the line of the rule")
    func refusedRule() async throws {
        let bad =
            #"{"rule":{"id":"r","added_at":"","is_watched":true,"rule":{"kind":"limit","name":"refused","targets":[]}}}"#
        let (exit, output) = try await {
            let path = house.scratch.file("file")
            let lines = [Self.header, bad, try Self.usage(1), Self.end(3)]
            try AtomicFile.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
            return try await house.run(["data", "import", path])
        }()
        #expect(exit == 1)
        #expect(output.standard.contains("line 2: No. [rule.bad]"))
        #expect(house.now.rows.count == 1)
    }
}
