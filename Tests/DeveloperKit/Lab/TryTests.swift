import STCommandKit
import STContracts
import STPlatform
import STSimulator
import STTestSupport
import Testing

@testable import STLab

@Suite("The tried week of an app")
struct TryTests {
    private static let hostile = "<script>alert(1)</script> \"&' \u{202E}"

    private static func outcome(
        _ state: DeliveryState = .done,
        isMet: Bool = true,
        problem: Problem? = nil
    ) -> SimulatorOutcome {
        var entry = SimulatorReport.Entry(
            at: "2026-03-02T07:00:00Z",
            told: "2026-03-02T07:00:00Z",
            zone: "UTC",
            kind: "interval_started"
        )
        entry.app = hostile
        entry.method = "intervalDidStart"
        entry.callback = .init(
            state: state,
            attempt: 1,
            reason: state == .done ? nil : "extension.crashed",
            lines: nil
        )
        let report = SimulatorReport(
            name: "a week of \(hostile)",
            zone: "UTC",
            start: "2026-03-02T07:00:00Z",
            end: "2026-03-09T07:00:00Z",
            isMet: isMet,
            timeline: [entry, entry],
            silences: [hostile],
            expectations: [
                .init(expected: hostile, isMet: isMet, place: "/expect/0", instead: isMet ? nil : hostile)
            ]
        )
        return SimulatorOutcome(
            report: report,
            lines: [
                .init("a week", .heading), .init("Mon", .heading), .init("  08:00  \(hostile)"),
                .init("  | said", .aside),
            ],
            unmet: isMet ? [] : [hostile],
            playedMs: 604_800_000,
            tookMs: 1_070,
            shields: [.init(look: ShieldAppearance(title: nil, submenu: []), name: hostile)],
            reports: problem.map { [.init(app: hostile, context: "day", problem: $0)] } ?? [],
            calls: [.init(app: hostile, method: "intervalDidStart", count: 2, longestMs: 5, mostKib: 7_000)]
        )
    }

    @Test("The page of a tried week loads nothing else and escapes every text")
    func page() {
        let outcome = Self.outcome(problem: Problem("report.broken", verbatim: Self.hostile))
        let page = TryPage(outcome, TryVerdict(outcome, expected: nil), environment: [:]).document
        #expect(!page.contains("<script") && !page.contains("\u{202E}"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(!page.contains("http:") && !page.contains("https:"))
        #expect(page.contains("<img alt=") && page.contains("data:image/png;base64,"))
        #expect(page.contains("6.8 MB") && page.contains("<tr class=\"bad\">"))
        #expect(page.contains("<details open><summary>Mon</summary>"))
    }

    @Test("A verdict fails on a failed callback, expectation or report, or a changed timeline")
    func verdict() {
        let outcome = Self.outcome()
        let before = "a week\nMon\n\n  08:00  \(Self.hostile)\n  | said\n"
        #expect(TryVerdict(outcome, expected: nil).isMet)
        #expect(TryVerdict(outcome, expected: before).isMet)
        let other = TryVerdict(outcome, expected: before.replacing("said", with: "was silent"))
        #expect(!other.isMet)
        #expect(other.changes == ["-   | was silent", "+   | said"])
        #expect(other.junit.contains("tests=\"3\" failures=\"1\" time=\"1.070\""))
        #expect(other.junit.contains("+   | said</failure>"))
        #expect(!other.junit.contains("<script"))

        let crashed = TryVerdict(Self.outcome(.parked), expected: nil)
        #expect(!crashed.isMet)
        #expect(crashed.failures == ["\(Self.hostile) intervalDidStart: extension.crashed (2×)"])
        #expect(!TryVerdict(Self.outcome(isMet: false), expected: nil).isMet)
        let silent = TryVerdict(Self.outcome(problem: Problem("report.broken", "No page.")), expected: nil)
        #expect(!silent.isMet && silent.junit.contains("day: No page.</failure>"))
    }

    @Test("Trying an app requires a valid manifest, a running service and an existing expectation file")
    func refusals() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        func code(_ words: String...) async -> String {
            let (_, output) = await CommandOutput.run(
                ["app", "try"] + words + ["--json"],
                in: scratch.path,
                bodies: LabCommands.bodies
            )
            let said = output.standard + output.error
            return (try? JSONValue(text: Array(said.utf8))["code"]?.string) ?? said
        }
        #expect(await code(scratch.path) == "lab.no_app")
        #expect(await code("./nothing/there") == "lab.no_app")
        #expect(await code("focus") == "service.not_running")
        #expect(await code(scratch.path, "--expect", scratch.file("none")) == "file.not_found")
        for manifest in ["{\"id\": 5, \"extensions\": 7", "[]", "{\"id\": \"x\", \"extensions\": [7]}"] {
            try scratch.write(manifest, to: "manifest.json")
            #expect(await code(scratch.path).hasPrefix("app."), "\(manifest)")
        }
    }
}
