import STContracts
import STPlatform

/// The desktop's agent of a simulation: the observations so far, and the reported ones.
struct SimulationEyes {
    /// The maximum number of new observations in a batch. The rest is for a repeated observation of each member.
    private static let batchMax = UsageObserve.batchMax - 40

    /// The current sight of a member and its last report.
    struct Seen {
        var sight: ScenarioPlan.Sight
        var toldMs: Int64
        var isShielded = false
    }

    private let sights: [ScenarioPlan.Sight]
    private var next = 0
    /// The current sight of each member.
    private(set) var seen: [String: Seen] = [:]
    var shields = ShieldTable()
    /// The index up to which the shield decisions of sights are known.
    private var knownTo = 0
    /// The time at which the agent restarts. `nil` if it is running.
    private(set) var opensAtMs: Int64?
    private var runs = 1
    private var sequence: Int64 = 0

    init(_ sights: [ScenarioPlan.Sight]) { self.sights = sights }

    var run: String { "simulation-\(runs)" }

    /// Returns the target, or an earlier time up to which one batch can contain all observations.
    func reach(_ targetMs: Int64) -> Int64 {
        let last = next + Self.batchMax
        guard last < sights.count, sights[last].atMs <= targetMs else { return targetMs }
        return sights[last].atMs
    }

    /// Returns the time of the sight after `count` further ones. Returns `nil` if there are not enough.
    func moment(after count: Int) -> Int64? {
        next + count < sights.count ? sights[next + count].atMs : nil
    }

    mutating func close(untilMs: Int64) { opensAtMs = untilMs }

    /// Returns the observations that `tell` would report at a time, without reporting them.
    func look(untilMs: Int64, _ time: DeviceTime) -> [Observation] {
        var copy = self
        return copy.tell(untilMs: untilMs, time)
    }

    /// Returns all unreported observations up to a time, and repeated observations of all active members.
    mutating func tell(untilMs: Int64, _ time: DeviceTime) -> [Observation] {
        if let opensAtMs {
            guard untilMs >= opensAtMs else {
                pass(untilMs: untilMs)
                return []
            }
            pass(untilMs: untilMs)
            return open(atMs: untilMs, time)
        }
        var told: [Observation] = []
        while next < sights.count, sights[next].atMs <= untilMs {
            let sight = sights[next]
            next += 1
            told.append(observation(sight, atMs: sight.atMs, time, isUnbroken: seen[sight.member] != nil))
            seen[sight.member] = Seen(sight: sight, toldMs: sight.atMs, isShielded: shields.isShielded(sight))
        }
        for member in seen.keys.sorted() {
            guard let last = seen[member], last.sight.presence == .active, last.toldMs < untilMs else {
                continue
            }
            told.append(observation(last.sight, atMs: untilMs, time, isUnbroken: true))
            seen[member]?.toldMs = untilMs
            seen[member]?.isShielded = shields.isShielded(last.sight)
        }
        return told
    }

    /// Returns an observation of each member, for example after a sleep or a change of the clock.
    mutating func tellAll(
        _ time: DeviceTime,
        isUnbroken: Bool,
        as presence: Presence? = nil
    ) -> [Observation] {
        guard opensAtMs == nil else { return [] }
        return seen.keys.sorted().compactMap { member in
            guard var sight = seen[member]?.sight else { return nil }
            seen[member]?.toldMs = time.elapsedMs
            seen[member]?.isShielded = shields.isShielded(sight)
            if let presence {
                sight.presence = presence
                sight.app = nil
                sight.site = nil
            }
            return observation(sight, atMs: time.elapsedMs, time, isUnbroken: isUnbroken)
        }
    }

    /// Returns another observation of a member with a changed sight.
    mutating func tellAgain(_ member: String, _ sight: ScenarioPlan.Sight, _ time: DeviceTime) -> Observation
    {
        seen[member] = Seen(sight: sight, toldMs: time.elapsedMs, isShielded: shields.isShielded(sight))
        return observation(sight, atMs: time.elapsedMs, time, isUnbroken: true)
    }

    /// Returns an observation of the notifications that an app has shown to a member. A stopped agent does not observe them.
    mutating func tellNotified(_ member: String, by app: String, times: Int, _ time: DeviceTime)
        -> [Observation]
    {
        guard opensAtMs == nil else { return [] }
        let sight = seen[member]?.sight ?? .init(atMs: time.elapsedMs, member: member, presence: .away)
        var told = tellAgain(member, sight, time)
        told.notifications = [app: Int64(times)]
        return [told]
    }

    /// Returns the unreported sights up to a time.
    func coming(untilMs: Int64) -> ArraySlice<ScenarioPlan.Sight> {
        sights[next...].prefix { $0.atMs <= untilMs }
    }

