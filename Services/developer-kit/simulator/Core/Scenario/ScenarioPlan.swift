import STContracts
import STDomain
import STPlatform

/// A scenario as a sequence of moments, in milliseconds since its start.
struct ScenarioPlan: Sendable, Equatable {
    /// The presence and foreground app of a member from a moment on.
    struct ScreenState: Sendable, Equatable {
        var atMs: Int64
        var member: String
        var presence: Presence
        var app: String?
        var site: String?
        var isBusy = false
    }

    /// A step for which the clock stops.
    struct PlannedStep: Sendable, Equatable {
        var atMs: Int64
        var step: ScenarioStep
        /// The zone of the clock at that moment, for steps that contain a time.
        var zone: String
    }

    /// The maximum length of a scenario, which is five years.
    static let lengthMsMax: Int64 = 5 * 366 * 86_400_000
    static let sightsMax = 1_000_000

    var screens: [ScreenState] = []
    var steps: [PlannedStep] = []
    var endMs: Int64 = 0

    static func make(_ scenario: Scenario) throws -> ScenarioPlan {
        var planner = try ScenarioPlanner(scenario)
        return try planner.plan()
    }

    /// Adds an action at each midnight, up to a maximum number, because auth-service keeps only a hundred token keys.
    mutating func addAtMidnights(_ action: ScenarioStep.Action, _ scenario: Scenario, atMost count: Int = 90)
    {
        let day = LocalDay(zone: scenario.zone)
        var atMs = day.end(ofDayAtWallMs: scenario.startWallMs) - scenario.startWallMs
        for _ in 0..<count where atMs < endMs {
            let step = ScenarioStep(time: .next, action: action, path: "")
            let place = steps.firstIndex { $0.atMs >= atMs } ?? steps.endIndex
            steps.insert(.init(atMs: atMs, step: step, zone: scenario.zone), at: place)
            atMs = day.end(ofDayAtWallMs: scenario.startWallMs + atMs) - scenario.startWallMs
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
        var freeAtMs: Int64 = 0
        /// The beginning of the member's latest step.
        var lastAtMs: Int64 = 0
        var screens: [(atMs: Int64, endMs: Int64, sight: ScenarioStep.ScreenState)] = []

        mutating func wait(untilMs: Int64) { freeAtMs = max(freeAtMs, untilMs) }
    }

    private let scenario: Scenario
    private var zone: String
    private var rules: ZoneRules
    private var schedules: [String: MemberSchedule] = [:]
    private var steps: [ScenarioPlan.PlannedStep] = []
    /// The end of the device's last step, and the beginning of its latest step.
    private var freeAtMs: Int64 = 0
    private var lastAtMs: Int64 = 0

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        zone = scenario.zone
        rules = try ScenarioFields.zone(scenario.zone, "/zone")
    }

