import Glibc
import STContracts
import STPlatform
import STTestSupport

/// The same year and the same question, put to ActivityWatch's server in the same run.
struct ReportPeer {
    /// What the script prints.
    private struct Answer: WireBody, Codable {
        struct Span: WireBody, Codable {
            var medianS: Double
            var asked: Int64
            var sums: [String: Int64]

            enum CodingKeys: String, CodingKey {
                case asked, sums
                case medianS = "p50_s"
            }
        }

        var insertS: Double
        var spans: [String: Span]
        var bytes: Int64
    }

    /// An hour on this machine is far more than it needs.
    private static let deadlineMs: Int64 = 3_600_000

    /// Of an environment that has the server.
    let python: String
    let script: String
    let scratch: BenchScratch
    let year: YearOfUse

    /// `ours` are the figures that it is held against.
    func figures(_ ours: [Figure]) throws -> [Figure] {
        let folder = "\(scratch.directories.state)/peer"
        try Directories.prepare(folder)
        try AtomicFile.write(events(), to: "\(folder)/events", durable: false)
        let spans = ours.compactMap { figure -> (name: String, ms: Double, days: Int64)? in
            let words = figure.name.split(separator: " ")
            guard figure.name.hasPrefix("by app over"), words.count > 3, let days = Int64(words[3]) else {
                return nil
            }
            return ("\(days)", figure.value, days)
        }
        let end = spans.map(\.days).max().map { YearOfUse.startWallMs + $0 * 86_400_000 } ?? 0
        let list = JSONValue.array(
            spans.map {
                .array([.string($0.name), .integer(end - $0.days * 86_400_000), .integer(end)])
            }
        )
        let text = String(decoding: list.text, as: UTF8.self)
        let answer = try run([script, "\(folder)/events", folder, text], folder)
        var figures = [
            figure("ActivityWatch: taking the same events", answer.insertS, "s"),
            figure("ActivityWatch: its file", Double(answer.bytes) / 1_048_576, "MiB"),
        ]
        for span in spans {
            guard let theirs = answer.spans[span.name] else { continue }
            try check(theirs.sums, from: end - span.days * 86_400_000, to: end)
            let ms = theirs.medianS * 1000
            figures.append(figure("ActivityWatch: by app over \(span.days) days, p50", ms, "ms"))
            figures.append(figure("ours against that", span.ms / ms, "x", .atMost(1)))
        }
        return figures
    }

    private func figure(_ name: String, _ value: Double, _ unit: String, _ bar: Figure.Bar = .none) -> Figure
    {
        Figure(bench: "report", name: name, value: value, unit: unit, bar: bar)
    }

    /// Both were asked the same, or the ratio says nothing: to within a millisecond for each event.
    private func check(_ sums: [String: Int64], from: Int64, to: Int64) throws {
        let expected = year.usedMs(from: from, to: to)
        let isSame = expected.allSatisfy { app, ms in abs((sums[app] ?? 0) - ms) <= max(2_000, ms / 1_000) }
        guard isSame, sums.count == expected.count else {
            throw ObservationSender.failed("ActivityWatch's answer is not that of the same data")
        }
    }

    private func events() -> [UInt8] {
        var text: [UInt8] = []
        for (index, stretch) in year.stretches.enumerated() {
            var writer = JSONWriter(capacity: 128)
            writer.field("from", stretch.wallMs)
            writer.field("to", year.endMs(of: index))
            if let app = stretch.app {
                writer.field("app", app)
            } else {
                writer.raw("app", Array("null".utf8))
            }
            text += writer.finish() + [UInt8(ascii: "\n")]
        }
        return text
    }

    private func run(_ arguments: [String], _ folder: String) throws -> Answer {
        let path = "\(folder)/answer"
        let child = try scratch.start(path: python, arguments, output: path)
        guard let status = child.wait(deadlineMs: Self.deadlineMs), status.isSuccess else {
            throw ObservationSender.failed("ActivityWatch's server: \(ScratchDirectory.text(path))")
        }
        return try Answer.decodedBody(Array(ScratchDirectory.text(path).utf8))
    }
}
