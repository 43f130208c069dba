import STContracts
import STPlatform

/// A script under way, which produces the observations that a desktop would have produced.
///
/// Pure. A play has its own boot times, counted from its start, because it may begin before the last boot of this machine.
struct ScriptPlay: Sendable, Equatable, Codable {
    /// The interval at which a real agent confirms that a person is active.
    static let heartbeat: Duration = .seconds(5)
    static let stepsMax = 2_000
    static let lengthMax: Duration = .seconds(2 * 86_400)

    /// The play's own boot time at its start.
    private static let firstBoot = BootTime(ms: 1)

    private(set) var run: String
    let member: String
    let startWallMs: Int64
    let zone: String
    let steps: [DesktopPlay.Step]
    private var step = 0
    /// The start of the present step. `nextMs` is the time of the next observation. Both count from the start of the play.
    private var stepStartMs: Int64 = 0
    private var nextMs: Int64 = 0
    private(set) var sequence: Int64 = 0
    private(set) var isOver = false
    /// The time of an additional confirmation, at which a threshold may be due.
    private var checkMs: Int64?
    /// The time of the last observation.
    private var toldMs: Int64 = -1
    /// The machine's boot time at the start of the play, so that a change of the wall clock does not advance the play.
    private let anchor: Anchor?
    /// The first name of the run. It remains in the boot id, because a new name of the run is not a new boot of the machine.
    private var firstRun: String?

    struct Anchor: Sendable, Equatable, Codable {
        var bootId: String
        var bootMs: Int64
    }

    init(
        run: String,
        member: String,
        start: WallTime,
        zone: String,
        steps: [DesktopPlay.Step],
        anchor: Anchor? = nil
    ) {
        self.anchor = anchor
        self.run = run
        self.member = member
        self.startWallMs = start.ms
        self.zone = zone
        self.steps = steps
    }

    /// Continues the play as another run, whose numbers are lower by `count`.
    mutating func resume(as newRun: String, lessBy count: Int64) {
        firstRun = firstRun ?? run
        run = newRun
        sequence -= count
    }

    var start: WallTime { WallTime(ms: startWallMs) }

    var end: WallTime { start + .milliseconds(steps.reduce(0) { $0 + $1.forMs }) }

    var next: WallTime? { isOver ? nil : start + due }

    private var due: Duration { .milliseconds(min(nextMs, checkMs ?? nextMs)) }

    /// Returns the wall time without changes of the clock since the start of the play.
    ///
    /// After a reboot only the wall clock shows the elapsed time, so its present value is used.
    func wall(_ now: TimeReading, bootId: String) -> WallTime {
        guard let anchor, anchor.bootId == bootId else { return now.wall }
        return start + (now.boot - BootTime(ms: anchor.bootMs))
    }

    /// Sets the boot time of the play for an additional confirmation. Nil means that nothing can be due.
    mutating func check(at moment: BootTime?) {
        let ms = moment.map { ($0 - Self.firstBoot).ms }
        // A later observation already covers this moment.
        checkMs = ms.flatMap { $0 > toldMs && !isOver ? $0 : nil }
    }

    /// Returns the observations up to a moment that were not returned before, at most `limit`.
    mutating func advance(to wall: WallTime, limit: Int) -> [Observation] {
        var seen: [Observation] = []
        while !isOver, start + due <= wall, seen.count < limit { seen.append(makeObservation()) }
        return seen
    }

    private mutating func makeObservation() -> Observation {
        if let checkMs, checkMs < nextMs, toldMs >= 0, step < steps.count {
            self.checkMs = nil
            return observation(of: steps[step], atMs: checkMs)
        }
        if let checkMs, checkMs <= nextMs { self.checkMs = nil }
        while step < steps.count, nextMs >= stepStartMs + steps[step].forMs {
            stepStartMs += steps[step].forMs
            step += 1
        }
        guard step < steps.count else {
            // The person is away afterwards. Without this observation the last step would stay open.
            isOver = true
            return observation(of: DesktopPlay.Step(presence: .away, forMs: 0), atMs: nextMs)
        }
        let current = steps[step]
        var seen = observation(of: current, atMs: nextMs)
        if nextMs == stepStartMs { seen.notifications = current.notifications }
        let end = stepStartMs + current.forMs
        nextMs = seen.presence == .active ? min(nextMs + Self.heartbeat.ms, end) : end
        return seen
    }

    private mutating func observation(of current: DesktopPlay.Step, atMs ms: Int64) -> Observation {
        sequence += 1
        toldMs = ms
        let presence = current.presence ?? .active
        let boot = Self.firstBoot + .milliseconds(ms)
        let reading = TimeReading(wallMs: startWallMs + ms, bootMs: boot.ms, monotonicMs: boot.ms)
        return Observation(
            sequence: sequence,
            bootId: "script-\(firstRun ?? run)",
            at: reading,
            zone: zone,
            member: member,
            presence: presence,
            app: presence == .active ? current.app : nil,
            domain: presence == .active ? current.domain : nil,
            played: true
        )
    }

    /// Validates a whole script before its first step.
    static func check(_ request: DesktopPlay.Request) throws {
        guard !request.steps.isEmpty, request.steps.count <= stepsMax else {
            throw Problem(
                "script.bad_length",
                "A script has 1 to \(stepsMax, "most") steps.",
                field: "/steps"
            )
        }
        guard !request.member.isEmpty else {
            throw Problem("script.no_member", "Name the member whose day the script plays.", field: "/member")
        }
        var length = Duration.zero
        for (index, step) in request.steps.enumerated() {
            guard step.forMs > 0, step.forMs <= lengthMax.ms else {
                throw Problem(
                    "script.bad_duration",
                    "A step lasts between 1 ms and two days.",
                    field: "/steps/\(index)/for_ms"
                )
            }
            _ = try step.presence?.required("/steps/\(index)/presence")
            try check(step.app, "/steps/\(index)/app")
            try check(step.domain, "/steps/\(index)/domain")
            try check(step.notifications, "/steps/\(index)/notifications")
            length += .milliseconds(step.forMs)
        }
        guard length <= lengthMax, (0...lengthMax.ms).contains(request.agoMs ?? 0) else {
            throw Problem("script.too_long", "A script covers at most two days.", field: "/ago_ms")
        }
    }

    private static func check(_ counts: [String: Int64]?, _ field: String) throws {
        guard let counts else { return }
        for app in counts.keys.sorted() { try check(app, field) }
        guard (1...UsageObserve.notifyingAppsMax).contains(counts.count),
            counts.values.allSatisfy(UsageObserve.notificationCounts.contains)
        else {
            throw Problem(
                "script.bad_notifications",
                """
                A step with notifications names 1 to \(UsageObserve.notifyingAppsMax, "most") apps, each \
                with 1 to \(UsageObserve.notificationCounts.upperBound, "most2") notifications. If there are \
                no notifications, omit the field.
                """,
                field: field
            )
        }
    }

    /// Validates a name. A name that activity-center always refuses would block the spool for all later observations.
    private static func check(_ name: String?, _ field: String) throws {
        guard let name, name.isEmpty || name.utf8.count > UsageObserve.nameBytesMax else { return }
        throw Problem(
            "script.bad_name",
            """
            A name must have 1 to \(UsageObserve.nameBytesMax, "bytes") bytes. If there is no name, omit the \
            field.
            """,
            field: field
        )
    }
}
