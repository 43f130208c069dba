import STContracts
import STPlatform
import STSimulator

/// The people of a scenario. It sets up the system for them and sends their requests.
final class SimulatedHousehold {
    /// The passcode of each member of a simulation.
    private static let passcode = "246810"

    private let world: SimulationWorld
    private let desktop: SimulatedDesktop
    private var hasPasscode: Set<String> = []
    /// The verdicts on the steps that must be rejected.
    private(set) var refusals: [SimulationOutcome.Verdict] = []

    init(_ world: SimulationWorld, _ desktop: SimulatedDesktop) {
        self.world = world
        self.desktop = desktop
    }

    // MARK: - Preparation

    /// Sets up the household, its apps, rules and activities.
    func prepare() async throws {
        let scenario = world.scenario
        guard let owner = try await world.call(MemberList.self, Empty()).members.ofThisAccount?.name else {
            throw Problem(
                "simulation.no_owner",
                "auth-service has no member for this account. Please report this."
            )
        }
        world.timeline = TimelineBuilder(owner: owner, named: scenario.owner)
        for member in scenario.members {
            _ = try await world.call(MemberAdd.self, Member(name: member.name, role: member.role))
        }
        try await desktop.waitUntilIdle()
        for entry in scenario.categories {
            let request = CategorySet.Request(subject: entry.subject, category: entry.category)
            try await expectingRefusal(entry.path) { _ = try await world.call(CategorySet.self, request) }
        }
        for app in scenario.apps { try await expectingRefusal(app.path) { try await install(app) } }
        try await prepareSimulatedApp()
        for rule in scenario.rules { try await expectingRefusal(rule.path) { try await add(rule) } }
        for activity in scenario.activities {
            try await expectingRefusal(activity.path) { try await start(activity) }
        }
        try await desktop.waitUntilIdle()
    }

    /// Adds the place in the scenario to a problem.
    private func expectingRefusal(_ path: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let problem as Problem {
            throw problem.located(at: path)
        }
    }

