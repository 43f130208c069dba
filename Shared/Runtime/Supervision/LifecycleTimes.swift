/// How long things may take.
package struct LifecycleTimes: Sendable, Equatable {
    /// From the start to READY=1.
    package var startMs: Int64
    /// From SIGTERM to SIGKILL: a little more than a service gives itself, whose last commit may wait for a busy disk.
    package var stopMs: Int64
    /// From SIGABRT to SIGKILL: what hangs has nothing to finish, and may hold somebody's apps.
    package var abortMs: Int64
    /// The delay before the first restart, which doubles with each failure.
    package var backOffMs: Int64
    /// Where the doubling ends.
    package var backOffMsMax: Int64
    /// After so long in health, the next failure counts as the first.
    package var healthyMs: Int64

    package init(
        startMs: Int64 = 10_000,
        stopMs: Int64 = 10_000,
        abortMs: Int64 = 2000,
        backOffMs: Int64 = 100,
        backOffMsMax: Int64 = 10_000,
        healthyMs: Int64 = 30_000
    ) {
        self.startMs = startMs
        self.stopMs = stopMs
        self.abortMs = abortMs
        self.backOffMs = backOffMs
        self.backOffMsMax = backOffMsMax
        self.healthyMs = healthyMs
    }
}
