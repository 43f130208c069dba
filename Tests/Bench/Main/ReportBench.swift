import Glibc
import STBus
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// Measures a year of one person: the speed of reports, the size of the read model, and the effect of reports on ingestion.
struct ReportBench {
    private let scratch: BenchScratch
    private let isShort: Bool
    /// The number of days: a year, or its first weeks.
    private let days: Int

    init(_ scratch: BenchScratch, isShort: Bool) {
        self.scratch = scratch
        self.isShort = isShort
        days = isShort ? 30 : 365
    }

    func run() async throws -> [Figure] {
        let year = YearOfUse(days: days)
        for service in ["auth-service", "activity-center", "report-service"] { try scratch.start(service) }
        let loop = try BusLoop()
        let directories = scratch.directories
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        try await BenchMember.add(YearOfUse.member, client)
        let peer = try RawPeer(.dealer, try directories.endpoint(service: "activity-center", .rpc))
        defer { peer.close() }
        let startNs = Stopwatch.nanoseconds()
        let sender = ObservationSender(peer: peer, run: "year")
        try sender.sendAll(year.stretches.count) { year.observation($0) }
        try await Self.hasFollowed(client)
        var figures = [
            figure("focus changes", value: Double(days * 1_000), unit: ""),
            figure("taken and summed up in", value: seconds(since: startNs), unit: "s"),
        ]
        try await check(client, year)
        let listener = TraceListener(loop, try directories.endpoint(service: "report-service", .events))
        figures += try await asked(client, listener)
        figures += try command()
        figures.append(figure("read model on the disk", value: try size(), unit: "MiB", bar: .atMost(25)))
        figures += try await rebuilt(client)
        figures += try await besidesIngest(client)
        let environment = ProcessEnvironment.current()
        if let python = environment["SCREENTIME_BENCH_PYTHON"],
            let script = environment["SCREENTIME_BENCH_PEER"]
        {
            let peer = ReportPeer(python: python, script: script, scratch: scratch, year: year)
            do {
                figures += try peer.figures(figures)
            } catch {
                // Report the other measurements anyway.
                print("  \(error)")
                figures.append(
                    figure("ActivityWatch: could not be measured", value: 0, unit: "", bar: .atLeast(1))
                )
            }
        }
        await client.close()
        loop.stop()
        return figures
    }

    private func figure(_ name: String, value: Double, unit: String, bar: Figure.Bar = .none) -> Figure {
        Figure(bench: "report", name: name, value: value, unit: unit, bar: bar)
    }

    private func seconds(since ns: Int64) -> Double { Double(Stopwatch.nanoseconds() - ns) / 1e9 }

    private var end: Int64 { YearOfUse.startWallMs + Int64(days) * 86_400_000 }

    // MARK: - Following

    static func hasFollowed(_ client: BusClient, within limit: Duration = .seconds(300)) async throws {
        try await eventually(within: limit, "report-service has processed all usage") {
            let theirs = try await client.call(HealthReport.self, to: .activity, Empty()).streams
            let report = try await client.call(HealthReport.self, to: .report, Empty())
            let head = theirs.first { $0.stream == StreamName.usage.rawValue }?.sequence
            let usage = report.cursors.first { $0.stream == StreamName.usage.rawValue }
            guard let usage, usage.state == "live", usage.sequence == head else {
                throw NotYet("\(report.cursors)")
            }
        }
    }

    /// Checks the sums of the report, because a fast but wrong reply has no value.
    private func check(_ client: BusClient, _ year: YearOfUse) async throws {
        let reply = try await client.call(ReportUsage.self, request(days: days))
        var told: [String: Int64] = [:]
        for row in reply.segments.flatMap(\.rows) { told[row.app ?? "", default: 0] += row.usedMs }
        guard told == year.usedMs(to: end) else {
            throw ObservationSender.failed("the report of the year does not say what was put in")
        }
    }

    // MARK: - Asking

    private func request(days: Int) -> ReportUsage.Request {
        ReportUsage.Request(
            fromWallMs: end - Int64(days) * 86_400_000,
            toWallMs: end,
            segment: .whole,
            by: [.app],
            members: [YearOfUse.member],
            zone: YearOfUse.zone
        )
    }

