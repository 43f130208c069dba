import STBus
package import STDBus
package import STPlatform

/// One connection to a bus that comes back when it, or the bus, has ended.
package actor BusLink {
    private static let retry = Backoff(firstMs: 500, limitMs: 60_000)
    /// A connection that ended sooner counts as one that failed, so that a bus that closes it at once is not asked
    /// several times a second.
    private static let steadyMs: Int64 = 10_000

    private let thread: LoopThread
    private let isMonitor: Bool
    private let address: @Sendable () throws(Problem) -> String
    private let ready: @Sendable (DBusConnection) async throws -> Void
    private let ended: @Sendable (Problem) -> Void
    private var bus: DBusConnection?
    private var timer: UInt64?
    private var failures = 0
    private var sinceMs: Int64 = 0
    private var generation = 0
    private var isClosed = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// `ready` sets the connection up, and throws when nothing can be done with it; `ended` is called at every end.
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
        self.ready = ready
        self.ended = ended
    }

    /// The connection, if it stands.
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
            sinceMs = Stopwatch.milliseconds()
            try await ready(new)
        } catch {
            // Its end has been handled already.
            guard generation == self.generation, bus === made, !isClosed else { return }
            end(generation, Problem(error))
        }
    }

    private func end(_ generation: Int, _ problem: Problem) {
        guard generation == self.generation, !isClosed, timer == nil else { return }
        self.generation += 1
        let wasSteady = bus != nil && Stopwatch.milliseconds() - sinceMs >= Self.steadyMs
        failures = wasSteady ? 0 : failures
        // Others need this thread.
        bus?.drop()
        bus = nil
        let delayMs = Self.retry.delayMs(attempt: failures)
        failures += 1
        timer = thread.after(milliseconds: delayMs) { [weak self] in self?.assumeIsolated { $0.again() } }
        ended(problem)
    }

    private func again() {
        timer = nil
        Task(executorPreference: thread) { await self.connect() }
    }

    /// It comes back no more.
    package func close() {
        isClosed = true
        if let timer { thread.cancelTimer(timer) }
        timer = nil
        bus?.close()
        bus = nil
    }
}
