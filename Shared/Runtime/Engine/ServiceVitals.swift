package import STPlatform

/// Data that only the process around a service has.
package struct ServiceVitals: Sendable {
    package var pid: Int64
    package var uptimeMs: Int64
    package var pssKib: Int64
    package var databaseBytes: Int64
    package var counters: [String: Int64]

    package init(pid: Int64, uptimeMs: Int64, pssKib: Int64, databaseBytes: Int64, counters: [String: Int64])
    {
        self.pid = pid
        self.uptimeMs = uptimeMs
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
        package var eventsHeard: Int64
        /// The routes of requests to other services that are not answered yet.
        package var asked: [String]
        package var jobs: Int64
        package var busy: Int64
        package var begun: Int64
        package var due: DueMoments

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
            due: DueMoments
        ) {
            self.pid = pid
            self.generation = generation
            self.requestsSent = requestsSent
            self.repliesReceived = repliesReceived
            self.eventsHeard = eventsHeard
            self.asked = asked
            self.jobs = jobs
            self.busy = busy
            self.begun = begun
            self.due = due
        }
    }

    /// Wakes the timers that have become due.
    package let turn: @Sendable () -> Void
    package let vitals: @Sendable () -> Vitals

    package init(turn: @escaping @Sendable () -> Void, vitals: @escaping @Sendable () -> Vitals) {
        self.turn = turn
        self.vitals = vitals
    }
}
