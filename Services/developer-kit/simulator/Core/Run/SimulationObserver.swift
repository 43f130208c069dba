import STContracts
import STPlatform

/// The desktop's agent of a simulation: the observations so far, and the reported ones.
struct SimulationObserver {
    /// The maximum number of new observations in a batch. The rest is for a repeated observation of each member.
    private static let batchMax = UsageObserve.batchMax - 40

    /// The current sight of a member and its last report.
    struct Seen {
        var screen: ScenarioPlan.ScreenState
        var reported: Duration
        var isShielded = false
    }

    private let screens: [ScenarioPlan.ScreenState]
    private var next = 0
    /// The current sight of each member.
    private(set) var current: [String: Seen] = [:]
    var shields = ShieldDecisions()
    /// The index up to which the shield decisions of sights are known.
    private var decidedIndex = 0
    /// The time at which the agent restarts. `nil` if it is running.
    private(set) var opensAt: Duration?
    private var runs = 1
    private var sequence: Int64 = 0

    init(_ sights: [ScenarioPlan.ScreenState]) { self.screens = sights }

    var run: String { "simulation-\(runs)" }

    /// Returns the target, or an earlier time up to which one batch can contain all observations.
    func batchEnd(_ target: Duration) -> Duration {
        let last = next + Self.batchMax
        guard last < screens.count, screens[last].at <= target else { return target }
        return screens[last].at
    }

    /// Returns the time of the sight after `count` further ones. Returns `nil` if there are not enough.
    func moment(after count: Int) -> Duration? {
        next + count < screens.count ? screens[next + count].at : nil
    }

    mutating func close(until end: Duration) { opensAt = end }

    /// Returns the observations that `tell` would report at a time, without reporting them.
    func preview(until end: Duration, _ time: DeviceTime) -> [Observation] {
        var copy = self
        return copy.report(until: end, time)
    }

    /// Returns all unreported observations up to a time, and repeated observations of all active members.
    mutating func report(until end: Duration, _ time: DeviceTime) -> [Observation] {
        if let opensAt {
            guard end >= opensAt else {
                skip(until: end)
                return []
            }
            skip(until: end)
            return open(at: end, time)
        }
        var told: [Observation] = []
        while next < screens.count, screens[next].at <= end {
            let sight = screens[next]
            next += 1
            told.append(observation(sight, at: sight.at, time, isUnbroken: current[sight.member] != nil))
            current[sight.member] = Seen(
                screen: sight,
                reported: sight.at,
                isShielded: shields.isShielded(sight)
            )
        }
        for member in current.keys.sorted() {
            guard let last = current[member], last.screen.presence == .active, last.reported < end
            else {
                continue
            }
            told.append(observation(last.screen, at: end, time, isUnbroken: true))
            current[member]?.reported = end
            current[member]?.isShielded = shields.isShielded(last.screen)
        }
        return told
    }

    /// Returns an observation of each member, for example after a sleep or a change of the clock.
    mutating func reportAll(
        _ time: DeviceTime,
        isUnbroken: Bool,
        as presence: Presence? = nil
    ) -> [Observation] {
        guard opensAt == nil else { return [] }
        return current.keys.sorted().compactMap { member in
            guard var sight = current[member]?.screen else { return nil }
            current[member]?.reported = time.elapsed
            current[member]?.isShielded = shields.isShielded(sight)
            if let presence {
                sight.presence = presence
                sight.app = nil
                sight.site = nil
            }
            return observation(sight, at: time.elapsed, time, isUnbroken: isUnbroken)
        }
    }

    /// Returns another observation of a member with a changed sight.
    mutating func reportAgain(_ member: String, sight: ScenarioPlan.ScreenState, time: DeviceTime)
        -> Observation
    {
        current[member] = Seen(
            screen: sight,
            reported: time.elapsed,
            isShielded: shields.isShielded(sight)
        )
        return observation(sight, at: time.elapsed, time, isUnbroken: true)
    }

    /// Returns an observation of the notifications that an app has shown to a member. A stopped agent does not observe them.
    mutating func reportNotifications(_ member: String, by app: String, times: Int, _ time: DeviceTime)
        -> [Observation]
    {
        guard opensAt == nil else { return [] }
        let sight = current[member]?.screen ?? .init(at: time.elapsed, member: member, presence: .away)
        var told = reportAgain(member, sight: sight, time: time)
        told.notifications = [app: Int64(times)]
        return [told]
    }

    /// Returns the unreported sights up to a time.
    func pending(until end: Duration) -> ArraySlice<ScenarioPlan.ScreenState> {
        screens[next...].prefix { $0.at <= end }
    }

    /// Skips the sights up to a time. Sights during a sleep of the device or without an agent are not reported.
    mutating func skip(until end: Duration) {
        while next < screens.count, screens[next].at <= end {
            let sight = screens[next]
            current[sight.member] = Seen(
                screen: sight,
                reported: end,
                isShielded: shields.isShielded(sight)
            )
            next += 1
        }
    }

    /// Starts a new agent without knowledge of the earlier observations.
    private mutating func open(at elapsed: Duration, _ time: DeviceTime) -> [Observation] {
        opensAt = nil
        runs += 1
        sequence = 0
        return current.keys.sorted().compactMap { member in
            guard let sight = current[member]?.screen else { return nil }
            current[member]?.reported = elapsed
            current[member]?.isShielded = shields.isShielded(sight)
            return observation(sight, at: elapsed, time, isUnbroken: false)
        }
    }

