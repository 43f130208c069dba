import Glibc
import STBaseline
import STContracts
import STPlatform
import STServiceKit

/// `screentime-bench [NAME…] [--short] [--aged FOLDER] [--json FILE]` measures and prints a table. It exits with 1 if a bar is
/// missed, and with 3 if something could not be measured.
///
/// With `--aged`, it measures a household of five weeks and the same household after three years. Their databases are made in the
/// folder if they do not exist.
@main
enum Main {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if let role = BenchRole(arguments: arguments) { role.run() }
        Signals.unblockAll()
        Signals.ignoreBrokenPipes()
        let isShort = arguments.contains("--short")
        arguments.removeAll { $0 == "--short" }
        let file = take("--json", of: &arguments)
        let aged = take("--aged", of: &arguments)
        let unknown = arguments.filter { Bench.named($0) == nil }
        guard unknown.isEmpty else {
            print("There is no bench \(unknown.joined(separator: ", ")). There are: \(Bench.names).")
            exit(2)
        }
        let names = arguments.isEmpty ? (aged == nil ? Bench.all.map(\.name) : Bench.ofAge) : arguments
        do {
            var households: (young: AgedHousehold, aged: AgedHousehold, alone: AgedHousehold)?
            if let aged {
                let alone = try await AgedHousehold.made(in: aged, days: isShort ? 30 : 365, isAlone: true)
                households = (
                    // A report shows at most five weeks. The young household has them, so both replies have the same size.
                    try await .made(in: aged, days: isShort ? 5 : 35),
                    try await .made(in: aged, days: isShort ? 30 : 1_095),
                    alone
                )
            }
            exit(await run(names, isShort: isShort, households, file: file))
        } catch {
            print("The household could not be made: \(error)")
            exit(3)
        }
    }

    private static func take(_ option: String, of arguments: inout [String]) -> String? {
        guard let index = arguments.firstIndex(of: option), index + 1 < arguments.count else { return nil }
        defer { arguments.removeSubrange(index...(index + 1)) }
        return arguments[index + 1]
    }

    private static func run(
        _ names: [String],
        isShort: Bool,
        _ households: (young: AgedHousehold, aged: AgedHousehold, alone: AgedHousehold)?,
        file: String?
    ) async
        -> Int32
    {
        var figures: [Figure] = households.map { $0.alone.figures + $0.aged.figures } ?? []
        for figure in figures { print(figure.line) }
        var failed: [String] = []
        for name in names {
            guard let bench = Bench.named(name) else { continue }
            print("\(bench.name): \(bench.summary)")
            do {
                var found = try await measured(bench, isShort: isShort, aged: households?.young)
                if let households {
                    found += AgedHousehold.ratios(
                        found,
                        try await measured(bench, isShort: isShort, aged: households.aged)
                    )
                }
                for figure in found { print(figure.line) }
                figures += found
            } catch {
                print("  failed: \(error)")
                failed.append(name)
                figures.append(Figure(bench: name, name: "failed", value: 0, unit: "", bar: .atLeast(1)))
            }
        }
        if let file { write(figures, to: file) }
        let missed = figures.filter { !$0.isMet }
        print(
            missed.isEmpty
                ? "every bar met"
                : "missed: \(missed.map { "\($0.bench) \($0.name)" }.joined(separator: ", "))"
        )
        guard failed.isEmpty else { return 3 }
        return missed.isEmpty ? 0 : 1
    }

    private static func measured(_ bench: Bench, isShort: Bool, aged: AgedHousehold?) async throws
        -> [Figure]
    {
        let scratch = try BenchScratch(aged)
        defer { scratch.remove() }
        return try await bench.run(scratch, isShort)
    }

    private static func write(_ figures: [Figure], to file: String) {
        let document = JSONValue.array(figures.map(\.json))
        do {
            try AtomicFile.write(try FigureList(figures: document).encodedBody(), to: file)
        } catch {
            print("cannot write \(file): \(error)")
        }
    }
}

private struct FigureList: WireBody, Codable {
    var figures: JSONValue
}

/// A bench, by name.
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
            summary: "thresholds on the real clock: how late they are reported, and called",
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
            run: { try await PolicyBench($0, isShort: $1).run() }
        ),
        Bench(
            name: "decisions",
            summary:
                "delay from the moment that a limit is reached to its shield on the policy stream, on the real clock",
            run: { try await DecisionsBench($0, isShort: $1).run() }
        ),
        Bench(
            name: "report",
            summary: "a year of one person: reported by app, its read model, rebuilt, and beside watching",
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
            name: "commands",
            summary: "what people ask most, from the start of the command to its end",
            run: { try await CommandsBench($0, isShort: $1).run() }
        ),
        Bench(
            name: "data",
            summary: "the record of use checked and copied: for each row and each MiB",
            run: { try await DataBench($0, isShort: $1).run() }
        ),
        Bench(
            name: "machines",
            summary: "a thousand machines tell their household of their use, into PostgreSQL and into a file",
            run: { try await MachinesBench($0, isShort: $1).run() }
        ),
        Bench(
            name: "desktop",
            summary:
                "desktop-agent on a real X display: wake-ups, memory, and how soon a change is in the ledger",
            run: { try await DesktopBench($0, isShort: $1).run() }
        ),
    ]

    /// The benches that could become slower with older data.
    static let ofAge = ["request", "ingest", "crossings", "policy", "report", "idle", "commands", "data"]

    static var names: String { all.map(\.name).joined(separator: ", ") }

    static func named(_ name: String) -> Bench? { all.first { $0.name == name } }
}

/// The role of this program when a bench starts it again: the other side of a baseline, or a service made for measuring.
enum BenchRole {
    case serve(endpoint: String, header: [UInt8], body: [UInt8])
    case publish(endpoint: String, subscribers: Int32, count: Int32, header: [UInt8], body: [UInt8])
    case collect(endpoint: String, count: Int32)
    case publisher
    case subscriber(Int)

    init?(arguments: [String]) {
        guard arguments.first == "--role", arguments.count > 1 else { return nil }
        let rest = Array(arguments.dropFirst(2))
        switch (arguments[1], rest.count) {
        case ("serve", 3):
            self = .serve(endpoint: rest[0], header: Array(rest[1].utf8), body: Array(rest[2].utf8))
        case ("publish", 5):
            self = .publish(
                endpoint: rest[0],
                subscribers: Int32(rest[1]) ?? 0,
                count: Int32(rest[2]) ?? 0,
                header: Array(rest[3].utf8),
                body: Array(rest[4].utf8)
            )
        case ("collect", 2): self = .collect(endpoint: rest[0], count: Int32(rest[1]) ?? 0)
        case ("publisher", 0): self = .publisher
        case ("subscriber", 1): self = .subscriber(Int(rest[0]) ?? 0)
        default: return nil
        }
    }

    func run() -> Never {
        switch self {
        case .serve(let endpoint, let header, let body):
            exit(st_baseline_serve(endpoint, header, header.count, body, body.count))
        case .publish(let endpoint, let subscribers, let count, let header, let body):
            exit(
                st_baseline_publish(endpoint, subscribers, count, header, header.count, body, body.count)
                    == count ? 0 : 1
            )
        case .collect(let endpoint, let count):
            exit(st_baseline_collect(endpoint, count) > 0 ? 0 : 1)
        case .publisher: ServiceProcess.main(BenchPublisher.definition(), arguments: [])
        case .subscriber(let number): ServiceProcess.main(BenchSubscriber.definition(number), arguments: [])
        }
    }
}
