import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore
@testable import STCommandImport

@Suite("Files of other programs")
struct PastFormTests {
    @Test("Removing overlaps of imported intervals keeps all covered time, and lost time is the overlap")
    func inOrder() {
        for seed in UInt64(0)..<300 {
            var random = SeededRandom(seed: seed)
            let stretches = (0..<random.number(1...40)).map { _ in
                let start = WallTime(ms: Int64(random.number(0...1_000)))
                return ImportedInterval(
                    start: start,
                    end: start + .milliseconds(random.number(0...90)),
                    app: "app\(random.number(0...2))"
                )
            }
            let (found, lost) = ImportedInterval.withoutOverlaps(stretches)
            // Moment by moment: something was there, and now it is there once.
            var times = [Int](repeating: 0, count: 1_200)
            for stretch in stretches { for ms in stretch.start.ms..<stretch.end.ms { times[Int(ms)] += 1 } }
            #expect(
                found.reduce(.zero) { $0 + $1.length } == .milliseconds(times.count { $0 > 0 }),
                "seed \(seed)"
            )
            #expect(lost == .milliseconds(times.reduce(0) { $0 + max(0, $1 - 1) }), "seed \(seed)")
            for (one, two) in zip(found, found.dropFirst()) {
                #expect(one.end <= two.start, "seed \(seed)")
                #expect(one.end < two.start || one.app != two.app, "seed \(seed)")
            }
        }
    }

    @Test("Sixty days of equal imported intervals become rows of at most seven days")
    func long() {
        let days = (Int64(0)..<60).map {
            ImportedInterval(
                start: WallTime(ms: $0 * 86_400_000),
                end: WallTime(ms: ($0 + 1) * 86_400_000),
                presence: .idle
            )
        }
        let found = ImportedInterval.withoutOverlaps(days).stretches
        #expect(found.count == 9 && found.reduce(.zero) { $0 + $1.length } == .seconds(60 * 86_400))
        #expect(found.allSatisfy { $0.length <= .seconds(7 * 86_400) })
    }

    @Test("An imported event in the year 1 or 9999 is skipped as damaged, and other events are read")
    func centuries() throws {
        let events = ["0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "2025-01-01T10:00:00Z"].map {
            "{\"timestamp\": \"\($0)\", \"duration\": 60.0, \"data\": {\"app\": \"a\"}}"
        }
        let text =
            "{\"buckets\": {\"w\": {\"type\": \"currentwindow\", \"hostname\": \"h\", \"events\": [\(events.joined(separator: ","))]}}}"
        let found = try ActivityWatchFile.read(Array(text.utf8), here: [])
        #expect(found.devices.map { $0.intervals.map(\.length) } == [[.seconds(60)]])
        #expect(found.skipped == [.damaged: 2])
    }

    @Test("A damaged ActivityWatch export is rejected or read into valid intervals without overlaps")
    func damaged() throws {
        let whole = try AtomicFile.read(
            BuiltTree.source("Tests/Golden/Past/activitywatch.json"),
            limitBytes: 1_000_000
        )
        var refused = 0
        for seed in UInt64(0)..<150 {
            var random = SeededRandom(seed: seed)
            var bytes = whole
            switch seed % 3 {
            case 0: bytes.removeLast(random.number(1...bytes.count - 1))
            case 1:
                for _ in 0..<20 { bytes[random.number(0...bytes.count - 1)] = UInt8(random.number(0...255)) }
            default:
                let at = random.number(0...bytes.count - 2_000)
                bytes.insert(
                    contentsOf: whole[at..<at + random.number(1...2_000)],
                    at: random.number(0...bytes.count - 1)
                )
            }
            do {
                let found = try ActivityWatchFile.read(bytes, here: ["desk"])
                for stretches in found.devices.map(\.intervals) {
                    #expect(stretches.allSatisfy { $0.length > .zero && $0.length <= .seconds(31 * 86_400) })
                    #expect(zip(stretches, stretches.dropFirst()).allSatisfy { $0.end <= $1.start })
                }
            } catch let problem as Problem {
                #expect(problem.code == "import.not_activitywatch", "seed \(seed): \(problem)")
                refused += 1
            }
        }
        #expect(refused > 60)
    }

    @Test("A computer name from a file is shortened and has no slashes or control characters")
    func hosts() throws {
        for name in ["a/b", String(repeating: "\u{AC00}", count: 500), "\u{1}\u{2}", "..", "\u{202E}x"] {
            let device = ImportSource(name: name, isHere: false, stretches: [])
            #expect((1...60).contains(device.name.utf8.count) && !device.name.contains("/"))
            #expect(device.name.unicodeScalars.allSatisfy { !DisplayWidth.isControl($0) })
        }
    }

    @Test(
        "A web address has the site of its host name, and other addresses have no site",
        arguments: [
            ("https://www.example.com:8080/path?q=1#part", "example.com"),
            ("http://user:word@a.example/", "a.example"),
            ("https://[::1]:5600/x", "[::1]"), ("https://EXAMPLE.com", "example.com"),
            ("https://www.www.example.org/", "www.example.org"), ("about:newtab", nil),
            ("file:///etc/passwd", nil),
            ("https://", nil), ("", nil), ("https://m\u{FC}ller.example/", "xn--mller-kva.example"),
        ] as [(String, String?)]
    )
    func sites(_ address: String, _ site: String?) { #expect(ImportFindings.domain(ofPage: address) == site) }

    @Test("The table reader keeps separators, line ends and quotes inside quoted fields")
    func tables() throws {
        var lines: [[String]] = []
        try UsageTableReader.eachLine(
            "\u{FEFF}a,b\r\n\"x, y\",\"1\"\"2\"\n\n\"over\ntwo\",\n,last",
            separator: ","
        ) {
            lines.append($1)
        }
        #expect(lines == [["a", "b"], ["x, y", "1\"2"], ["over\ntwo", ""], ["", "last"]])
    }
}
