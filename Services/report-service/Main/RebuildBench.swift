import STContracts
import STPlatform
import STReportCore

/// The thread on which the new figures are made, so that neither the sockets nor the old figures wait for them.
actor RebuildBench {
    private let thread: LoopThread
    private let path: String
    private var builder: ModelBuilder?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(path: String) throws {
        self.path = path
        thread = try LoopThread(name: "rebuild")
    }

    /// How many rows there are so far.
    func take(_ events: [WireEvent]) throws -> Int64 {
        let builder = try builder ?? ModelBuilder(path: path)
        self.builder = builder
        try builder.take(events)
        return builder.rows
    }

    func finish(_ head: StreamPoint) throws { try builder?.finish(head) }

    nonisolated func close() async {
        await end()
        thread.stop()
    }

    private func end() {
        // What it has made was taken over, or is of no use.
        try? builder?.close()
        builder = nil
    }
}