    /// Skips the sights up to a time. Sights during a sleep of the device or without an agent are not reported.
    mutating func pass(untilMs: Int64) {
        while next < sights.count, sights[next].atMs <= untilMs {
            let sight = sights[next]
            seen[sight.member] = Seen(sight: sight, toldMs: untilMs, isShielded: shields.isShielded(sight))
            next += 1
        }
    }

    /// Starts a new agent without knowledge of the earlier observations.
    private mutating func open(atMs: Int64, _ time: DeviceTime) -> [Observation] {
        opensAtMs = nil
        runs += 1
        sequence = 0
        return seen.keys.sorted().compactMap { member in
            guard let sight = seen[member]?.sight else { return nil }
            seen[member]?.toldMs = atMs
            seen[member]?.isShielded = shields.isShielded(sight)
            return observation(sight, atMs: atMs, time, isUnbroken: false)
        }
    }

    private mutating func observation(
        _ sight: ScenarioPlan.Sight,
        atMs: Int64,
        _ time: DeviceTime,
        isUnbroken: Bool
    ) -> Observation {
        sequence += 1
        let reading = time.reading(atMs: atMs)
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
    mutating func unknown(untilMs: Int64) -> [ShieldTable.Sight] {
        let end = next + coming(untilMs: untilMs).count
        let fresh = sights[min(max(next, knownTo), end)..<end]
        knownTo = max(knownTo, end)
        var found: [ShieldTable.Sight] = []
        for sight in front + fresh.compactMap({ ShieldTable.Sight($0) })
        where !shields.knows(sight) && !found.contains(sight) {
            found.append(sight)
        }
        return found
    }

    mutating func forgetShields() {
        shields.forget()
        knownTo = 0
    }

    /// Returns the first time at which a member opens something shielded, because the shield must then be shown.
    func nextShieldMs(untilMs: Int64) -> Int64? {
        guard opensAtMs == nil else { return nil }
        return coming(untilMs: untilMs).first { shields.isShielded($0) }?.atMs
    }

    /// Returns observations of the sights whose shield has appeared or disappeared.
    mutating func tellShields(_ time: DeviceTime) -> [Observation] {
        guard opensAtMs == nil else { return [] }
        return seen.keys.sorted().compactMap { member in
            guard let last = seen[member], last.isShielded != shields.isShielded(last.sight) else {
                return nil
            }
            return tellAgain(member, last.sight, time)
        }
    }

    /// Closes a member's app. The member then sees the desktop.
    mutating func close(of member: String, _ time: DeviceTime) -> [Observation] {
        guard opensAtMs == nil, var sight = seen[member]?.sight else { return [] }
        sight.app = nil
        sight.site = nil
        return [tellAgain(member, sight, time)]
    }

    /// The current sights that can be shielded, ordered by member.
    var front: [ShieldTable.Sight] {
        seen.sorted { $0.key < $1.key }.compactMap { ShieldTable.Sight($0.value.sight) }
    }

    /// Returns true if the member is idle or the screen is locked. The app stays open, and so does its shield.
    func isWaiting(_ member: String) -> Bool {
        guard let presence = seen[member]?.sight.presence else { return false }
        return presence == .idle || presence == .locked
    }

    /// The shielded sight of each member. Empty while the agent is stopped.
    var shielded: [String: ShieldTable.Sight] {
        guard opensAtMs == nil else { return [:] }
        return seen.compactMapValues { $0.isShielded ? ShieldTable.Sight($0.sight) : nil }
    }
}

/// The shield decisions that the desktop has received. They are valid until the policy changes.
struct ShieldTable {
    /// The member and the app or site in the foreground.
    struct Sight: Hashable {
        var member: String
        var app: String?
        var site: String?

        /// Creates a sight. Returns `nil` if it contains nothing that could be shielded.
        init?(_ sight: ScenarioPlan.Sight) {
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

    private var verdicts: [Sight: Verdict] = [:]

    func knows(_ sight: Sight, finally isFinal: Bool = false) -> Bool {
        verdicts[sight].map { $0.isFinal || !isFinal } ?? false
    }

    func isShielded(_ sight: ScenarioPlan.Sight) -> Bool {
        Sight(sight).map { verdicts[$0]?.isShielded ?? false } ?? false
    }

    func category(_ sight: Sight) -> String? { verdicts[sight]?.category }

    mutating func learn(_ sight: Sight, _ reply: ShieldDecide.Reply, finally isFinal: Bool) {
        let isShielded = reply.decision.isShielded
        verdicts[sight] = Verdict(
            isShielded: isShielded,
            category: isShielded ? reply.category : nil,
            isFinal: isFinal
        )
    }

    mutating func forget() { verdicts = [:] }
}
