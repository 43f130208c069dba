/// A bench by name.
struct Bench: Sendable {
    var name: String
    var summary: String
    var run: @Sendable (BenchScratch, _ isShort: Bool) async throws -> [Figure]

    static let all = [
        Bench(
            name: "request",
            summary: "settings.get through the real service against a plain libzmq loop with the same bytes",
            run: { try await RequestBench($0, isShort: $1).run() }
        ),
        Bench(
            name: "events",
            summary: "durable events, at most 100 a commit, to three subscribers that decode and commit",
            run: { try await EventsBench($0, isShort: $1).run() }
        ),
        Bench(
            name: "ingest",
            summary: "observations into the ledger, durable, against rows into a plain table of SQLite",
            run: { try await IngestBench($0, isShort: $1).run() }
        ),
        Bench(
            name: "crossings",
            summary: "thresholds on the real clock: how late they are told, and called",
            run: { try await CrossingsBench($0, isShort: $1).run() }
        ),
        Bench(
            name: "simulate",
            summary: "a busy week on a virtual clock with real processes, and a year within one",
            run: { _, isShort in try await SimulateBench(isShort: isShort).run() }
        ),
        Bench(
            name: "policy",
            summary:
                "whether something is shielded among 50 stores of 50, and how soon others hold what is set",
            run: { _, isShort in try await PolicyBench(isShort: isShort).run() }
        ),
        Bench(
            name: "report",
            summary: "a year of one person: told by app, its read model, rebuilt, and beside watching",
            run: { try await ReportBench($0, isShort: $1).run() }
        ),
        Bench(
            name: "coder",
            summary: "the coder of payloads against Foundation's",
            run: { _, isShort in try CoderBench(isShort: isShort).run() }
        ),
        Bench(
            name: "idle",
            summary: "six services with nothing to do",
            run: { try await IdleBench($0, isShort: $1).run() }
        ),
        Bench(
            name: "desktop",
            summary:
                "desktop-agent on a real X display: wake-ups, memory, and how soon a change is in the ledger",
            run: { try await DesktopBench($0, isShort: $1).run() }
        ),
    ]

    static var names: String { all.map(\.name).joined(separator: ", ") }

    static func named(_ name: String) -> Bench? { all.first { $0.name == name } }
}
