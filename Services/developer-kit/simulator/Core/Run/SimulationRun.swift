import STContracts
import STDomain
import STPlatform

/// Simulates a scenario on a system. It moves the clock to the next moment at which anything happens and reports the observations
/// up to then. It continues when the system is idle again.
final class SimulationRun {
    /// The maximum number of steps without progress. A system that is always due again immediately would stop the clock forever.
    private static let standstillMax = 1_000

    private let world: SimulationWorld
    private let plan: ScenarioPlan
    private let desktop: SimulatedDesktop
    private let household: SimulatedHousehold
    private let measures: ExpectationMeasures
    private let asPhone: Bool
    private let faults: [PhoneFault]
    private let progress: @Sendable (Duration, Duration) -> Void
    private var nextStepIndex = 0

    init(
        _ scenario: Scenario,
        on backend: any SimulationBackend,
        asPhone: Bool = false,
        faults: [PhoneFault] = [],
        progress: @escaping @Sendable (Duration, Duration) -> Void = { _, _ in }
    ) throws {
        world = SimulationWorld(scenario, on: backend)
        var plan = try ScenarioPlan.make(scenario)
        if faults.contains(.changedTokens) { plan.addAtMidnights(.changeTokens, scenario) }
        self.plan = plan
        desktop = SimulatedDesktop(world, sights: plan.screens)
        household = SimulatedHousehold(world, desktop)
        measures = try ExpectationMeasures(world, desktop)
        self.asPhone = asPhone
        self.faults = faults
        self.progress = progress
    }

    func run(
        _ afterwards: @Sendable (SimulatedServices) async throws -> Void = { _ in }
    ) async throws -> SimulationOutcome {
        let backend = world.backend
        do {
            try await backend.start(world.time.face)
            try await household.prepare()
            try await play()
            let outcome = try await outcome()
            try await afterwards(SimulatedServices(backend))
            await backend.stop()
            return outcome
        } catch {
            await backend.stop()
            throw error
        }
    }

    // MARK: - Clock

    private func play() async throws {
        try await desktop.fetchDecisions(until: world.time.elapsed)
        try await desktop.reportPending()
        try await desktop.waitUntilIdle()
        var standstill = 0
        while true {
            let before = world.time.elapsed
            if let deed = dueStep {
                nextStepIndex += 1
                try await perform(deed.step)
            } else if before < plan.end {
                try await advance()
            } else {
                break
            }
            standstill = before == world.time.elapsed ? standstill + 1 : 0
            guard standstill < Self.standstillMax + plan.steps.count else {
                throw Problem(
                    "simulation.no_progress",
                    """
                    At \(world.clockText, "clockText"), the clock cannot continue, because something is due \
                    again each time.
                    """,
                    key: "simulation.no_progress.at-something-is"
                )
            }
            try Task.checkCancellation()
        }
        try await measures.measureRest()
    }

    private var upcomingStep: ScenarioPlan.PlannedStep? { plan.steps.dropFirst(nextStepIndex).first }

    private var dueStep: ScenarioPlan.PlannedStep? {
        upcomingStep.flatMap { $0.at <= world.time.elapsed ? $0 : nil }
    }

    /// Moves the clock to the next moment at which anything is due.
    private func advance() async throws {
        let time = world.time
        let due = await world.backend.nextDue
        var target =
            [
                plan.end, upcomingStep?.at, measures.next.map { time.elapsed(at: $0) },
                desktop.opensAt, time.elapsed(of: due),
            ].compactMap { $0 }.min() ?? plan.end
        target = desktop.batchEnd(max(target, time.elapsed))
        try await desktop.fetchDecisions(until: target)
        if let shield = desktop.nextShield(until: target) { target = max(shield, time.elapsed) }
        target = try await desktop.firstCrossing(before: target)
        world.time.elapsed = target
        try await world.backend.setClock(world.time.face)
        try await desktop.reportPending()
        try await performKills()
        try await desktop.waitUntilIdle()
        progress(world.time.elapsed, plan.end)
        try await measures.measureDue()
    }

    /// Kills the processes that the scenario kills at this moment, while they handle its events.
    private func performKills() async throws {
        while let deed = dueStep, case .kill(let program) = deed.step.action {
            nextStepIndex += 1
            try await kill(program)
        }
    }

    // MARK: - Changes of the device

