import Foundation
import STSimulation
import Testing

@Suite("Expectations of shield scenarios", .serialized)
struct ExpectationBreakTests {
    @Test(
        "A changed expectation is not met, and all others still are",
        arguments: [
            (
                "barebones-day.json", "\"not_shielded\": \"steam\", \"at\": \"2026-11-20 18:00:00.000\"",
                "\"not_shielded\": \"steam\", \"at\": \"2026-11-20 17:59:59.999\""
            ),
            (
                "barebones-day.json",
                "\"shielded\": \"steam\", \"at\": \"2026-11-20 09:00:00.000\", \"by\": \"barebones/daily\"",
                "\"shielded\": \"steam\", \"at\": \"2026-11-20 09:00:00.000\", \"by\": \"barebones/other\""
            ),
            (
                "worklog-week.json", "\"not_shielded\": \"steam\", \"at\": \"2026-11-16 11:30:00.000\"",
                "\"not_shielded\": \"steam\", \"at\": \"2026-11-16 11:29:59.999\""
            ),
            (
                "worklog-week.json",
                "\"store\": \"worklog/social\", \"empty\": true, \"at\": \"2026-11-17 18:00\"",
                "\"store\": \"worklog/gaming\", \"empty\": true, \"at\": \"2026-11-17 18:00\""
            ),
            (
                "worklog-week.json", "\"by\": \"worklog/gaming\", \"times\": 1",
                "\"by\": \"worklog/gaming\", \"times\": 2"
            ),
        ]
    )
    func changed(_ name: String, old: String, new: String) async throws {
        let text = try ScenarioFiles.text(name)
        try #require(text.contains(old))
        let changed = text.replacingOccurrences(of: old, with: new)
        let outcome = try await Simulation.withProcesses(
            try ScenarioReader.read(Array(changed.utf8), folder: ScenarioFiles.folder.path)
        )

        #expect(!outcome.isMet)
        #expect(outcome.verdicts.filter { !$0.isMet }.count == 1, "\(OutcomeText(outcome).text)")
    }
}
