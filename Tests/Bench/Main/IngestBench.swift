import STBaseline
import STBus
import STContracts
import STPlatform
import STTestKit
import STZeroMQ

/// Measures the way from an agent's requests to their acknowledgements, with rows, chain and events on the disk.
struct IngestBench {
    private static let perBatch = UsageObserve.batchMax
    /// The interval between observations. Every fifth one has a different foreground app.
    private static let beatMs: Int64 = 5_000
    private static let usualChange = 5

    private let scratch: BenchScratch
    private let singles: Int
    private let batched: Int

    init(_ scratch: BenchScratch, isShort: Bool) {
        self.scratch = scratch
        singles = isShort ? 10_000 : 50_000
        batched = isShort ? 100_000 : 400_000
    }

    func run() async throws -> [Figure] {
        try scratch.start("auth-service")
        try scratch.start("activity-center")
        try await addMember()
        let endpoint = try scratch.directories.endpoint(service: "activity-center", .rpc)
        let peer = try RawPeer(.dealer, endpoint)
        defer { peer.close() }
        try send(try requests("warm", 2_000, each: 1, change: 2), peer, window: 256, count: 2_000)
        let raw = try baseline(per: Self.perBatch)
        let one = try rate(
            peer,
            run: "single",
            count: singles,
            each: 1,
            change: Self.usualChange,
            window: 256
        )
        let batches = try rate(
            peer,
            run: "batches",
            count: batched,
            each: Self.perBatch,
            change: Self.usualChange,
            window: 4
        )
        let changes = try rate(
            peer,
            run: "changes",
            count: batched,
            each: Self.perBatch,
            change: 1,
            window: 4
        )
        return [
            figure("plain SQLite, rows in commits of 200", value: raw, unit: "/s"),
            figure("one at a time, 256 under way", value: one, unit: "/s", bar: .atLeast(5_000)),
            figure("in batches of 200", value: batches, unit: "/s", bar: .atLeast(50_000)),
            figure("in batches, ratio to plain SQLite", value: batches / raw, unit: "x"),
            figure("in batches, every one a change of focus", value: changes, unit: "/s"),
            figure("every one a change, ratio to plain SQLite", value: changes / raw, unit: "x"),
        ]
    }

    private func figure(_ name: String, value: Double, unit: String, bar: Figure.Bar = .none) -> Figure {
        Figure(bench: "ingest", name: name, value: value, unit: unit, bar: bar)
    }

    private func rate(
        _ peer: RawPeer,
        run: String,
        count: Int,
        each: Int,
        change: Int,
        window: Int
    ) throws -> Double {
        let requests = try requests(run, count, each: each, change: change)
        let start = Stopwatch.nanoseconds()
        try send(requests, peer, window: window, count: Int64(count))
        return Double(count) / (Double(Stopwatch.nanoseconds() - start) / 1e9)
    }

    /// Returns the requests, made before the clock starts, because the bench measures the service only.
    private func requests(_ run: String, _ count: Int, each: Int, change: Int) throws -> [[[UInt8]]] {
        try stride(from: 0, to: count, by: each).map { start in
            let seen = (start..<min(start + each, count)).map { number -> Observation in
                let ms = Int64(number) * Self.beatMs
                return Observation(
                    sequence: Int64(number + 1),
                    bootId: "bench-\(run)",
                    at: TimeReading(wallMs: 1_790_000_000_000 + ms, bootMs: ms, monotonicMs: ms),
                    zone: "Asia/Seoul",
                    member: "child",
                    presence: .active,
                    app: number / change % 2 == 0 ? "org.mozilla.firefox" : "org.gnome.TextEditor"
                )
            }
            let body = UsageObserve.Request(agent: "bench-agent", run: run, observations: seen)
            let header = RequestHeader(
                id: "\(run)-\(start)",
                route: UsageObserve.name,
                timeoutMs: 30_000,
                traceparent: TraceContext.fresh().traceparent
            )
            return [header.encoded(), try body.encodedBody()]
        }
    }

    private func send(_ requests: [[[UInt8]]], _ peer: RawPeer, window: Int, count: Int64) throws {
        var sent = 0
        var accepted: Int64 = 0
        for answered in 0..<requests.count {
            while sent < requests.count, sent - answered < window {
                guard peer.send(requests[sent], withinMs: 10_000) else { throw Self.failed("not taken") }
                sent += 1
            }
            guard let frames = peer.receive(withinMs: 30_000), let reply = RawReply(frames) else {
                throw Self.failed("not answered")
            }
            if let problem = reply.problem { throw problem }
            accepted = try UsageObserve.Reply.decodedBody(reply.body).acceptedThrough
        }
        guard accepted == count else { throw Self.failed("\(accepted) of \(count) were accepted") }
    }

    private func addMember() async throws {
        let loop = try BusLoop()
        let directories = scratch.directories
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        try await BenchMember.add("child", client)
        await client.close()
        loop.stop()
    }

    private func baseline(per commit: Int) throws -> Double {
        let count = batched
        let hash = [UInt8](repeating: 7, count: 32)
        let path = "\(scratch.directories.state)/baseline.sqlite"
        let elapsed = st_baseline_rows(path, Int32(count), Int32(commit), hash, Int32(hash.count))
        guard elapsed > 0 else { throw Self.failed("the baseline could not write") }
        return Double(count) / (Double(elapsed) / 1e9)
    }

    private static func failed(_ what: String) -> Problem {
        Problem("bench.failed", verbatim: "It did not work: \(what).")
    }
}