    private func install(_ app: ScenarioApp) async throws {
        let programs = await world.backend.programs
        let request = AppInstall.Request(
            bundle: absolute(app.bundle),
            programs: app.programs.map { absolute($0) } ?? programs
        )
        let installed = try await world.call(AppInstall.self, request).app.manifest.id
        try await desktop.waitUntilIdle()
        for member in app.permittedBy { try await permit(installed, by: member) }
        guard !app.defaults.isEmpty, let state = await world.backend.state else { return }
        try await ScenarioDefaults.write(app.defaults, state: state) {
            try await world.call(TokenIssue.self, .init(app: installed, items: $0)).tokens
        }
    }

    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(world.scenario.folder)/\(path)"
    }

    /// Installs the app of the activities that belong to no app in the scenario.
    private func prepareSimulatedApp() async throws {
        let users = SimulatedApp.users(of: world.scenario)
        guard !users.isEmpty else { return }
        _ = try await world.call(AppInstall.self, try await world.backend.simulatedApp())
        try await desktop.waitUntilIdle()
        for name in users { try await permit(SimulatedApp.id, by: name) }
    }

    // MARK: - Steps

    /// Sends the request of a step. A rejection ends the simulation unless the step expects it.
    func perform(_ step: ScenarioStep) async throws {
        var code: String?
        do {
            try await request(step)
        } catch let problem as Problem {
            world.addEntry("refused: \(problem.code)")
            guard step.refused != nil else { throw problem.located(at: step.path) }
            code = problem.code
        }
        guard let wanted = step.refused else { return }
        let instead = code.map { "it was refused with \($0)" } ?? "it was accepted"
        refusals.append(
            .init(
                expected: "it is refused with \(wanted)",
                isMet: code == wanted,
                actual: code == wanted ? nil : instead,
                path: step.path
            )
        )
    }

    private func request(_ step: ScenarioStep) async throws {
        let member = step.member.map { world.actual($0) }
        let name = step.member ?? world.scenario.owner
        switch step.action {
        case .addRule(var rule):
            rule.member = rule.member ?? step.member
            try await add(rule)
        case .pauseRule(let name, let length):
            world.addEntry("\(name) is paused for \(TextFormat.duration(ms: length.ms))")
            _ = try await world.call(RulePause.self, .init(name: name, forMs: length.ms))
        case .removeRule(let name):
            world.addEntry("\(name) is removed")
            _ = try await world.call(RuleRemove.self, .init(name: name))
        case .start(var activity):
            activity.member = activity.member ?? step.member
            try await start(activity)
        case .stop(let app, let activity):
            world.addEntry("\(activity) is no longer watched")
            let app = app ?? SimulatedApp.id
            _ = try await world.call(
                ActivityStop.self,
                .init(app: app, member: member, activities: [activity])
            )
        case .permit(let app): try await permit(app, by: name)
        case .revoke(let app):
            world.addEntry("\(app) may no longer watch")
            _ = try await world.call(AuthRevoke.self, .init(app: app, member: member))
        case .changeTokens:
            world.addEntry("tokens change")
            _ = try await world.call(TokenRekey.self, Empty())
        case .run(let words):
            world.addEntry("runs \(words.joined(separator: " "))")
            for line in try await world.backend.run(words, member: member) { world.addEntry("  \(line)") }
        case .notify(let app, let times): try await desktop.notify(app, times: times, name)
        case .press(let button, let ifThere):
            if !ifThere || desktop.shield(before: name) != nil { try await desktop.press(button, by: name) }
        case .request(let items, let length, let because):
            try await requestMore(items, for: length, because: because, by: name)
        case .approve(let whose, let length): try await approve(whose: whose, for: length, by: name)
        case .screen, .agentStopped, .sleep, .setClock, .travel, .kill, .repeated: break
        }
    }

    private func add(_ rule: ScenarioRule) async throws {
        var spec = RuleSpec(kind: .allow, name: rule.name, targets: rule.targets)
        spec.member = rule.member.map { world.actual($0) }
        spec.days = rule.days
        spec.except = rule.except
        spec.weekendMs = rule.weekend?.ms
        spec.warnMs = rule.warning?.ms
        spec.say = rule.say
        spec.then = rule.then
        switch rule.kind {
        case .limit(let length):
            spec.kind = .limit
            spec.durationMs = length.ms
        case .downtime(let from, let to):
            spec.kind = .downtime
            spec.window = RuleWindow(from: from, to: to)
        case .window(let from, let to):
            spec.kind = .window
            spec.window = RuleWindow(from: from, to: to)
        case .goal(let length, let opens):
            spec.kind = .goal
            spec.durationMs = length.ms
            spec.opens = opens
        case .rest(let length, let usage):
            spec.kind = .break
            spec.restMs = length.ms
            spec.durationMs = usage.ms
        case .allow: break
        }
        let view = try await world.call(RuleAdd.self, .init(spec)).rule
        world.timeline.registerRule(rule: view.id, name: view.rule.name ?? view.id)
        try await desktop.waitUntilIdle()
    }

    private func start(_ activity: ScenarioActivity) async throws {
        let request = ActivityStart.Request(
            app: activity.app ?? SimulatedApp.id,
            member: activity.member.map { world.actual($0) },
            activity: activity.name,
            schedule: activity.schedule,
            events: activity.events,
            mode: activity.mode
        )
        _ = try await world.call(ActivityStart.self, request)
        try await desktop.waitUntilIdle()
    }

    private func requestMore(_ items: [TokenItem], for length: Duration, because: String?, by member: String)
        async throws
    {
        let names = items.map { SubjectText.text($0) }.joined(separator: ", ")
        world.addEntry("\(member) asks for \(TextFormat.duration(ms: length.ms)) more of \(names)")
        let request = RequestAdd.Request(
            member: world.actual(member),
            items: items,
            durationMs: length.ms,
            because: because,
            shield: desktop.shield(before: member)
        )
        _ = try await world.call(RequestAdd.self, request)
    }

    private func approve(whose: String, for length: Duration?, by member: String) async throws {
        let list = RequestList.Request(member: world.actual(whose), state: .waiting)
        guard let waiting = try await world.call(RequestList.self, list).requests.first else {
            throw Problem(
                "simulation.no_request",
                "\(whose, "whose") has no request that is waiting for an answer."
            )
        }
        try await ensurePasscode(of: member)
        let request = RequestApprove.Request(
            request: waiting.request,
            by: world.actual(member),
            passcode: Self.passcode,
            durationMs: length?.ms
        )
        if let refusal = try await world.call(RequestApprove.self, request).refusal { throw refusal }
    }

    // MARK: - Permission

    /// Gives an app permission. For a child, a guardian authenticates.
    private func permit(_ app: String, by name: String) async throws {
        let members = world.scenario.members
        let isChild = members.contains { $0.name == name && $0.role == .child }
        let provers = isChild ? members.filter { $0.role == .guardian }.map(\.name) : [name]
        guard !provers.isEmpty else {
            throw Problem(
                "simulation.no_guardian",
                """
                \(name, "name") is a child, and there is no guardian who can give \(app, "app") permission. \
                Add a guardian to the members.
                """
            )
        }
        for prover in provers { try await ensurePasscode(of: prover) }
        let request = AuthRequest.Request(
            app: app,
            member: world.actual(name),
            scope: isChild ? .child : .individual,
            again: true
        )
        // There is no question if the request was already answered.
        guard let question = try await world.call(AuthRequest.self, request).question else { return }
        let answer = AuthAnswer.Request(
            request: question.request,
            allow: true,
            by: question.provers.first,
            passcode: Self.passcode
        )
        if let refusal = try await world.call(AuthAnswer.self, answer).refusal { throw refusal }
        try await desktop.waitUntilIdle()
    }

    private func ensurePasscode(of name: String) async throws {
        guard hasPasscode.insert(name).inserted else { return }
        let request = MemberPasscode.Request(member: world.actual(name), passcode: Self.passcode)
        _ = try await world.call(MemberPasscode.self, request)
    }
}

extension Problem {
    /// Returns the problem with the place in a scenario.
    func located(at path: String) -> Problem {
        var problem = self
        problem.details["route_field"] = field
        problem.field = path
        return problem
    }
}

/// The app of activities for which a scenario names no app. Its extension does nothing.
enum SimulatedApp {
    static let id = "simulated.app"

    /// The members who have such an activity.
    static func users(of scenario: Scenario) -> [String] {
        var users: [String] = []
        func add(_ activity: ScenarioActivity, _ member: String?) {
            let name = activity.member ?? member ?? scenario.owner
            if activity.app == nil, !users.contains(name) { users.append(name) }
        }
        for activity in scenario.activities { add(activity, nil) }
        func look(_ steps: [ScenarioStep]) {
            for step in steps {
                if case .start(let activity) = step.action { add(activity, step.member) }
                if case .repeated(_, _, let inner) = step.action { look(inner) }
            }
        }
        look(scenario.steps)
        return users
    }
}
