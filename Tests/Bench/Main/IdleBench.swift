import STBus
import STContracts
import STPlatform
import STZeroMQ

/// Memory and processor time of six services that have nothing to do.
struct IdleBench {
    private let scratch: BenchScratch
    private let seconds: Int64

    init(_ scratch: BenchScratch, isShort: Bool) {
        self.scratch = scratch
        seconds = isShort ? 10 : 60
    }

    func run() async throws -> [Figure] {
        var (processes, readyMs) = try await started()
        var starts = [readyMs]
        for _ in 0..<4 {
            for process in processes.reversed() { scratch.stop(process) }
            (processes, readyMs) = try await started()
            starts.append(readyMs)
        }
        // The work after a start is over after a few seconds.
        try await Task.sleep(for: .seconds(3))
        let before = cpuMs(processes)
        try await Task.sleep(for: .seconds(seconds))
        let used = Double(cpuMs(processes) - before)
        let pss = processes.reduce(Int64(0)) { $0 + (ProcessMemory.sample(pid: $1.pid)?.pssBytes ?? 0) }
        guard pss > 0 else {
            throw Problem(
                "bench.failed",
                "Only root can read the memory of the services. Run this bench as root."
            )
        }
        return [
            Figure(
                bench: "idle",
                name: "six services, start to answering, median of five",
                value: starts.sorted()[starts.count / 2],
                unit: "ms",
                bar: .atMost(2_000)
            ),
            Figure(
                bench: "idle",
                name: "six services, PSS together",
                value: Double(pss) / 1_048_576,
                unit: "MiB",
                bar: .atMost(45)
            ),
            Figure(
                bench: "idle",
                name: "six services, share of one core",
                value: used / Double(seconds * 1000) * 100,
                unit: "%",
                bar: .atMost(0.2)
            ),
        ]
    }

    /// Returns all services once they reply, and the time that this took.
    private func started() async throws -> ([SpawnedProcess], Double) {
        let names = ServiceName.all.filter { $0 != .desktop }
        let start = Stopwatch.nanoseconds()
        let processes = try names.map { try scratch.start($0.rawValue) }
        let loop = try BusLoop()
        let directories = scratch.directories
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        for name in names { _ = try await client.call(HealthPing.self, to: name, Empty()) }
        let readyMs = Double(Stopwatch.nanoseconds() - start) / 1e6
        await client.close()
        loop.stop()
        return (processes, readyMs)
    }

    private func cpuMs(_ processes: [SpawnedProcess]) -> Int64 {
        processes.reduce(0) { $0 + (ProcessMemory.sample(pid: $1.pid)?.cpuMs ?? 0) }
    }
}
