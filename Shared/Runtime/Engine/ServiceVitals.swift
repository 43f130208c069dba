package import STPlatform

/// Data that only the process around a service has.
package struct ServiceVitals: Sendable {
    package var pid: Int64
    package var uptime: Duration
    package var pssKib: Int64
    package var databaseBytes: Int64
    package var counters: [String: Int64]

    package init(pid: Int64, uptime: Duration, pssKib: Int64, databaseBytes: Int64, counters: [String: Int64])
    {
        self.pid = pid
        self.uptime = uptime
        self.pssKib = pssKib
        self.databaseBytes = databaseBytes
        self.counters = counters
    }
}

/// The virtual clock of a process, for its engine.
package struct ServiceClock: Sendable {
    /// Data that only the process around the engine has.
    package struct Vitals: Sendable {
        package var pid: Int64
        package var generation: Int64
        package var requestsSent: Int64
        package var repliesReceived: Int64
        package var eventsReceived: Int64
        /// The routes of requests to other services that are not answered yet.
        package var pendingRoutes: [String]
        package var jobs: Int64
        package var activeCount: Int64
        package var startedCount: Int64
        package var due: Deadlines

        package init(
            pid: Int64,
            generation: Int64,
            requestsSent: Int64,
            repliesReceived: Int64,
            eventsHeard: Int64,
            asked: [String],
            jobs: Int64,
            busy: Int64,
            begun: Int64,
            due: Deadlines
        ) {
            self.pid = pid
            self.generation = generation
            self.requestsSent = requestsSent
            self.repliesReceived = repliesReceived
            self.eventsReceived = eventsHeard
            self.pendingRoutes = asked
            self.jobs = jobs
            self.activeCount = busy
            self.startedCount = begun
            self.due = due
        }
    }

    /// Wakes the timers that have become due.
    package let onChange: @Sendable () -> Void
    package let vitals: @Sendable () -> Vitals

    package init(turn: @escaping @Sendable () -> Void, vitals: @escaping @Sendable () -> Vitals) {
        self.onChange = turn
        self.vitals = vitals
    }
}
