import STContracts
import STPlatform

/// A script being played: who looks at what, turned into the observations that a desktop would have made.
///
/// Pure. A play has boot times of its own, counted from its start, because part of it may lie before this machine
/// was switched on.
struct ScriptPlay: Sendable, Equatable, Codable {
    /// How often a real agent says that a person is still there.
    static let beatMs: Int64 = 5_000
    static let stepsMax = 2_000
    static let lengthMsMax: Int64 = 2 * 86_400_000

    /// The play's own boot time at its start.
    private static let firstBootMs: Int64 = 1

    private(set) var run: String
    let member: String
    let startWallMs: Int64
    let zone: String
    let steps: [DesktopPlay.Step]
    private var step = 0
    /// Where the present step began, and what of it has been told.
    private var stepStartMs: Int64 = 0
    private var nextMs: Int64 = 0
    private(set) var sequence: Int64 = 0
    private(set) var isOver = false
    /// When something may be due: then it says that all is as it was, beside its beats.
    private var checkMs: Int64?
    /// Up to where it has told.
    private var toldMs: Int64 = -1
    /// The machine's own boot time at the start of the play, so that setting the wall clock does not move it on.
    private let anchor: Anchor?
    /// The run's name at the start of the play: a new name does not mean a new start of the machine.
    private var firstRun: String?

    struct Anchor: Sendable, Equatable, Codable {
        var bootId: String
        var bootMs: Int64
    }

    init(
        run: String,
        member: String,
        startWallMs: Int64,
        zone: String,
        steps: [DesktopPlay.Step],
        anchor: Anchor? = nil
    ) {
        self.anchor = anchor
        self.run = run
        self.member = member
        self.startWallMs = startWallMs
        self.zone = zone
        self.steps = steps
    }

    /// What comes next belongs to another run, of which as much less has been told.
    mutating func goOn(as newRun: String, lessBy count: Int64) {
        firstRun = firstRun ?? run
        run = newRun
        sequence -= count
    }

    var endWallMs: Int64 { startWallMs + steps.reduce(0) { $0 + $1.forMs } }

    var nextWallMs: Int64? { isOver ? nil : startWallMs + dueMs }

    private var dueMs: Int64 { min(nextMs, checkMs ?? nextMs) }

    /// What the wall clock would say, had it not been set since the start.
    ///
    /// Over a start of the machine only the wall clock knows how much time went by.
    func wallMs(_ now: TimeReading, bootId: String) -> Int64 {
        guard let anchor, anchor.bootId == bootId else { return now.wallMs }
        return startWallMs + now.bootMs - anchor.bootMs
    }

    /// The boot time of the play at which to say "still so", or nil where nothing can be due.
    mutating func check(atBootMs bootMs: Int64?) {
        let ms = bootMs.map { $0 - Self.firstBootMs }
        // What went out since covers it.
        checkMs = ms.flatMap { $0 > toldMs && !isOver ? $0 : nil }
    }

    /// Everything up to a moment that has not been told yet; at most `limit` of it.
    mutating func advance(toWallMs wallMs: Int64, limit: Int) -> [Observation] {
        var seen: [Observation] = []
        while !isOver, startWallMs + dueMs <= wallMs, seen.count < limit { seen.append(tell()) }
        return seen
    }

    private mutating func tell() -> Observation {
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
            // Afterwards the person is away: without this the last step would stay open.
            isOver = true
            return observation(of: DesktopPlay.Step(presence: .away, forMs: 0), atMs: nextMs)
        }
        let current = steps[step]
        var seen = observation(of: current, atMs: nextMs)
        if nextMs == stepStartMs { seen.notifications = current.notifications }
        let end = stepStartMs + current.forMs
        nextMs = seen.presence == .active ? min(nextMs + Self.beatMs, end) : end
        return seen
    }

    private mutating func observation(of current: DesktopPlay.Step, atMs ms: Int64) -> Observation {
        sequence += 1
        toldMs = ms
        let presence = current.presence ?? .active
        let bootMs = ms + Self.firstBootMs
        let reading = TimeReading(wallMs: startWallMs + ms, bootMs: bootMs, monotonicMs: bootMs)
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

    /// What is played must make sense before the first step is taken.
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
        var lengthMs: Int64 = 0
        for (index, step) in request.steps.enumerated() {
            guard step.forMs > 0, step.forMs <= lengthMsMax else {
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
            lengthMs += step.forMs
        }
        guard lengthMs <= lengthMsMax, (0...lengthMsMax).contains(request.agoMs ?? 0) else {
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

    /// What activity-center will never take must not block the spool for all that follows it.
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