    private func asked(_ client: BusClient, _ listener: TraceListener) async throws -> [Figure] {
        var figures: [Figure] = []
        var whole = 0.0
        for days in Set([days, 30, 7, 1]).sorted(by: >) {
            let times = try await ask(client, days: days, count: isShort ? 50 : 1_000)
            let p50 = times.quantileUs(0.5) / 1000
            let isWhole = days == self.days
            if isWhole { whole = p50 }
            // Not slower than the whole year, apart from the variation between runs.
            let bar = isWhole ? Figure.Bar.atMost(5) : .atMost(max(whole * 1.2, 1))
            figures.append(figure("by app over \(days) days, p50", value: p50, unit: "ms", bar: bar))
        }
        try await listener.start()
        _ = try await ask(client, days: days, count: isShort ? 50 : 1_000)
        await listener.stop()
        var inside = Measurement()
        inside.add(listener.spans.filter { $0.kind == .handle }.map { $0.durationUs * 1000 })
        let name = "of that over \(days) days in the service, p50"
        figures.append(figure(name, value: inside.quantileUs(0.5) / 1000, unit: "ms", bar: .atMost(1)))
        return figures
    }

    private func ask(_ client: BusClient, days: Int, count: Int) async throws -> Measurement {
        var times = Measurement()
        for _ in 0..<count {
            let start = Stopwatch.nanoseconds()
            _ = try await client.call(ReportUsage.self, request(days: days))
            times.add([Stopwatch.nanoseconds() - start])
        }
        return times
    }

    /// Measures the command from the start of the process to its end.
    private func command() throws -> [Figure] {
        let from = "2025-11-01"
        let to = days == 365 ? "2026-11-01" : "2025-12-01"
        let words = [
            "report", "--from", from, "--to", to, "--by", "app", "--member", YearOfUse.member, "--json",
        ]
        var times = Measurement()
        for _ in 0..<(isShort ? 10 : 40) {
            let start = Stopwatch.nanoseconds()
            let child = try scratch.start("screentime", words, output: "/dev/null")
            guard let status = child.wait(deadlineMs: 20_000), status.isSuccess else {
                throw ObservationSender.failed("screentime \(words.joined(separator: " "))")
            }
            times.add([Stopwatch.nanoseconds() - start])
        }
        return [
            figure(
                "the whole command, p50",
                value: times.quantileUs(0.5) / 1000,
                unit: "ms",
                bar: .atMost(30)
            )
        ]
    }

    // MARK: - Its file

    /// Returns the size in MiB, including the log.
    private func size() throws -> Double {
        let path = scratch.directories.database(service: "report-service")
        var bytes = 0.0
        for suffix in ["", "-wal"] {
            var about = stat()
            if stat(path + suffix, &about) == 0 { bytes += Double(about.st_size) }
        }
        return bytes / 1_048_576
    }

    private func rebuilt(_ client: BusClient) async throws -> [Figure] {
        let start = Stopwatch.nanoseconds()
        _ = try await client.call(ReportRebuild.self, .init(starts: true))
        let rows = try await eventually(within: .seconds(120), "the report database is rebuilt") {
            let reply = try await client.call(ReportRebuild.self, .init(starts: false))
            if let problem = reply.problem { throw problem }
            guard reply.state == .done else { throw NotYet("\(reply.state), \(reply.rows) rows") }
            return reply.rows
        }
        let took = seconds(since: start)
        try await check(client, YearOfUse(days: days))
        return [
            figure("rebuild, rows of the ledger", value: Double(rows), unit: ""),
            figure("rebuild", value: Double(rows) / took, unit: "/s", bar: .atLeast(18_000)),
        ]
    }

    // MARK: - Beside watching

