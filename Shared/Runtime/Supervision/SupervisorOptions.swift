/// How a supervisor behaves.
package struct SupervisorOptions: Sendable {
    package var times: LifecycleTimes
    /// Whether a service that died is started again; a test may want to see it dead.
    package var restartsAfterFailure: Bool
    /// Said in supervisor.json, so that nobody takes a demonstration for their own data.
    package var isDemo: Bool
    /// A log file larger than this is renamed to `.1`, over the one before.
    package var logBytesMax: Int
    /// Gets each line of each service, and the supervisor's own under the name `supervisor`.
    ///
    /// Called on the supervisor's thread: it must return soon and must not call `stop`.
    package var sink: (@Sendable (_ service: String, _ line: String) -> Void)?

    package init(
        times: LifecycleTimes = LifecycleTimes(),
        restartsAfterFailure: Bool = true,
        isDemo: Bool = false,
        logBytesMax: Int = 8 << 20,
        sink: (@Sendable (_ service: String, _ line: String) -> Void)? = nil
    ) {
        self.times = times
        self.restartsAfterFailure = restartsAfterFailure
        self.isDemo = isDemo
        self.logBytesMax = logBytesMax
        self.sink = sink
    }
}
