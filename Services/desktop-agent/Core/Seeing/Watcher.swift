package import STContracts
package import STPlatform

/// Turns what is seen of a desktop into observations.
///
/// Pure: what happened and what the clocks say come in, observations come out: changes with the moment of the change
/// itself, never out of order, and "still so" while a person is there. While the person is away, only notifications are sent: the
/// ledger takes the last observation to hold until another one comes.
package struct Watcher: Sendable {
    package static let beatMs: Int64 = 5_000
    /// How often the agent says that nothing can be seen, so that a report has a number for it.
    static let blindBeatMs: Int64 = 300_000
    /// How long notifications wait for an observation that goes anyway, while the person is away.
    static let notifiedMs: Int64 = 5_000
    /// Longer than this between two observations, and the ledger would have to believe that nothing was seen meanwhile.
    static let patienceMs: Int64 = 10_000
    /// If the process does not run for longer than this during active use, the foreground app of that time is unknown,
    /// because the display reports only the present one.
    static let stallMsMax: Int64 = 10_000
    /// Observations that wait until it is known whose they are.
    package static let readyMax = 2_000
    static let notifyingAppsMax = 500

    let bootID: String
    /// Whether time in which the process was stopped counts as use of an unknown app, as on a protected computer.
    private let countsStops: Bool
    package private(set) var run: String
    private var sequence: Int64 = 0
    private var pace = SightPace()
    private var front: String?
    private var site: (name: String, isShielded: Bool)?
    private var shielded: Set<String> = []
    private var word: PresenceWord?
    /// Whether the display tells anything; nil before it is known.
    private var hasSight: Bool?
    private var last: Told?
    private var ready: [Told] = []
    private var notified: [String: Int64] = [:]
    private var notifiedBootMs: Int64?
    private var checkBootMs: Int64?
    /// When it last ran at all.
    private var looked: TimeReading?
    /// The end of the last stop that counted. The person may have used the computer until then.
    private var stopEndBootMs: Int64?
    /// A stop while the session was locked or away. If the session is unlocked during the stop, it reports that only afterwards.
    private var restingStop: (fromBootMs: Int64, toBootMs: Int64)?
    private static let unlockMs: Int64 = 2_000
    private static let lateMs: Int64 = 1_000

    private struct Told {
        var sight: Sight
        var at: TimeReading
        var inputBootMs: Int64?
        /// The observation before held until then, although it is long ago.
        var isUnbroken = false
        var isBeat = false
        var notifications: [String: Int64]?
        /// A film, a call or something that fills the screen is in front.
        var isBusy = false
    }

    package init(bootID: String, run: String, countsStops: Bool = false) {
        self.bootID = bootID
        self.countsStops = countsStops
        self.run = run
    }

    // MARK: - What happens

    /// Another app is in front, or another site in it; no app is the bare desktop.
    package mutating func sees(
        _ app: String?,
        site: (name: String, isShielded: Bool)? = nil,
        atBootMs: Int64,
        now: TimeReading
    ) {
        front = app.flatMap(Self.safe)
        self.site = site
        change(atBootMs, now)
    }

    package mutating func hears(_ word: PresenceWord, now: TimeReading) {
        self.word = word
        if let stop = restingStop, now.bootMs - stop.toBootMs <= Self.unlockMs, !Self.rests(word.presence),
            let last
        {
            look(now)
            takeStop(from: max(stop.fromBootMs, last.at.bootMs), to: stop.toBootMs)
        }
        restingStop = nil
        change(word.atBootMs, now)
    }

    /// Time in front of these counts as that of a shield.
    package mutating func shield(_ apps: Set<String>, now: TimeReading) {
        shielded = apps
        change(now.bootMs, now)
    }

    /// Whether the display has told everything; false when it is gone, or cannot be looked at.
    package mutating func sight(_ hasSight: Bool, now: TimeReading) {
        self.hasSight = hasSight
        if !hasSight { front = nil }
        change(now.bootMs, now)
    }

    package mutating func notified(_ app: String, _ count: Int64 = 1, now: TimeReading) {
        guard count > 0, !app.isEmpty, app.utf8.count <= UsageObserve.nameBytesMax else { return }
        guard notified[app] != nil || notified.count < Self.notifyingAppsMax else { return }
        let sum = (notified[app] ?? 0).addingReportingOverflow(count)
        notified[app] = min(
            UsageObserve.notificationCounts.upperBound,
            sum.overflow ? .max : sum.partialValue
        )
        if notifiedBootMs == nil { notifiedBootMs = now.bootMs }
        tick(now)
    }

    /// The process was stopped until now, so the foreground app since it last ran is unknown.
    ///
    /// `isEnding`: systemd sends SIGCONT after SIGTERM, so only a gap that is longer than a beat proves a stop.
    package mutating func wasStopped(_ now: TimeReading, isEnding: Bool = false) {
        if let looked, isEnding, now.monotonicMs - looked.monotonicMs <= Self.beatMs + Self.lateMs { return }
        miss(now)
        looked = now
        tick(now)
    }

    /// The boot time at which to say "still so", or nil where nothing can be due.
    package mutating func check(atBootMs bootMs: Int64?) {
        checkBootMs = bootMs.flatMap { $0 > (last?.at.bootMs ?? -1) ? $0 : nil }
    }

    /// activity-center no longer knows this run: what comes next belongs to another one.
    package mutating func beginRun(_ run: String) {
        self.run = run
        sequence = 0
    }

    // MARK: - When to tell

    /// When `tick` has something to do; nil: not before something happens.
    package var nextBootMs: Int64? {
        guard hasSight != nil, let last else { return pace.nextBootMs }
        if !pace.isSettled { return pace.nextBootMs }
        var next = Int64.max
        if let beat = Self.beatMs(last.sight.presence) { next = last.at.bootMs + beat }
        if last.sight.presence == .active, let checkBootMs { next = min(next, checkBootMs) }
        if let notifiedBootMs { next = min(next, notifiedBootMs + Self.notifiedMs) }
        return next == .max ? nil : next
    }

    package mutating func tick(_ now: TimeReading) {
        look(now)
        guard hasSight != nil else { return }
        for change in pace.tell(bootMs: now.bootMs) { tell(change.sight, atBootMs: change.atBootMs, now) }
        guard pace.isSettled, let last, let next = nextBootMs, next <= now.bootMs else { return }
        tell(last.sight, atBootMs: now.bootMs, now, isBeat: true)
    }

    /// Nothing more will be seen from now on: the agent ends.
    package mutating func end(_ now: TimeReading) {
        guard last != nil else { return }
        sight(false, now: now)
        // No later change can come within this millisecond.
        for change in pace.tell(bootMs: now.bootMs + SightPace.foldMs + 1) {
            tell(change.sight, atBootMs: min(change.atBootMs, now.bootMs), now)
        }
    }

    /// Nothing waits for its moment.
    package var isSettled: Bool { pace.isSettled }

    package var hasReady: Bool { !ready.isEmpty }

    /// Whether all that is ready says no more than "still so": then losing it loses no more than a beat.
    package var isBeatAlone: Bool { ready.count == 1 && ready[0].isBeat && ready[0].notifications == nil }

    /// What is to be told, with its numbers.
    package mutating func take(member: String, zone: String) -> [Observation] {
        defer { ready = [] }
        return ready.map { told in
            sequence += 1
            return Observation(
                sequence: sequence,
                bootId: bootID,
                at: told.at,
                zone: zone,
                member: member,
                presence: told.sight.presence,
                app: told.sight.app,
                domain: told.sight.site,
                inputBootMs: told.inputBootMs,
                unbroken: told.isUnbroken ? true : nil,
                shielded: told.sight.isShielded ? true : nil,
                notifications: told.notifications,
                busy: told.isBusy ? true : nil
            )
        }
    }

    /// What the last observation said; nil before the first.
    package var present: Sight? { last?.sight }

    // MARK: - Telling

    /// What activity-center would never take must not block all that follows it.
    private static func safe(_ app: String) -> String? {
        guard app.utf8.count > UsageObserve.nameBytesMax else { return app.isEmpty ? nil : app }
        var kept = ""
        for character in app {
            guard kept.utf8.count + character.utf8.count <= UsageObserve.nameBytesMax else { break }
            kept.append(character)
        }
        return kept.isEmpty ? nil : kept
    }

    private static func beatMs(_ presence: Presence) -> Int64? {
        switch presence {
        case .active: beatMs
        case .unobserved: blindBeatMs
        default: nil
        }
    }

    private var now: Sight? {
        guard let hasSight else { return nil }
        var presence = word?.presence ?? .active
        // Whether the screen can be seen is known better here.
        if presence == .unobserved || presence == .unknown { presence = .active }
        switch presence {
        // The session knows of these by itself.
        case .locked, .away, .suspended: return Sight(presence: presence)
        default: break
        }
        guard hasSight else { return Sight(presence: .unobserved) }
        return Sight(
            presence: presence,
            app: front,
            site: site?.name,
            isShielded: site?.isShielded == true || front.map(shielded.contains) ?? false
        )
    }

    private mutating func change(_ atBootMs: Int64, _ now: TimeReading) {
        look(now)
        if let sight = self.now {
            let notBefore = last?.at.bootMs ?? now.bootMs
            pace.take(sight, atBootMs: max(notBefore, min(atBootMs, now.bootMs)))
        }
        tick(now)
    }

    private mutating func look(_ now: TimeReading) {
        // During active use the process runs every five seconds.
        if let looked, last?.sight.presence == .active, now.monotonicMs - looked.monotonicMs > Self.stallMsMax
        {
            miss(now)
        }
        looked = now
    }

    private mutating func miss(_ now: TimeReading) {
        guard let looked, let last, let sight = self.now else { return }
        // The session reports these states itself.
        guard ![.suspended, .unobserved].contains(last.sight.presence) else { return }
        let fromMs = max(looked.bootMs, last.at.bootMs)
        if Self.rests(last.sight.presence), Self.rests(sight.presence) {
            if countsStops { restingStop = (fromMs, now.bootMs) }
            return
        }
        takeStop(from: fromMs, to: now.bootMs)
        pace.take(sight, atBootMs: now.bootMs)
    }

    private static func rests(_ presence: Presence) -> Bool { presence == .locked || presence == .away }

    private mutating func takeStop(from fromMs: Int64, to toMs: Int64) {
        guard countsStops else { return pace.take(Sight(presence: .unobserved), atBootMs: fromMs) }
        pace.take(Sight(presence: .active, app: UsageObserve.unseenApp), atBootMs: fromMs)
        stopEndBootMs = toMs
    }

    private mutating func tell(_ sight: Sight, atBootMs: Int64, _ now: TimeReading, isBeat: Bool = false) {
        let at = reading(atBootMs, now)
        var told = Told(sight: sight, at: at, isBeat: isBeat)
        if let word {
            told.isBusy = word.isBusy && sight.presence == .active
            let inputBootMs = word.inputGoesOn ? at.bootMs : word.inputBootMs
            told.inputBootMs = inputBootMs.map { max(0, min(max($0, stopEndBootMs ?? 0), at.bootMs)) }
        }
        if let last, last.sight.presence == .active, at.monotonicMs - last.at.monotonicMs > Self.patienceMs {
            told.isUnbroken = true
        }
        addNotifications(&told)
        last = told
        if let checkBootMs, checkBootMs <= at.bootMs { self.checkBootMs = nil }
        keep(told)
    }

    private mutating func addNotifications(_ told: inout Told) {
        guard !notified.isEmpty else { return }
        let apps = notified.keys.sorted().prefix(UsageObserve.notifyingAppsMax)
        told.notifications = Dictionary(uniqueKeysWithValues: apps.map { ($0, notified[$0] ?? 1) })
        for app in apps { notified[app] = nil }
        notifiedBootMs = notified.isEmpty ? nil : told.at.bootMs
    }

    /// While it is not known whose time this is, a beat takes the place of the one before.
    private mutating func keep(_ told: Told) {
        var told = told
        if let before = ready.last, before.isBeat, told.isBeat, before.notifications == nil {
            ready.removeLast()
            told.isUnbroken = true
        }
        ready.append(told)
        guard ready.count > Self.readyMax else { return }
        // A member who is not known after so long loses the oldest of it.
        ready.removeFirst(ready.count - Self.readyMax)
    }

    /// What the clocks said at a moment that lies a little back.
    private func reading(_ bootMs: Int64, _ now: TimeReading) -> TimeReading {
        let agoMs = now.bootMs - bootMs
        var monotonicMs = now.monotonicMs - agoMs
        if let last, monotonicMs < last.at.monotonicMs {
            // The machine slept between that moment and this one.
            monotonicMs = min(last.at.monotonicMs + bootMs - last.at.bootMs, now.monotonicMs)
        }
        return TimeReading(wallMs: now.wallMs - agoMs, bootMs: bootMs, monotonicMs: max(0, monotonicMs))
    }
}

