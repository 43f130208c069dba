import Glibc
import STContracts
import STPlatform

/// `screentime-bench [NAME…] [--short] [--json FILE]`: measures, prints a table, exits 1 when a bar is missed, and 3 when
/// something could not be measured.
@main
enum Main {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if let role = BenchRole(arguments: arguments) { role.run() }
        Signals.unblockAll()
        Signals.ignoreBrokenPipes()
        let isShort = arguments.contains("--short")
        arguments.removeAll { $0 == "--short" }
        var file: String?
        if let index = arguments.firstIndex(of: "--json"), index + 1 < arguments.count {
            file = arguments[index + 1]
            arguments.removeSubrange(index...(index + 1))
        }
        let unknown = arguments.filter { Bench.named($0) == nil }
        guard unknown.isEmpty else {
            print("There is no bench \(unknown.joined(separator: ", ")). There are: \(Bench.names).")
            exit(2)
        }
        exit(await run(arguments.isEmpty ? Bench.all.map(\.name) : arguments, isShort: isShort, file: file))
    }

    private static func run(_ names: [String], isShort: Bool, file: String?) async -> Int32 {
        var figures: [Figure] = []
        var failed: [String] = []
        for name in names {
            guard let bench = Bench.named(name) else { continue }
            print("\(bench.name): \(bench.summary)")
            do {
                let scratch = try BenchScratch()
                defer { scratch.remove() }
                for figure in try await bench.run(scratch, isShort) {
                    print(figure.line)
                    figures.append(figure)
                }
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