    mutating func plan() throws -> ScenarioPlan {
        for step in scenario.steps { try add(step, dayStartMs: nil) }
        var plan = ScenarioPlan(steps: Self.stable(steps))
        for (member, course) in schedules.sorted(by: { $0.key < $1.key }) {
            plan.screens += screens(of: course, member)
        }
        plan.screens = plan.screens.enumerated().sorted {
            ($0.element.atMs, $0.offset) < ($1.element.atMs, $1.offset)
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
        plan.endMs = try end(plan)
        return plan
    }

    private static func stable(_ deeds: [ScenarioPlan.PlannedStep]) -> [ScenarioPlan.PlannedStep] {
        deeds.enumerated().sorted { ($0.element.atMs, $0.offset) < ($1.element.atMs, $1.offset) }.map(
            \.element
        )
    }

    private func end(_ plan: ScenarioPlan) throws -> Int64 {
        let lastMs = max(freeAtMs, schedules.values.map(\.freeAtMs).max() ?? 0)
        guard let wanted = scenario.end else { return lastMs }
        let endMs = wanted.text.wallMs(in: rules, after: scenario.startWallMs + lastMs) - scenario.startWallMs
        guard endMs >= lastMs else {
            throw Problem(
                "scenario.bad_time",
                """
                The scenario ends \(MessageValue.duration(ms: lastMs - endMs), "last") before its last step \
                ends.
                """,
                key: "scenario.bad_time.the-end-lies",
                field: wanted.path
            )
        }
        return try checked(endMs, wanted.path)
    }

    private func checked(_ atMs: Int64, _ path: String) throws -> Int64 {
        guard atMs >= 0 else {
            throw Problem(
                "scenario.bad_time",
                "This is before the start of the scenario.",
                key: "scenario.bad_time.this-lies-before",
                field: path
            )
        }
        guard atMs <= ScenarioPlan.lengthMsMax else {
            throw Problem(
                "scenario.too_long",
                "A scenario lasts at most five years.",
                key: "scenario.too_long.a-scenario-lasts",
                field: path
            )
        }
        return atMs
    }

    // MARK: - Steps

    /// Adds a step. `dayStartMs` is the midnight of the repeated day, if there is one.
    private mutating func add(_ step: ScenarioStep, dayStartMs: Int64?) throws {
        switch step.action {
        case .screen(let sight):
            try add(sight, of: step.member ?? scenario.owner, step: step, dayStartMs: dayStartMs)
        case .repeated(let days, let on, let steps): try addDays(days, on: on, steps: steps, block: step)
        default:
            let busyMs = max(freeAtMs, schedules.values.map(\.freeAtMs).max() ?? 0)
            let atMs = try moment(step, free: busyMs, last: max(lastAtMs, latestStartMs), dayStartMs)
            steps.append(.init(atMs: atMs, step: step, zone: zone))
            lastAtMs = atMs
            freeAtMs = atMs
            if case .sleep(let forMs, _) = step.action { freeAtMs += forMs }
            for member in schedules.keys { schedules[member]?.wait(untilMs: freeAtMs) }
            if case .travel(let other) = step.action {
                rules = try ScenarioFields.zone(other, step.path)
                zone = other
            }
        }
    }

    private var latestStartMs: Int64 { schedules.values.map(\.lastAtMs).max() ?? 0 }

    private mutating func add(
        _ sight: ScenarioStep.ScreenState,
        of member: String,
        step: ScenarioStep,
        dayStartMs: Int64?
    ) throws {
        // Remove the course while it changes. With two references to it, each step would copy the whole array.
        var course = schedules.removeValue(forKey: member) ?? MemberSchedule()
        course.freeAtMs = max(course.freeAtMs, freeAtMs)
        let atMs = try moment(step, free: course.freeAtMs, last: max(course.lastAtMs, lastAtMs), dayStartMs)
        if let last = course.screens.last, atMs < last.endMs {
            let until = CivilText.text(wallMs: scenario.startWallMs + last.endMs, rules)
            throw Problem(
                "scenario.overlap",
                """
                \(member, "member") is busy with an earlier step until \(until, "until"). Start this step \
                later, or shorten the earlier one.
                """,
                field: step.path
            )
        }
        let endMs = try checked(atMs + sight.forMs, step.path)
        course.screens.append((atMs, endMs, sight))
        course.lastAtMs = atMs
        course.freeAtMs = endMs
        schedules[member] = course
    }

    private func moment(_ step: ScenarioStep, free: Int64, last: Int64, _ dayStartMs: Int64?) throws -> Int64
    {
        switch step.time {
        case .next: return try checked(max(free, dayStartMs ?? 0), step.path)
        case .after(let ms): return try checked(max(free, dayStartMs ?? 0) + ms, step.path)
        case .at(let civil):
            let from = scenario.startWallMs + (dayStartMs ?? last)
            return try checked(civil.wallMs(in: rules, after: from) - scenario.startWallMs, "\(step.path)/at")
        }
    }

    private mutating func addDays(_ days: Int, on: [Int]?, steps: [ScenarioStep], block: ScenarioStep)
        throws
    {
        var startMs = max(lastAtMs, latestStartMs)
        if case .at(let civil) = block.time {
            startMs = civil.wallMs(in: rules, after: scenario.startWallMs + startMs) - scenario.startWallMs
        }
        let local = rules.localMs(atMs: scenario.startWallMs + startMs)
        let firstDay = Int64((Double(local) / 86_400_000).rounded(.down))
        for day in firstDay..<(firstDay + Int64(days)) {
            // The epoch was a Thursday. 1 is Sunday.
            let weekday = Int((day + 4) % 7) + 1
            if let on, !on.contains(weekday) { continue }
            let midnight = rules.moment(showing: day * 86_400_000).firstMs - scenario.startWallMs
            for step in steps { try add(step, dayStartMs: max(0, midnight)) }
        }
        let next = rules.moment(showing: (firstDay + Int64(days)) * 86_400_000).firstMs
        lastAtMs = try checked(next - scenario.startWallMs, block.path)
        freeAtMs = max(freeAtMs, lastAtMs)
    }

    // MARK: - Sights

    /// Returns the sights of a member. The member is away between them.
    private func screens(of course: MemberSchedule, _ member: String) -> [ScenarioPlan.ScreenState] {
        var sights: [ScenarioPlan.ScreenState] = []
        for (index, entry) in course.screens.enumerated() {
            sights.append(
                .init(
                    atMs: entry.atMs,
                    member: member,
                    presence: entry.sight.presence,
                    app: entry.sight.app,
                    site: entry.sight.site,
                    isBusy: entry.sight.isBusy
                )
            )
            let isFollowed = index + 1 < course.screens.count && course.screens[index + 1].atMs == entry.endMs
            if !isFollowed { sights.append(.init(atMs: entry.endMs, member: member, presence: .away)) }
        }
        return sights
    }
}