    private mutating func observation(
        _ sight: ScenarioPlan.ScreenState,
        at elapsed: Duration,
        _ time: DeviceTime,
        isUnbroken: Bool
    ) -> Observation {
        sequence += 1
        let reading = time.reading(at: elapsed)
        return Observation(
            sequence: sequence,
            bootId: DeviceTime.bootID,
            at: reading,
            zone: time.zone,
            member: sight.member,
            presence: sight.presence,
            app: sight.app,
            domain: sight.site,
            inputBootMs: sight.presence == .active ? reading.bootMs : nil,
            unbroken: isUnbroken ? true : nil,
            shielded: shields.isShielded(sight) ? true : nil,
            busy: sight.isBusy ? true : nil
        )
    }

    // Shields for the sights of members.

    /// Returns the current and planned sights up to a time whose shield decisions are unknown. The desktop then requests all of
    /// these decisions.
    mutating func undecided(until limit: Duration) -> [ShieldDecisions.ScreenState] {
        let end = next + pending(until: limit).count
        let fresh = screens[min(max(next, decidedIndex), end)..<end]
        decidedIndex = max(decidedIndex, end)
        var found: [ShieldDecisions.ScreenState] = []
        for sight in foreground + fresh.compactMap({ ShieldDecisions.ScreenState($0) })
        where !shields.contains(sight) && !found.contains(sight) {
            found.append(sight)
        }
        return found
    }

    mutating func resetShields() {
        shields.removeAll()
        decidedIndex = 0
    }

    /// Returns the first time at which a member opens something shielded, because the shield must then be shown.
    func nextShield(until end: Duration) -> Duration? {
        guard opensAt == nil else { return nil }
        return pending(until: end).first { shields.isShielded($0) }?.at
    }

    /// Returns observations of the sights whose shield has appeared or disappeared.
    mutating func reportShields(_ time: DeviceTime) -> [Observation] {
        guard opensAt == nil else { return [] }
        return current.keys.sorted().compactMap { member in
            guard let last = current[member], last.isShielded != shields.isShielded(last.screen) else {
                return nil
            }
            return reportAgain(member, sight: last.screen, time: time)
        }
    }

    /// Closes a member's app. The member then sees the desktop.
    mutating func close(of member: String, _ time: DeviceTime) -> [Observation] {
        guard opensAt == nil, var sight = current[member]?.screen else { return [] }
        sight.app = nil
        sight.site = nil
        return [reportAgain(member, sight: sight, time: time)]
    }

    /// The current sights that can be shielded, ordered by member.
    var foreground: [ShieldDecisions.ScreenState] {
        current.sorted { $0.key < $1.key }.compactMap { ShieldDecisions.ScreenState($0.value.screen) }
    }

    /// Returns true if the member is idle or the screen is locked. The app stays open, and so does its shield.
    func isInactive(_ member: String) -> Bool {
        guard let presence = current[member]?.screen.presence else { return false }
        return presence == .idle || presence == .locked
    }

    /// The shielded sight of each member. Empty while the agent is stopped.
    var shielded: [String: ShieldDecisions.ScreenState] {
        guard opensAt == nil else { return [:] }
        return current.compactMapValues { $0.isShielded ? ShieldDecisions.ScreenState($0.screen) : nil }
    }
}

/// The shield decisions that the desktop has received. They are valid until the policy changes.
struct ShieldDecisions {
    /// The member and the app or site in the foreground.
    struct ScreenState: Hashable {
        var member: String
        var app: String?
        var site: String?

        /// Creates a sight. Returns `nil` if it contains nothing that could be shielded.
        init?(_ sight: ScenarioPlan.ScreenState) {
            guard sight.presence == .active, sight.app != nil || sight.site != nil else { return nil }
            member = sight.member
            app = sight.app
            site = sight.site
        }

        var subject: ShieldSubject { ShieldSubject(app: app, domain: site) }
    }

    private struct Verdict {
        var isShielded: Bool
        /// The category of the shielded app or site.
        var category: String?
        /// True if the decision was made while the sight was in the foreground. The category of a new app may only then be known.
        var isFinal: Bool
    }

    private var verdicts: [ScreenState: Verdict] = [:]

    func contains(_ sight: ScreenState, finally isFinal: Bool = false) -> Bool {
        verdicts[sight].map { $0.isFinal || !isFinal } ?? false
    }

    func isShielded(_ sight: ScenarioPlan.ScreenState) -> Bool {
        ScreenState(sight).map { verdicts[$0]?.isShielded ?? false } ?? false
    }

    func category(_ sight: ScreenState) -> String? { verdicts[sight]?.category }

    mutating func record(_ sight: ScreenState, _ reply: ShieldDecide.Reply, finally isFinal: Bool) {
        let isShielded = reply.decision.isShielded
        verdicts[sight] = Verdict(
            isShielded: isShielded,
            category: isShielded ? reply.category : nil,
            isFinal: isFinal
        )
    }

    mutating func removeAll() { verdicts = [:] }
}
