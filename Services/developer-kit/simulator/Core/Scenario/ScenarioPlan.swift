import STContracts
import STDomain
import STPlatform

/// A scenario as a sequence of moments, by the time since its start.
struct ScenarioPlan: Sendable, Equatable {
    /// The presence and foreground app of a member from a moment on.
    struct ScreenState: Sendable, Equatable {
        var at: Duration
        var member: String
        var presence: Presence
        var app: String?
        var site: String?
        var isBusy = false
    }

    /// A step for which the clock stops.
    struct PlannedStep: Sendable, Equatable {
        var at: Duration
        var step: ScenarioStep
        /// The zone of the clock at that moment, for steps that contain a time.
        var zone: String
    }

    /// The maximum length of a scenario, which is five years.
    static let lengthMax = Duration.seconds(5 * 366 * 86_400)
    static let sightsMax = 1_000_000

    var screens: [ScreenState] = []
    var steps: [PlannedStep] = []
    var end = Duration.zero

    static func make(_ scenario: Scenario) throws -> ScenarioPlan {
        var planner = try ScenarioPlanner(scenario)
        return try planner.plan()
    }

    /// Adds an action at each midnight, up to a maximum number, because auth-service keeps only a hundred token keys.
    mutating func addAtMidnights(_ action: ScenarioStep.Action, _ scenario: Scenario, atMost count: Int = 90)
    {
        let day = LocalDay(zone: scenario.zone)
        var at = WallTime(ms: day.end(ofDayAtWallMs: scenario.start.ms)) - scenario.start
        for _ in 0..<count where at < end {
            let step = ScenarioStep(time: .next, action: action, path: "")
            let place = steps.firstIndex { $0.at >= at } ?? steps.endIndex
            steps.insert(.init(at: at, step: step, zone: scenario.zone), at: place)
            at = WallTime(ms: day.end(ofDayAtWallMs: (scenario.start + at).ms)) - scenario.start
        }
    }
}

/// Assigns a time to each step of a scenario.
///
/// A member's step follows the same member's previous step. A step of the device follows all previous steps. Times are true
/// times, so setting the device's clock does not change them.
struct ScenarioPlanner {
    private struct MemberSchedule {
        /// The end of the member's last step.
        var freeAt = Duration.zero
        /// The beginning of the member's latest step.
        var lastAt = Duration.zero
        var screens: [(at: Duration, end: Duration, sight: ScenarioStep.ScreenState)] = []

        mutating func wait(until end: Duration) { freeAt = max(freeAt, end) }
    }

