import Glibc
import STBus
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// Measures `data verify` and `data backup` for each row and each MiB: the time may grow with the number of days, but not the time
/// for a row.
struct DataBench {
    private let scratch: BenchScratch
    private let isShort: Bool

    init(_ scratch: BenchScratch, isShort: Bool) {
        self.scratch = scratch
        self.isShort = isShort
    }

    func run() async throws -> [Figure] {
        let names = ServiceName.all.filter { $0 != .desktop }
        for name in names { try scratch.start(name.rawValue) }
        let loop = try BusLoop()
        let directories = scratch.directories
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        for name in names { _ = try await client.call(HealthPing.self, to: name, Empty()) }
        if scratch.aged == nil { try await fill(client) }
        let rows = try await client.call(UsageVerify.self, .init()).total
        await client.close()
        loop.stop()

        let verified = try seconds(["data", "verify"])
        var copied = Measurement()
        var bytes: Int64 = 0
        for round in 0..<(isShort ? 1 : 5) {
            let backup = "\(directories.state)/backup-\(round)"
            copied.add([Int64(try seconds(["data", "backup", backup]) * 1e9)])
            let sizes = names.map { Self.size(of: "\(backup)/\($0).sqlite") }
            guard sizes.allSatisfy({ $0 > 0 }) else { throw ObservationSender.failed("data backup") }
            bytes = sizes.reduce(0, +)
            try DirectoryTree.remove(backup)
        }
        let mebibytes = Double(bytes) / 1_048_576
        return [
            figure("rows of the record of use", value: Double(rows), unit: ""),
            figure("data verify, rows", value: Double(rows) / verified, unit: "/s"),
            figure("data backup, MiB", value: mebibytes, unit: ""),
            figure("data backup, MiB", value: mebibytes / (copied.quantileUs(0.5) / 1e6), unit: "/s"),
        ]
    }

    private func figure(_ name: String, value: Double, unit: String) -> Figure {
        Figure(bench: "data", name: name, value: value, unit: unit)
    }

    /// Sends the usage of one person.
    private func fill(_ client: BusClient) async throws {
        let year = YearOfUse(days: isShort ? 30 : 365)
        try await BenchMember.add(YearOfUse.member, client)
        let peer = try RawPeer(.dealer, try scratch.directories.endpoint(service: "activity-center", .rpc))
        defer { peer.close() }
        let sender = ObservationSender(peer: peer, run: "year")
        try sender.sendAll(year.stretches.count) { year.observation($0) }
    }

    private func seconds(_ words: [String]) throws -> Double {
        let start = Stopwatch.nanoseconds()
        let child = try scratch.start("screentime", words + ["--json"], output: "/dev/null")
        // Without the desktop's agent, which does not run here, a backup is incomplete.
        guard let status = child.wait(deadlineMs: 600_000), status.isSuccess || status == .exited(1) else {
            throw ObservationSender.failed("screentime \(words.joined(separator: " "))")
        }
        return Double(Stopwatch.nanoseconds() - start) / 1e9
    }

    private static func size(of path: String) -> Int64 {
        var about = stat()
        return stat(path, &about) == 0 ? Int64(about.st_size) : 0
    }
}
