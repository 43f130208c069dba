import STContracts
import STPlatform

/// The desktop's agent of a simulation: what it has seen, and what of that it has reported.
struct SimulationEyes {
    /// Leaves room in a batch for one "still so" of each member.
    private static let batchMax = UsageObserve.batchMax - 40

    /// What a member looks at, and how that was reported last.
    struct Seen {
        var sight: ScenarioPlan.Sight
        var toldMs: Int64
        var isShielded = false
    }

    private let sights: [ScenarioPlan.Sight]
    private var next = 0
    /// What is in front of each member, and when that was last reported.
    private(set) var seen: [String: Seen] = [:]
    var shields = ShieldTable()
    /// Of the sights before this one it is known whether they are shielded.
    private var knownTo = 0
    /// The agent is dead until then.
    private(set) var opensAtMs: Int64?
    private var runs = 1
    private var sequence: Int64 = 0

    init(_ sights: [ScenarioPlan.Sight]) { self.sights = sights }

    var run: String { "simulation-\(runs)" }

    /// Not further than one batch tells of.
    func reach(_ targetMs: Int64) -> Int64 {
        let last = next + Self.batchMax
        guard last < sights.count, sights[last].atMs <= targetMs else { return targetMs }
        return sights[last].atMs
    }

    /// When the sight comes that follows so many; nil where fewer are left.
    func moment(after count: Int) -> Int64? {
        next + count < sights.count ? sights[next + count].atMs : nil
    }

    mutating func close(untilMs: Int64) { opensAtMs = untilMs }

    /// What would be reported at a moment, in order; this reports nothing.
    func look(untilMs: Int64, _ time: DeviceTime) -> [Observation] {
        var copy = self
        return copy.tell(untilMs: untilMs, time)
    }

    /// Everything seen up to a moment and not yet reported, and that each active member still is.
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

    /// What is in front of each member, after an unusual moment: a sleep, a clock that was set.
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

    /// Reports once more what a member looks at, with what has changed of it.
    mutating func tellAgain(_ member: String, _ sight: ScenarioPlan.Sight, _ time: DeviceTime) -> Observation
    {
        seen[member] = Seen(sight: sight, toldMs: time.elapsedMs, isShielded: shields.isShielded(sight))
        return observation(sight, atMs: time.elapsedMs, time, isUnbroken: true)
    }

    /// An app has shown notifications to a member; the agent does not see that while it is dead.
    mutating func tellNotified(_ member: String, by app: String, times: Int, _ time: DeviceTime)
        -> [Observation]
    {
        guard opensAtMs == nil else { return [] }
        let sight = seen[member]?.sight ?? .init(atMs: time.elapsedMs, member: member, presence: .away)
        var told = tellAgain(member, sight, time)
        told.notifications = [app: Int64(times)]
        return [told]
    }

    /// What happens until then and is not yet reported.
    func coming(untilMs: Int64) -> ArraySlice<ScenarioPlan.Sight> {
        sights[next...].prefix { $0.atMs <= untilMs }
    }

    /// What happens while the device sleeps or the agent is dead is only known afterwards.
    mutating func pass(untilMs: Int64) {
        while next < sights.count, sights[next].atMs <= untilMs {
            let sight = sights[next]
            seen[sight.member] = Seen(sight: sight, toldMs: untilMs, isShielded: shields.isShielded(sight))
            next += 1
        }
    }

    /// A new agent: it knows nothing of what was before.
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

    // Shields between people and what they turn to.

    /// What is in front of people, and will be until then, of which it is not known whether it is shielded; the desktop learns all
    /// of it next.
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

    /// The first moment until then at which a member turns to something shielded: the shield must go up then.
    func nextShieldMs(untilMs: Int64) -> Int64? {
        guard opensAtMs == nil else { return nil }
        return coming(untilMs: untilMs).first { shields.isShielded($0) }?.atMs
    }

    /// What is shielded from now on and was not before, or the other way round.
    mutating func tellShields(_ time: DeviceTime) -> [Observation] {
        guard opensAtMs == nil else { return [] }
        return seen.keys.sorted().compactMap { member in
            guard let last = seen[member], last.isShielded != shields.isShielded(last.sight) else {
                return nil
            }
            return tellAgain(member, last.sight, time)
        }
    }

    /// A member's app has been closed: they look at the desktop.
    mutating func close(of member: String, _ time: DeviceTime) -> [Observation] {
        guard opensAtMs == nil, var sight = seen[member]?.sight else { return [] }
        sight.app = nil
        sight.site = nil
        return [tellAgain(member, sight, time)]
    }

    /// What is in front of each member now.
    var front: [ShieldTable.Sight] {
        seen.sorted { $0.key < $1.key }.compactMap { ShieldTable.Sight($0.value.sight) }
    }

    /// Whether the member is away from the screen while the app, and the shield with it, stays there.
    func isWaiting(_ member: String) -> Bool {
        guard let presence = seen[member]?.sight.presence else { return false }
        return presence == .idle || presence == .locked
    }

    /// What each looks at through a shield, if the desktop can see and draw.
    var shielded: [String: ShieldTable.Sight] {
        guard opensAtMs == nil else { return [:] }
        return seen.compactMapValues { $0.isShielded ? ShieldTable.Sight($0.sight) : nil }
    }
}

/// What the desktop knows to be shielded, until the policy changes.
struct ShieldTable {
    /// What a member looks at.
    struct Sight: Hashable {
        var member: String
        var app: String?
        var site: String?

        /// Nil where there is nothing that could be shielded.
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
        /// Where what is shielded belongs.
        var category: String?
        /// Whether it was in front when it was asked about: of a new app it may only then be known where it belongs.
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
