import STBus
package import STContracts
package import STPlatform
package import STZeroMQ

/// Moves the virtual clock of a system of real processes.
///
/// The clock imposes an order within one instant. It wakes the services that are due one at a time, in a fixed order. It wakes
/// the next one only after all services are idle again.
package actor SystemClock {
    /// The time limit for a status request.
    private static let replyTimeout = Duration.seconds(2)
    /// The number of rounds without a pause. Work without messages ends within a few of them.
    private static let promptRounds = 20
    private static let pollInterval = Duration.milliseconds(1)
    /// The minimum number of complete rounds before the clock gives up. On a busy machine this process may not run for most of
    /// `idleTimeout`.
    private static let answersMin = 200
    /// The maximum number of restarted processes, in case services crash repeatedly.
    private static let restartsMax = 200
    /// The maximum number of wake-ups at one instant. A service that is due again after each of them would otherwise stop the
    /// clock forever.
    private static let wakesMax = 1_000

    private let page: ClockPage
    private let client: BusClient
    private let services: [ServiceName]
    private let idleTimeout: Duration
    private var idleDetector = IdleDetector()
    private var statuses: [ClockStatus.Reply] = []
    private var concernsAll = false
    /// The number of rounds of status requests so far, as a measure of the cost.
    package private(set) var rounds = 0

    /// Creates the clock. `idleTimeout` is the real time within which the system must become idle.
    package init(
        page: ClockPage,
        client: BusClient,
        services: [ServiceName],
        idleTimeout: Duration = .seconds(60)
    ) {
        self.page = page
        self.client = client
        self.services = services
        self.idleTimeout = idleTimeout
    }

    package var face: ClockState { page.state }

    /// The earliest moments for which any process waits, according to the latest idle state.
    package var nextDue: Deadlines {
        statuses.reduce(Deadlines()) {
            $0.merged(with: Deadlines(wallMs: $1.dueWallMs, bootMs: $1.dueBootMs))
        }
    }

    /// The status of every process in the latest idle state.
    package var lastStatuses: [ClockStatus.Reply] { statuses }

    /// Sets the clock and returns after all resulting work is done.
    package func move(to face: ClockState) async throws {
        try set(face)
        try await wake()
    }

    /// Sets the clock without waking a service, so that earlier observations can be reported first.
    package func set(_ face: ClockState) throws {
        let before = page.state
        try page.write(face)
        let isStep =
            face.reading.wallMs - face.reading.bootMs != before.reading.wallMs - before.reading.bootMs
        if isStep || face.zone != before.zone || face.bootID != before.bootID { concernsAll = true }
    }

    /// Wakes the services that are due, and returns after all resulting work is done.
    package func wake() async throws {
        let face = page.state
        if statuses.isEmpty { try await waitUntilIdle() }
        // A changed clock, zone or boot affects every service. Otherwise only the services that are due are woken.
        if concernsAll {
            concernsAll = false
            for service in services {
                try await wakeService(service)
                try await waitUntilIdle(beginningWith: service)
            }
        }
        for _ in 0..<Self.wakesMax {
            guard let service = nextToWake(face.reading) else { return }
            try await wakeService(service)
            try await waitUntilIdle(beginningWith: service)
        }
        let moment = RFC3339.text(wallMs: face.reading.wallMs)
        throw Problem(
            "simulation.no_progress",
            text: nextToWake(face.reading).map {
                Message(
                    "simulation.no_progress.of-a-service",
                    """
                    The simulation is stuck at \(moment, "moment"): timers keep expiring, and \
                    \($0.rawValue, "service") is due each time.
                    """
                )
            }
                ?? Message(
                    "simulation.no_progress.of-no-service",
                    """
                    The simulation is stuck at \(moment, "moment"): timers keep expiring, although no \
                    service has anything left to do.
                    """
                )
        )
    }

    private func nextToWake(_ now: TimeReading) -> ServiceName? {
        services.first { service in
            guard let status = statuses.first(where: { $0.service == service.rawValue }) else { return false }
            return Deadlines(wallMs: status.dueWallMs, bootMs: status.dueBootMs).isDue(at: now)
        }
    }

    private func wakeService(_ service: ServiceName) async throws {
        idleDetector.reset()
        let options = CallOptions(timeoutMs: idleTimeout.ms)
        _ = try await client.call(ClockTurn.self, to: service, Empty(), options: options)
    }

    /// Returns when the system is idle. Services that are due are not woken.
    package func waitUntilIdle() async throws { try await waitUntilIdle(beginningWith: nil) }

    /// Waits until the system is idle. It first waits for `first` only, because requests to all services would delay their work.
    private func waitUntilIdle(beginningWith first: ServiceName?) async throws {
        var patience = WaitLimit(milliseconds: idleTimeout.ms)
        if let first {
            for _ in 0..<Self.promptRounds {
                let wave = (try? await Self.status(of: first, client).get()).map {
                    StatusRound(statuses: [$0])
                }
                if wave?.busyReason == nil { break }
            }
        }
        var reason = "no service was asked"
        var answers = 0
        var pids: Set<Int64> = []
        var restarts = 0
        idleDetector.reset()
        for round in 0... {
            switch await statusRound() {
            case .failure(let problem):
                reason = problem.message
                if patience.isOver() { throw notSettled(reason) }
            case .success(let wave):
                answers += 1
                // A new process must start and read the events that it missed, so restart the time limit.
                let now = Set(wave.statuses.map(\.pid))
                if now != pids, restarts < Self.restartsMax {
                    patience = WaitLimit(milliseconds: idleTimeout.ms)
                    (pids, answers, restarts) = (now, 1, restarts + 1)
                }
                switch idleDetector.add(wave) {
                case .idle:
                    statuses = wave.statuses
                    return
                case .busy(let why): reason = why
                }
            }
            if patience.isOver(), answers >= Self.answersMin { break }
            if round >= Self.promptRounds { try await Task.sleep(for: Self.pollInterval) }
        }
        throw notSettled(reason)
    }

    private func notSettled(_ reason: String) -> Problem {
        Problem(
            "simulation.not_settled",
            "The simulation is still busy after \(idleTimeout.ms, "settle") ms of real time: \(reason, "reason").",
            details: ["at": RFC3339.text(wallMs: page.state.reading.wallMs)]
        )
    }

    private func statusRound() async -> Result<StatusRound, Problem> {
        rounds += 1
        let client = client
        let answers = await withTaskGroup(of: (Int, Result<ClockStatus.Reply, Problem>).self) { group in
            for (index, service) in services.enumerated() {
                group.addTask { (index, await Self.status(of: service, client)) }
            }
            var answers: [(Int, Result<ClockStatus.Reply, Problem>)] = []
            for await answer in group { answers.append(answer) }
            return answers.sorted { $0.0 < $1.0 }
        }
        var wave = StatusRound(statuses: [])
        for (_, answer) in answers {
            switch answer {
            case .failure(let problem): return .failure(problem)
            case .success(let status): wave.statuses.append(status)
            }
        }
        wave.ownSent = client.traffic.requestsSent
        wave.ownHandled = client.traffic.repliesReceived
        wave.ownOpen = Int64(client.traffic.pendingRoutes.count)
        return .success(wave)
    }

    private static func status(
        of service: ServiceName,
        _ client: BusClient
    ) async -> Result<ClockStatus.Reply, Problem> {
        do {
            let options = CallOptions(timeoutMs: replyTimeout.ms)
            return .success(try await client.call(ClockStatus.self, to: service, Empty(), options: options))
        } catch {
            let problem = Problem(error)
            return .failure(
                Problem(
                    problem.code,
                    "\(service, "service") does not report its status: \(problem.text, "problem")",
                    key: "simulation.does-not-say"
                )
            )
        }
    }
}