    private func besidesIngest(_ client: BusClient) async throws -> [Figure] {
        let seconds = isShort ? 3 : 15
        let rounds = isShort ? 1 : 3
        var alone = Measurement()
        var beside = Measurement()
        var asked = 0
        // In alternating turns, so that other work of the machine affects both alike.
        for round in 0..<rounds {
            alone.add(try await pace("alone-\(round)", seconds).nanoseconds)
            let request = request(days: days)
            let asking = Task {
                var count = 0
                while !Task.isCancelled {
                    do {
                        _ = try await client.call(ReportUsage.self, request)
                    } catch  where Task.isCancelled {
                        break
                    }
                    count += 1
                    // An open report is refreshed like this, but ten times less often.
                    try? await Task.sleep(for: .milliseconds(100))
                }
                return count
            }
            beside.add(try await pace("beside-\(round)", seconds).nanoseconds)
            asking.cancel()
            asked += try await asking.value
        }
        let p99 = (alone.quantileUs(0.99) / 1000, beside.quantileUs(0.99) / 1000)
        return [
            figure("1,000 observations a second, p99", value: p99.0, unit: "ms"),
            figure("the same beside \(asked) reports of all, p99", value: p99.1, unit: "ms"),
            figure("beside reports, against without", value: p99.1 / p99.0, unit: "x", bar: .atMost(1.5)),
        ]
    }

    /// Runs a blocking function on its own thread, because Swift has few threads of its own.
    private static func onOwnThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let thread = try LoopThread(name: "pace")
        defer { thread.stop() }
        return try await withCheckedThrowingContinuation { continuation in
            thread.post { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    private func pace(_ run: String, _ seconds: Int) async throws -> Measurement {
        let endpoint = try scratch.directories.endpoint(service: "activity-center", .rpc)
        return try await Self.onOwnThread {
            let peer = try RawPeer(.dealer, endpoint)
            defer { peer.close() }
            let sender = ObservationSender(peer: peer, run: run)
            return try IngestPace(sender: sender, bootId: "bench-\(run)").run(seconds: seconds)
        }
    }
}

/// Measures the same year and the same request with ActivityWatch's server in the same run.
struct ReportPeer {
    /// The output of the script.
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
        var importS: Double
        var importRows: Int64
        /// Number of compared sums by day and app, and their largest difference.
        var sums: Int64
        var largestMs: Double

        enum CodingKeys: String, CodingKey {
            case spans, bytes, sums
            case importS = "import_s"
            case importRows = "import_rows"
            case largestMs = "largest_ms"
            case insertS = "insert_s"
        }
    }

    /// Far more than an hour on this machine needs.
    private static let deadlineMs: Int64 = 3_600_000

    /// The Python of an environment that contains the server.
    let python: String
    let script: String
    let scratch: BenchScratch
    let year: YearOfUse

    /// Returns the figures. `ours` are the figures to compare with.
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
        let program = try BuiltTree.program("screentime")
        let answer = try run(
            [script, "\(folder)/events", folder, text, program, YearOfUse.member],
            folder
        )
        var figures = [
            figure("ActivityWatch: taking the same events", value: answer.insertS, unit: "s"),
            figure("ActivityWatch: its file", value: Double(answer.bytes) / 1_048_576, unit: "MiB"),
            figure("brought in from its server, rows", value: Double(answer.importRows), unit: ""),
            figure(
                "brought in from its server",
                value: Double(answer.importRows) / answer.importS,
                unit: "/s"
            ),
            figure(
                "of \(answer.sums) sums by day and app, the largest difference",
                value: answer.largestMs,
                unit: "ms",
                bar: .atMost(1_000)
            ),
        ]
        for span in spans {
            guard let theirs = answer.spans[span.name] else { continue }
            try check(theirs.sums, from: end - span.days * 86_400_000, to: end)
            let ms = theirs.medianS * 1000
            figures.append(figure("ActivityWatch: by app over \(span.days) days, p50", value: ms, unit: "ms"))
            figures.append(figure("ours against that", value: span.ms / ms, unit: "x", bar: .atMost(1)))
        }
        return figures
    }

    private func figure(_ name: String, value: Double, unit: String, bar: Figure.Bar = .none) -> Figure {
        Figure(bench: "report", name: name, value: value, unit: unit, bar: bar)
    }

    /// Checks that both programs have the same sums, to within a millisecond for each event. Otherwise the ratio has no meaning.
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