/// What one observation says: whether a person is there, and what is in front of them.
package struct Sight: Sendable, Hashable {
    package var presence: Presence
    package var app: String?
    /// Of the page in front, where the app is a browser that says so.
    package var site: String?
    package var isShielded: Bool

    /// A person who is away looks at no app.
    package init(presence: Presence, app: String? = nil, site: String? = nil, isShielded: Bool = false) {
        self.presence = presence
        self.app = presence == .active ? app : nil
        self.site = self.app == nil ? nil : site
        self.isShielded = isShielded && self.app != nil
    }
}

/// Whether a person is there, as the session and the display say together.
package struct PresenceWord: Sendable, Equatable {
    package var presence: Presence
    /// Since when, in boot time.
    package var atBootMs: Int64
    /// When the last sign of a person was; nil where that is not known.
    package var inputBootMs: Int64?
    /// There is one at every moment until the next word.
    package var inputGoesOn: Bool
    /// A film, a call or something that fills the screen is in front.
    package var isBusy: Bool

    package init(
        _ presence: Presence,
        atBootMs: Int64,
        inputBootMs: Int64? = nil,
        inputGoesOn: Bool = false,
        isBusy: Bool = false
    ) {
        self.presence = presence
        self.atBootMs = atBootMs
        self.inputBootMs = inputBootMs
        self.inputGoesOn = inputGoesOn
        self.isBusy = isBusy
    }
}