    private func perform(_ step: ScenarioStep) async throws {
        switch step.action {
        case .screen, .repeated: break
        case .agentStopped(let length): desktop.close(for: length)
        case .sleep(let length, let isTold): try await sleep(length, isTold: isTold)
        case .setClock(let change, let isSynchronised): try await setClock(change, isSynchronised)
        case .travel(let zone): try await travel(to: zone)
        case .kill(let program):
            try await kill(program)
            try await desktop.waitUntilIdle()
        default:
            try await household.perform(step)
            try await desktop.waitUntilIdle()
        }
        try await measures.measureDue()
    }

    private func kill(_ program: String) async throws {
        world.addEntry("\(program) is killed")
        try await world.backend.kill(program)
    }

    private func sleep(_ length: Duration, isTold: Bool) async throws {
        if isTold {
            try await desktop.reportAll(isUnbroken: true, as: .suspended)
            try await desktop.waitUntilIdle()
        }
        world.addEntry("asleep for \(TextFormat.duration(ms: length.ms))")
        world.time.elapsed += length
        world.time.suspended += length
        desktop.skip()
        try await world.backend.setClock(world.time.face)
        // When a machine resumes, timers expire first. The foreground app is reported after that.
        try await desktop.waitUntilIdle()
        try await desktop.reportAll(isUnbroken: false)
        try await desktop.waitUntilIdle()
    }

    private func setClock(_ change: ScenarioStep.ClockChange, _ isSynchronised: Bool) async throws {
        let step: Duration
        switch change {
        case .by(let length): step = length
        case .to(let civil):
            let before = world.time.face.reading.wall
            step = civil.wall(in: try ScenarioFields.zone(world.time.zone, "/zone"), after: before) - before
        }
        world.time.setClock(by: step, isSynchronised: isSynchronised)
        let length = TextFormat.duration(ms: abs(step.ms))
        let by = isSynchronised ? "put right" : "set"
        world.addEntry("the clock is \(by), \(step < .zero ? "back" : "forward") by \(length)")
        try await applyClockChange()
    }

    private func travel(to zone: String) async throws {
        world.time.zone = zone
        world.addEntry("the device is in \(zone)")
        try await applyClockChange()
    }

    private func applyClockChange() async throws {
        try await world.backend.setClock(world.time.face)
        try await desktop.waitUntilIdle()
        try await desktop.reportAll(isUnbroken: true)
        try await desktop.waitUntilIdle()
    }

    // MARK: - Outcome

    private func outcome() async throws -> SimulationOutcome {
        let scenario = world.scenario
        for app in world.timeline.calledApps where app != BuiltInRules.app { try await readLog(of: app) }
        let rules = try ScenarioFields.zone(scenario.zone, "/zone")
        let entries = world.timeline.finished
        let check = ExpectationCheck(entries, zone: rules)
        return SimulationOutcome(
            name: scenario.name,
            zone: scenario.zone,
            start: scenario.start,
            end: world.time.wall,
            timeline: entries,
            unreportedProblems: asPhone ? try await unreportedProblems(entries, rules) : [],
            verdicts: household.refusals
                + scenario.expectations.enumerated().compactMap { index, expectation in
                    measures.verdict(index) ?? check.verdict(expectation)
                },
            shields: world.timeline.shields,
            costs: .init(calls: world.timeline.calledMethods)
        )
    }

    private func unreportedProblems(_ entries: [TimelineEntry], _ rules: ZoneRules) async throws -> [String] {
        let manners = PhoneQuirks(rules, faults)
        var silences = manners.unreportedProblems(entries)
        var request = ActivityList.Request()
        repeat {
            let page = try await world.call(ActivityList.self, request)
            for activity in page.activities where activity.app != BuiltInRules.app {
                silences += manners.missingCallbacks(
                    activity,
                    entries,
                    from: world.scenario.start,
                    to: world.time.wall,
                    zone: world.scenario.zone
                )
            }
            request.next = page.next
        } while request.next != nil
        return silences
    }

    private func readLog(of app: String) async throws {
        try await readLog(MonitorLog.self, of: app) { $0.add(line: $1) }
        try await readLog(ShieldLog.self, of: app) { $0.add(shieldLine: $1) }
    }

    private func readLog<R: Route>(
        _ route: R.Type,
        of app: String,
        _ take: (inout TimelineBuilder, AppLogLine) -> Void
    ) async throws
    where R.Request == MonitorLog.Request, R.Reply == MonitorLog.Reply {
        var request = MonitorLog.Request(app: app)
        while true {
            let page = try await world.call(route, request)
            for line in page.lines { take(&world.timeline, line) }
            guard page.more else { return }
            request.next = page.next
        }
    }
}
