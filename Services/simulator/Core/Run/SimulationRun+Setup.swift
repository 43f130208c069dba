import STContracts
import STPlatform

/// The household, its apps and what is watched, before anything happens.
extension SimulationRun {
    /// Of everybody in a simulation; nobody has to remember it.
    static let passcode = "246810"

    func prepare() async throws {
        guard let owner = try await backend.call(MemberList.self, Empty()).members.first?.name else {
            throw Problem("simulation.no_owner", "auth-service knows nobody; please report this.")
        }
        timeline = TimelineBuilder(owner: owner, named: scenario.owner)
        for member in scenario.members {
            _ = try await backend.call(MemberAdd.self, Member(name: member.name, role: member.role))
        }
        try await settle()
        for entry in scenario.categories {
            try await at(entry.path) {
                _ = try await backend.call(
                    CategorySet.self,
                    .init(subject: entry.subject, category: entry.category)
                )
            }
        }
        for app in scenario.apps { try await at(app.path) { try await install(app) } }
        try await prepareSimulatedApp()
        for rule in scenario.rules { try await at(rule.path) { try await add(rule) } }
        for activity in scenario.activities { try await at(activity.path) { try await start(activity) } }
        planMeasures()
        try await settle()
    }

    /// A refusal is told with the place in the scenario that led to it.
    private func at(_ path: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let problem as Problem {
            throw Self.placed(problem, path)
        }
    }

    // MARK: - Apps

    private func install(_ app: ScenarioApp) async throws {
        let programs = await backend.programs
        let request = AppInstall.Request(
            bundle: absolute(app.bundle),
            programs: app.programs.map { absolute($0) } ?? programs
        )
        let installed = try await backend.call(AppInstall.self, request).app.manifest.id
        try await settle()
        for member in app.permittedBy { try await permit(installed, by: member) }
    }

    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(scenario.folder)/\(path)"
    }

    /// Whoever has to prove who they are does so.
    func permit(_ app: String, by name: String) async throws {
        let isChild = scenario.members.contains { $0.name == name && $0.role == .child }
        let provers = isChild ? scenario.members.filter { $0.role == .guardian }.map(\.name) : [name]
        guard !provers.isEmpty else {
            throw Problem(
                "simulation.no_guardian",
                "Nobody can say what \(app) may do for \(name), who is a child. Add a guardian to the members."
            )
        }
        for prover in provers { try await ensurePasscode(of: prover) }
        let request = AuthRequest.Request(
            app: app,
            member: timeline.actual(name),
            scope: isChild ? .child : .individual,
            again: true
        )
        // None when the answer is known already.
        guard let question = try await backend.call(AuthRequest.self, request).question else { return }
        let answer = AuthAnswer.Request(
            request: question.request,
            allow: true,
            by: question.provers.first,
            passcode: Self.passcode
        )
        let reply = try await backend.call(AuthAnswer.self, answer)
        if let refusal = reply.refusal { throw refusal }
        try await settle()
    }

    func ensurePasscode(of name: String) async throws {
        guard hasPasscode.insert(name).inserted else { return }
        let member = timeline.actual(name)
        _ = try await backend.call(MemberPasscode.self, .init(member: member, passcode: Self.passcode))
    }

    /// The app of those activities that belong to no app of the scenario's own.
    private func prepareSimulatedApp() async throws {
        let users = SimulatedApp.users(of: scenario)
        guard !users.isEmpty else { return }
        let bundle = try await backend.simulatedApp()
        _ = try await backend.call(AppInstall.self, bundle)
        try await settle()
        for name in users { try await permit(SimulatedApp.id, by: name) }
    }

    // MARK: - What is watched

    func add(_ rule: ScenarioRule) async throws {
        var spec = RuleSpec(kind: .allow, name: rule.name, targets: rule.targets)
        spec.member = rule.member.map { timeline.actual($0) }
        spec.days = rule.days
        spec.warnMs = rule.warnMs
        spec.say = rule.say
        spec.then = rule.then
        switch rule.kind {
        case .limit(let ms):
            spec.kind = .limit
            spec.durationMs = ms
        case .downtime(let from, let to):
            spec.kind = .downtime
            spec.window = RuleWindow(from: from, to: to)
        case .window(let from, let to):
            spec.kind = .window
            spec.window = RuleWindow(from: from, to: to)
        case .goal(let ms, let opens):
            spec.kind = .goal
            spec.durationMs = ms
            spec.opens = opens
        case .allow: break
        }
        let view = try await backend.call(RuleAdd.self, spec).rule
        timeline.learn(rule: view.id, name: view.rule.name ?? view.id)
        try await settle()
    }

    func start(_ activity: ScenarioActivity) async throws {
        let request = ActivityStart.Request(
            app: activity.app ?? SimulatedApp.id,
            member: activity.member.map { timeline.actual($0) },
            activity: activity.name,
            schedule: activity.schedule,
            events: activity.events,
            mode: activity.mode
        )
        _ = try await backend.call(ActivityStart.self, request)
        try await settle()
    }
}