    private let scenario: Scenario
    private var zone: String
    private var rules: ZoneRules
    private var schedules: [String: MemberSchedule] = [:]
    private var steps: [ScenarioPlan.PlannedStep] = []
    /// The end of the device's last step, and the beginning of its latest step.
    private var freeAt = Duration.zero
    private var lastAt = Duration.zero

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        zone = scenario.zone
        rules = try ScenarioFields.zone(scenario.zone, "/zone")
    }

    mutating func plan() throws -> ScenarioPlan {
        for step in scenario.steps { try add(step, dayStart: nil) }
        var plan = ScenarioPlan(steps: Self.stable(steps))
        for (member, course) in schedules.sorted(by: { $0.key < $1.key }) {
            plan.screens += screens(of: course, member)
        }
        plan.screens = plan.screens.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map(\.element)
        guard plan.screens.count <= ScenarioPlan.sightsMax else {
            throw Problem(
                "scenario.too_long",
                """
                The number of changes of the foreground app is \(plan.screens.count, "count"), but at most \
                \(ScenarioPlan.sightsMax, "most") are allowed.
                """,
                key: "scenario.too_long.changes-of-what",
                field: "/steps"
            )
        }
        plan.end = try end(plan)
        return plan
    }

    private static func stable(_ deeds: [ScenarioPlan.PlannedStep]) -> [ScenarioPlan.PlannedStep] {
        deeds.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element
        )
    }

    private func end(_ plan: ScenarioPlan) throws -> Duration {
        let last = max(freeAt, schedules.values.map(\.freeAt).max() ?? .zero)
        guard let wanted = scenario.end else { return last }
        let end = wanted.text.wall(in: rules, after: scenario.start + last) - scenario.start
        guard end >= last else {
            throw Problem(
                "scenario.bad_time",
                """
                The scenario ends \(MessageValue.duration(ms: (last - end).ms), "last") before its last step \
                ends.
                """,
                key: "scenario.bad_time.the-end-lies",
                field: wanted.path
            )
        }
        return try checked(end, wanted.path)
    }

    private func checked(_ at: Duration, _ path: String) throws -> Duration {
        guard at >= .zero else {
            throw Problem(
                "scenario.bad_time",
                "This is before the start of the scenario.",
                key: "scenario.bad_time.this-lies-before",
                field: path
            )
        }
        guard at <= ScenarioPlan.lengthMax else {
            throw Problem(
                "scenario.too_long",
                "A scenario lasts at most five years.",
                key: "scenario.too_long.a-scenario-lasts",
                field: path
            )
        }
        return at
    }

    // MARK: - Steps

    /// Adds a step. `dayStart` is the midnight of the repeated day, if there is one.
    private mutating func add(_ step: ScenarioStep, dayStart: Duration?) throws {
        switch step.action {
        case .screen(let sight):
            try add(sight, of: step.member ?? scenario.owner, step: step, dayStart: dayStart)
        case .repeated(let days, let on, let steps): try addDays(days, on: on, steps: steps, block: step)
        default:
            let busy = max(freeAt, schedules.values.map(\.freeAt).max() ?? .zero)
            let at = try moment(step, free: busy, last: max(lastAt, latestStart), dayStart)
            steps.append(.init(at: at, step: step, zone: zone))
            lastAt = at
            freeAt = at
            if case .sleep(let length, _) = step.action { freeAt += length }
            for member in schedules.keys { schedules[member]?.wait(until: freeAt) }
            if case .travel(let other) = step.action {
                rules = try ScenarioFields.zone(other, step.path)
                zone = other
            }
        }
    }

    private var latestStart: Duration { schedules.values.map(\.lastAt).max() ?? .zero }

    private mutating func add(
        _ sight: ScenarioStep.ScreenState,
        of member: String,
        step: ScenarioStep,
        dayStart: Duration?
    ) throws {
        // Remove the course while it changes. With two references to it, each step would copy the whole array.
        var course = schedules.removeValue(forKey: member) ?? MemberSchedule()
        course.freeAt = max(course.freeAt, freeAt)
        let at = try moment(step, free: course.freeAt, last: max(course.lastAt, lastAt), dayStart)
        if let last = course.screens.last, at < last.end {
            let until = CivilText.text(scenario.start + last.end, rules)
            throw Problem(
                "scenario.overlap",
                """
                \(member, "member") is busy with an earlier step until \(until, "until"). Start this step \
                later, or shorten the earlier one.
                """,
                field: step.path
            )
        }
        let end = try checked(at + sight.length, step.path)
        course.screens.append((at, end, sight))
        course.lastAt = at
        course.freeAt = end
        schedules[member] = course
    }

    private func moment(_ step: ScenarioStep, free: Duration, last: Duration, _ dayStart: Duration?)
        throws -> Duration
    {
        switch step.time {
        case .next: return try checked(max(free, dayStart ?? .zero), step.path)
        case .after(let delay): return try checked(max(free, dayStart ?? .zero) + delay, step.path)
        case .at(let civil):
            let from = scenario.start + (dayStart ?? last)
            return try checked(civil.wall(in: rules, after: from) - scenario.start, "\(step.path)/at")
        }
    }

    private mutating func addDays(_ days: Int, on: [Int]?, steps: [ScenarioStep], block: ScenarioStep)
        throws
    {
        var start = max(lastAt, latestStart)
        if case .at(let civil) = block.time {
            start = civil.wall(in: rules, after: scenario.start + start) - scenario.start
        }
        let local = rules.localMs(atMs: (scenario.start + start).ms)
        let firstDay = Int64((Double(local) / 86_400_000).rounded(.down))
        for day in firstDay..<(firstDay + Int64(days)) {
            // The epoch was a Thursday. 1 is Sunday.
            let weekday = Int((day + 4) % 7) + 1
            if let on, !on.contains(weekday) { continue }
            let midnight = WallTime(ms: rules.moment(showing: day * 86_400_000).firstMs) - scenario.start
            for step in steps { try add(step, dayStart: max(.zero, midnight)) }
        }
        let next = WallTime(ms: rules.moment(showing: (firstDay + Int64(days)) * 86_400_000).firstMs)
        lastAt = try checked(next - scenario.start, block.path)
        freeAt = max(freeAt, lastAt)
    }

    // MARK: - Sights

    /// Returns the sights of a member. The member is away between them.
    private func screens(of course: MemberSchedule, _ member: String) -> [ScenarioPlan.ScreenState] {
        var sights: [ScenarioPlan.ScreenState] = []
        for (index, entry) in course.screens.enumerated() {
            sights.append(
                .init(
                    at: entry.at,
                    member: member,
                    presence: entry.sight.presence,
                    app: entry.sight.app,
                    site: entry.sight.site,
                    isBusy: entry.sight.isBusy
                )
            )
            let isFollowed = index + 1 < course.screens.count && course.screens[index + 1].at == entry.end
            if !isFollowed { sights.append(.init(at: entry.end, member: member, presence: .away)) }
        }
        return sights
    }
}
