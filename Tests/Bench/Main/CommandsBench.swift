import STBus
import STContracts
import STPlatform
import STZeroMQ

/// Measures the most frequent commands, from the start of the process to its end.
struct CommandsBench {
    private static let commands = [
        ["status"], ["report"], ["report", "--context", "weeks"], ["limit", "list"],
        ["why", "org.example.app1"], ["shield", "list"],
        ["notification", "list"], ["app", "deliveries"],
    ]

    private let scratch: BenchScratch
    private let count: Int

    init(_ scratch: BenchScratch, isShort: Bool) {
        self.scratch = scratch
        count = isShort ? 5 : 20
    }

    func run() async throws -> [Figure] {
        for name in ServiceName.all where name != .desktop { try scratch.start(name.rawValue) }
        let loop = try BusLoop()
        let directories = scratch.directories
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        for name in ServiceName.all where name != .desktop {
            _ = try await client.call(HealthPing.self, to: name, Empty())
        }
        await client.close()
        loop.stop()
        return try Self.commands.map { words in
            var times = Measurement()
            for _ in 0..<count {
                let start = Stopwatch.nanoseconds()
                let child = try scratch.start("screentime", words + ["--json"], output: "/dev/null")
                guard let status = child.wait(deadlineMs: 60_000), status.isSuccess else {
                    throw ObservationSender.failed("screentime \(words.joined(separator: " "))")
                }
                times.add([Stopwatch.nanoseconds() - start])
            }
            return Figure(
                bench: "commands",
                name: "screentime \(words.joined(separator: " ")), p50",
                value: times.quantileUs(0.5) / 1000,
                unit: "ms"
            )
        }
    }
}
