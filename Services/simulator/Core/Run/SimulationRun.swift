import STContracts
import STDomain
import STPlatform

/// Plays a scenario on a system: moves the clock to the next moment at which anything happens, tells what was seen until
/// then, and goes on once all that this led to is done.
actor SimulationRun {
    /// Moments at which nothing but something due happens, one after the other: a system that is always due at once
    /// would hold the clock for ever.
    private static let standstillMax = 1_000
    /// What one shield leads to may put another one up, or take it down; not for ever.
    private static let shieldRoundsMax = 1_000

    let scenario: Scenario
    let backend: any SimulationBackend
    let asPhone: Bool
    private let progress: @Sendable (Int64, Int64) -> Void
    let plan: ScenarioPlan
    var time: DeviceTime
    var eyes: SimulationEyes
    var timeline = TimelineBuilder(owner: "", named: "")
    var silences: [String] = []
    var measured: [Int: SimulationOutcome.Verdict] = [:]
    /// What was to be refused, and with which code it was.
    var refusals: [(step: ScenarioStep, wanted: String, code: String?)] = []
    var hasPasscode: Set<String> = []
    private var nextDeed = 0
    var policy = SimulatedPolicy()
    /// The policy has changed since it was last looked at who sees what.
    var hasNewPolicy = false
    var fronts: [String: Front] = [:]
    /// Expectations that are looked at once the device's clock shows their moment, by that moment.
    var checkpoints: [(wallMs: Int64, index: Int)] = []

    init(
        _ scenario: Scenario,
        on backend: any SimulationBackend,
        asPhone: Bool = false,
        progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
    ) throws {
        self.scenario = scenario
        self.backend = backend
        self.asPhone = asPhone
        self.progress = progress
        plan = try ScenarioPlan.make(scenario)
        time = DeviceTime(startWallMs: scenario.startWallMs, zone: scenario.zone)
        eyes = SimulationEyes(plan.sights)
    }

    func run(
        _ afterwards: @Sendable (SimulatedServices) async throws -> Void = { _ in }
    ) async throws -> SimulationOutcome {
        do {
            try await backend.start(time.face)
            try await prepare()
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

    private func play() async throws {
        try await learnShields(untilMs: time.elapsedMs)
        try await tellSeen()
        try await settle()
        var standstill = 0
        while true {
            let before = time.elapsedMs
            if let deed = plan.deeds.dropFirst(nextDeed).first, deed.atMs <= time.elapsedMs {
                nextDeed += 1
                try await perform(deed)
            } else if time.elapsedMs < plan.endMs {
                try await goOn()
            } else {
                break
            }
            standstill = before == time.elapsedMs ? standstill + 1 : 0
            guard standstill < Self.standstillMax + plan.deeds.count else {
                throw Problem(
                    "simulation.no_progress",
                    "At \(RFC3339.text(wallMs: time.wallMs)) something is due again and again and the clock cannot go on."
                )
            }
            try Task.checkCancellation()
        }
        try await measureRest()
    }

    /// To the next moment at which anything is due.
    private func goOn() async throws {
        var target = min(plan.endMs, plan.deeds.dropFirst(nextDeed).first?.atMs ?? .max)
        target = min(target, checkpoints.first.map { time.elapsedMs(atWallMs: $0.wallMs) } ?? .max)
        target = min(target, eyes.opensAtMs ?? .max)
        if let due = time.elapsedMs(of: await backend.nextDue) { target = min(target, due) }
        target = max(target, time.elapsedMs)
        target = eyes.reach(target)
        try await learnShields(untilMs: target)
        if let shieldMs = eyes.nextShieldMs(untilMs: target) { target = max(shieldMs, time.elapsedMs) }
        target = try await firstCrossing(before: target)
        time.elapsedMs = target
        try await backend.show(time.face)
        try await tellSeen()
        try await killNow()
        try await settle()
        progress(time.elapsedMs, plan.endMs)
        try await measureDue()
    }

    /// What dies at this moment dies in the middle of what happens at it.
    private func killNow() async throws {
        while let deed = plan.deeds.dropFirst(nextDeed).first, deed.atMs <= time.elapsedMs,
            case .kill(let program) = deed.step.action
        {
            nextDeed += 1
            try await kill(program)
        }
    }

    /// Waits until all is quiet and the right shields are up, and writes down what was told.
    func settle() async throws {
        for _ in 0..<Self.shieldRoundsMax {
            try await takeNews()
            guard try await mindShields() else { return }
        }
        throw Problem(
            "simulation.no_progress",
            "At \(RFC3339.text(wallMs: time.wallMs)) a shield goes up and down again and again."
        )
    }

    private func takeNews() async throws {
        try await backend.settle()
        for event in try await backend.news(of: .activity) { try timeline.take(event, time) }
        for event in try await backend.news(of: .delivery) { try timeline.take(event, time) }
        for event in try await backend.news(of: .notification) { try takeNotification(event) }
        for event in try await backend.news(of: .policy) { try takePolicy(event) }
    }

    private func takePolicy(_ event: WireEvent) throws {
        hasNewPolicy = true
        switch event.header.type {
        case PolicyStoreChanged.type:
            let word = try event.decoded(PolicyStoreChanged.self)
            timeline.add(store: word, before: policy.take(word), time)
        case PolicyGrantChanged.type:
            timeline.add(grant: try event.decoded(PolicyGrantChanged.self).request, time)
        default: break
        }
    }

    private func takeNotification(_ event: WireEvent) throws {
        guard event.header.type == NotificationPosted.type else { return }
        let posted = try event.decoded(NotificationPosted.self)
        let text = [posted.title, posted.body].filter { !$0.isEmpty }.joined(separator: ": ")
        timeline.add(
            TimelineEntry(
                atMs: time.wallMs,
                toldMs: time.wallMs,
                zone: time.zone,
                kind: .notification,
                app: posted.app,
                member: timeline.name(of: posted.member),
                text: text
            )
        )
    }

    private func outcome() async throws -> SimulationOutcome {
        for app in timeline.calledApps where app != BuiltInRules.app { try await readLog(of: app) }
        let rules = try ScenarioReader.zone(scenario.zone, "/zone")
        let entries = timeline.finished
        if asPhone { try await tellSilences(entries, rules) }
        let check = ExpectationCheck(entries, zone: rules)
        let verdicts =
            refusals.map { Self.verdict($0.step, wanted: $0.wanted, code: $0.code) }
            + scenario.expectations.enumerated().compactMap { index, expectation in
                measured[index] ?? check.verdict(expectation)
            }
        return SimulationOutcome(
            name: scenario.name,
            zone: scenario.zone,
            startWallMs: scenario.startWallMs,
            endWallMs: time.wallMs,
            timeline: entries,
            silences: silences,
            verdicts: verdicts
        )
    }

    private func tellSilences(_ entries: [TimelineEntry], _ rules: ZoneRules) async throws {
        let manners = PhoneManners(rules)
        silences = manners.silences(entries)
        var request = ActivityList.Request()
        repeat {
            let page = try await backend.call(ActivityList.self, request)
            for activity in page.activities where activity.app != BuiltInRules.app {
                silences += manners.untold(
                    activity,
                    entries,
                    from: scenario.startWallMs,
                    to: time.wallMs,
                    zone: scenario.zone
                )
            }
            request.next = page.next
        } while request.next != nil
    }

    private static func verdict(_ step: ScenarioStep, wanted: String, code: String?)
        -> SimulationOutcome.Verdict
    {
        .init(
            expected: "it is refused with \(wanted)",
            isMet: code == wanted,
            instead: code == wanted ? nil : code.map { "it was refused with \($0)" } ?? "it was taken",
            path: step.path
        )
    }

    private func readLog(of app: String) async throws {
        var request = MonitorLog.Request(app: app)
        while true {
            let page = try await backend.call(MonitorLog.self, request)
            for line in page.lines { timeline.add(line: line) }
            guard page.more else { return }
            request.next = page.next
        }
    }
}
