import STBus
package import STDBus
package import STPlatform

/// A connection to a bus that reconnects after it has ended.
package actor BusLink {
    private static let retry = Backoff(firstMs: 500, limitMs: 60_000)
    /// Minimum duration of a successful connection. A shorter one counts as a failure, so that a bus which closes it immediately
    /// does not cause several attempts per second.
    private static let steadyTime = Duration.seconds(10)

    private let thread: LoopThread
    private let isMonitor: Bool
    private let address: @Sendable () throws(Problem) -> String
    private let onReady: @Sendable (DBusConnection) async throws -> Void
    private let onEnd: @Sendable (Problem) -> Void
    private var bus: DBusConnection?
    private var timer: UInt64?
    private var failures = 0
    private var since = Duration.zero
    private var generation = 0
    private var isClosed = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// `ready` sets the connection up, and throws if it is unusable. `ended` is called whenever a connection ends.
    package init(
        _ thread: LoopThread,
        isMonitor: Bool = false,
        address: @escaping @Sendable () throws(Problem) -> String,
        ready: @escaping @Sendable (DBusConnection) async throws -> Void,
        ended: @escaping @Sendable (Problem) -> Void
    ) {
        self.thread = thread
        self.isMonitor = isMonitor
        self.address = address
        self.onReady = ready
        self.onEnd = ended
    }

    /// The current connection, if there is one.
    package var connection: DBusConnection? { bus }

    package func connect() async {
        guard bus == nil, !isClosed else { return }
        generation += 1
        let generation = generation
        var made: DBusConnection?
        do {
            let thread = thread
            let new = try DBusConnection(address: try address(), isMonitor: isMonitor) {
                [weak self] problem in
                thread.post { [weak self] in self?.assumeIsolated { $0.end(generation, problem) } }
            }
            made = new
            bus = new
            since = Stopwatch.reading()
            try await onReady(new)
        } catch {
            // The end was already handled.
            guard generation == self.generation, bus === made, !isClosed else { return }
            end(generation, Problem(error))
        }
    }

    private func end(_ generation: Int, _ problem: Problem) {
        guard generation == self.generation, !isClosed, timer == nil else { return }
        self.generation += 1
        let wasSteady = bus != nil && Stopwatch.reading() - since >= Self.steadyTime
        failures = wasSteady ? 0 : failures
        // Not `close`, because it would block this shared thread.
        bus?.closeWithoutFlush()
        bus = nil
        let delayMs = Self.retry.delayMs(attempt: failures)
        failures += 1
        timer = thread.after(milliseconds: delayMs) { [weak self] in
            self?.assumeIsolated { $0.scheduleReconnect() }
        }
        onEnd(problem)
    }

    private func scheduleReconnect() {
        timer = nil
        Task(executorPreference: thread) { await self.connect() }
    }

    /// Closes the connection without reconnecting.
    package func close() {
        isClosed = true
        if let timer { thread.cancelTimer(timer) }
        timer = nil
        bus?.close()
        bus = nil
    }
}
