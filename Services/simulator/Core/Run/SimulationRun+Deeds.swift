import STContracts
import STPlatform

/// What happens to the device and to the system.
extension SimulationRun {
    func perform(_ deed: ScenarioPlan.Deed) async throws {
        let step = deed.step
        switch step.action {
        case .sight, .repeated: break
        case .blind(let forMs):
            eyes.close(untilMs: time.elapsedMs + forMs)
            timeline.add(deed: "nobody sees what happens, for \(TextFormat.duration(ms: forMs))", time)
        case .sleep(let forMs, let isTold): try await sleep(forMs, isTold: isTold)
        case .setClock(let change): try await setClock(change)
        case .travel(let zone): try await travel(to: zone)
        case .kill(let program):
            try await kill(program)
            try await settle()
        default:
            try await ask(step)
            try await settle()
        }
        try await measureDue()
    }

    func kill(_ program: String) async throws {
        timeline.add(deed: "\(program) is killed", time)
        try await backend.kill(program)
    }

    private func sleep(_ forMs: Int64, isTold: Bool) async throws {
        if isTold {
            try await tell(eyes.tellAll(time, isUnbroken: true, as: .suspended))
            try await settle()
        }
        timeline.add(deed: "asleep for \(TextFormat.duration(ms: forMs))", time)
        time.elapsedMs += forMs
        time.suspendedMs += forMs
        eyes.pass(untilMs: time.elapsedMs)
        try await backend.show(time.face)
        // Timers ring at once when a machine wakes up; what is in front is only told then.
        try await settle()
        try await tell(eyes.tellAll(time, isUnbroken: false))
        try await settle()
    }

    private func setClock(_ change: ScenarioStep.ClockChange) async throws {
        let before = time.wallMs
        switch change {
        case .by(let ms): time.setByMs += ms
        case .to(let civil):
            let rules = try ScenarioReader.zone(time.zone, "/zone")
            time.setByMs += civil.wallMs(in: rules, after: before) - before
        }
        let step = time.wallMs - before
        timeline.add(
            deed:
                "the clock is set \(step < 0 ? "back" : "forward") by \(TextFormat.duration(ms: abs(step)))",
            time
        )
        try await showChange()
    }

    private func travel(to zone: String) async throws {
        time.zone = zone
        timeline.add(deed: "the device is in \(zone)", time)
        try await showChange()
    }

    private func showChange() async throws {
        try await backend.show(time.face)
        try await settle()
        try await tell(eyes.tellAll(time, isUnbroken: true))
        try await settle()
    }

    // MARK: - What is asked of the system

    /// What is refused ends the simulation, unless that was expected.
    private func ask(_ step: ScenarioStep) async throws {
        do {
            try await request(step)
        } catch let problem as Problem {
            timeline.add(deed: "refused: \(problem.code)", time)
            guard let wanted = step.refused else { throw Self.placed(problem, step.path) }
            refusals.append((step, wanted, problem.code))
            return
        }
        if let wanted = step.refused { refusals.append((step, wanted, nil)) }
    }

    private func notify(_ app: String, _ times: Int, _ member: String) async throws {
        timeline.add(deed: "\(app) notifies \(member)\(times == 1 ? "" : ", \(times) times")", time)
        try await tell(eyes.tellNotified(member, by: app, times: times, time))
    }

    static func placed(_ problem: Problem, _ path: String) -> Problem {
        var problem = problem
        problem.details["route_field"] = problem.field
        problem.field = path
        return problem
    }

    private func request(_ step: ScenarioStep) async throws {
        let member = step.member.map { timeline.actual($0) }
        switch step.action {
        case .addRule(var rule):
            rule.member = rule.member ?? step.member
            try await add(rule)
        case .pauseRule(let name, let forMs):
            timeline.add(deed: "\(name) is paused for \(TextFormat.duration(ms: forMs))", time)
            _ = try await backend.call(RulePause.self, .init(name: name, forMs: forMs))
        case .removeRule(let name):
            timeline.add(deed: "\(name) is taken away", time)
            _ = try await backend.call(RuleRemove.self, .init(name: name))
        case .start(var activity):
            activity.member = activity.member ?? step.member
            try await start(activity)
        case .stop(let app, let activity):
            timeline.add(deed: "\(activity) is watched no more", time)
            _ = try await backend.call(
                ActivityStop.self,
                .init(app: app ?? SimulatedApp.id, member: member, activities: [activity])
            )
        case .permit(let app): try await permit(app, by: step.member ?? scenario.owner)
        case .revoke(let app):
            timeline.add(deed: "\(app) may watch no more", time)
            _ = try await backend.call(AuthRevoke.self, .init(app: app, member: member))
        case .run(let words):
            timeline.add(deed: "runs \(words.joined(separator: " "))", time)
            for line in try await backend.run(words, member: member) {
                timeline.add(deed: "  \(line)", time)
            }
        case .notify(let app, let times): try await notify(app, times, step.member ?? scenario.owner)
        case .press(let button): try await press(button, by: step.member ?? scenario.owner)
        case .request(let items, let forMs, let because):
            try await requestMore(items, forMs: forMs, because: because, by: step.member ?? scenario.owner)
        case .approve(let whose, let forMs):
            try await approve(whose: whose, forMs: forMs, by: step.member ?? scenario.owner)
        case .sight, .blind, .sleep, .setClock, .travel, .kill, .repeated: break
        }
    }
}
