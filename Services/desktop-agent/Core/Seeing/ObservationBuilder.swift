package import STContracts
package import STPlatform

/// Converts the events of a desktop into observations.
///
/// Pure: events and clock readings come in, and observations come out. Changes have the time of the change itself, and are never
/// out of order. While a person is active, confirmations follow. While the person is away, only notifications are sent, because
/// for the ledger the last observation applies until the next one.
package struct ObservationBuilder: Sendable {
    package static let heartbeat: Duration = .seconds(5)
    /// The interval of observations while the display is unobserved, so that reports have a number for this time.
    static let unobservedHeartbeat: Duration = .seconds(300)
    /// The time for which notifications wait for another observation while the person is away.
    static let notificationWait: Duration = .seconds(5)
    /// The longest interval between two observations of active use that needs no mark. The ledger counts a longer one as
    /// unobserved, unless the second observation is marked `unbroken`.
    static let observationTimeout: Duration = .seconds(10)
    /// If the process does not run for longer than this during active use, the foreground app of that time is unknown,
    /// because the display reports only the present one.
    static let stallMax: Duration = .seconds(10)
    /// Upper bound on the observations that wait until the member is known.
    package static let readyMax = 2_000
    static let notifyingAppsMax = 500

    let bootID: String
    /// True if time in which the process was stopped counts as use of an unknown app, as on a protected computer.
    private let countsStops: Bool
    package private(set) var run: String
    private var sequence: Int64 = 0
    private var throttle = ObservationThrottle()
    private var foregroundApp: String?
    private var site: (name: String, isShielded: Bool)?
    private var shieldedApps: Set<String> = []
    private var presenceReport: PresenceReport?
    /// True if the display can be observed. `nil` before that is known.
    private var canObserve: Bool?
    private var last: Told?
    private var ready: [Told] = []
    private var notificationCounts: [String: Int64] = [:]
    private var notifiedAt: BootTime?
    private var check: BootTime?
    /// The time at which the process last ran.
    private var lastRefresh: TimeReading?
    /// The end of the last stop that counted. The person may have used the computer until then.
    private var stopEnd: BootTime?
    /// A stop while the session was locked or away. If the person unlocks the session during the stop, the session reports that
    /// only afterwards.
    private var restingStop: (start: BootTime, end: BootTime)?
    private static let unlockDelay: Duration = .seconds(2)
    private static let lateness: Duration = .seconds(1)

    private struct Told {
        var state: ObservedState
        var at: TimeReading
        var lastInput: BootTime?
        /// True if the previous observation applied until this one, although the interval between them is long.
        var isUnbroken = false
        var isHeartbeat = false
        var notifications: [String: Int64]?
        /// True if a film, a call or a full-screen window is in the foreground.
        var isBusy = false
    }

    package init(bootID: String, run: String, countsStops: Bool = false) {
        self.bootID = bootID
        self.countsStops = countsStops
        self.run = run
    }

    // MARK: - Events

    /// Handles a change of the foreground app or its site. A nil app means the bare desktop.
    package mutating func updateForeground(
        _ app: String?,
        site: (name: String, isShielded: Bool)? = nil,
        at moment: BootTime,
        now: TimeReading
    ) {
        foregroundApp = app.flatMap(Self.sanitized)
        self.site = site
        recordChange(moment, now)
    }

    package mutating func updatePresence(_ word: PresenceReport, now: TimeReading) {
        self.presenceReport = word
        if let stop = restingStop, now.boot - stop.end <= Self.unlockDelay,
            !Self.isResting(word.presence),
            let last
        {
            refresh(now)
            applySuspension(from: max(stop.start, last.at.boot), to: stop.end)
        }
        restingStop = nil
        recordChange(word.since, now)
    }

    /// Sets the shielded apps. Time with one of them in the foreground counts as time with a shield.
    package mutating func updateShieldedApps(_ apps: Set<String>, now: TimeReading) {
        shieldedApps = apps
        recordChange(now.boot, now)
    }

    /// Receives true once the display has reported everything, and false if it is gone or cannot be observed.
    package mutating func setCanObserve(_ hasSight: Bool, now: TimeReading) {
        self.canObserve = hasSight
        if !hasSight { foregroundApp = nil }
        recordChange(now.boot, now)
    }

    package mutating func recordNotification(_ app: String, _ count: Int64 = 1, now: TimeReading) {
        guard count > 0, !app.isEmpty, app.utf8.count <= UsageObserve.nameBytesMax else { return }
        guard notificationCounts[app] != nil || notificationCounts.count < Self.notifyingAppsMax else {
            return
        }
        let sum = (notificationCounts[app] ?? 0).addingReportingOverflow(count)
        notificationCounts[app] = min(
            UsageObserve.notificationCounts.upperBound,
            sum.overflow ? .max : sum.partialValue
        )
        if notifiedAt == nil { notifiedAt = now.boot }
        tick(now)
    }

    /// Handles a stop of the process that ends now. The foreground app since it last ran is unknown.
    ///
    /// `isEnding`: systemd sends SIGCONT after SIGTERM, so only a gap that is longer than a beat proves a stop.
    package mutating func recordSuspension(_ now: TimeReading, isEnding: Bool = false) {
        if let lastRefresh, isEnding,
            now.monotonicMs - lastRefresh.monotonicMs <= (Self.heartbeat + Self.lateness).ms
        {
            return
        }
        recordGap(now)
        lastRefresh = now
        tick(now)
    }

    /// Sets the boot time of an additional confirmation. Nil means that nothing can be due.
    package mutating func setCheck(at moment: BootTime?) {
        check = moment.flatMap { $0 > (last?.at.boot ?? BootTime(ms: -1)) ? $0 : nil }
    }

    /// Begins another run, because activity-center has lost the present one.
    package mutating func beginRun(_ run: String) {
        self.run = run
        sequence = 0
    }

    // MARK: - Times of observations

    /// The boot time at which `tick` has something to do. `nil` if only an event can cause an observation.
    package var nextTick: BootTime? {
        guard canObserve != nil, let last else { return throttle.nextDue }
        if !throttle.isSettled { return throttle.nextDue }
        var next = BootTime.distantFuture
        if let beat = Self.heartbeatInterval(last.state.presence) { next = last.at.boot + beat }
        if last.state.presence == .active, let check { next = min(next, check) }
        if let notifiedAt { next = min(next, notifiedAt + Self.notificationWait) }
        return next == .distantFuture ? nil : next
    }

    package mutating func tick(_ now: TimeReading) {
        refresh(now)
        guard canObserve != nil else { return }
        for change in throttle.takeDue(now.boot) {
            report(change.state, at: change.at, now)
        }
        guard throttle.isSettled, let last, let next = nextTick, next <= now.boot else { return }
        report(last.state, at: now.boot, now, isBeat: true)
    }

    /// Ends the observation, because the agent ends.
    package mutating func end(_ now: TimeReading) {
        guard last != nil else { return }
        setCanObserve(false, now: now)
        // No later change can come within this millisecond.
        for change in throttle.takeDue(now.boot + ObservationThrottle.foldLength + .milliseconds(1)) {
            report(change.state, at: min(change.at, now.boot), now)
        }
    }

    /// True if no change waits for its time.
    package var isSettled: Bool { throttle.isSettled }

    package var hasReady: Bool { !ready.isEmpty }

    /// True if the ready observations contain only one confirmation. The loss of it costs at most one beat.
    package var hasOnlyHeartbeat: Bool {
        ready.count == 1 && ready[0].isHeartbeat && ready[0].notifications == nil
    }

    /// Returns the ready observations with their numbers, and removes them.
    package mutating func takeObservations(member: String, zone: String) -> [Observation] {
        defer { ready = [] }
        return ready.map { told in
            sequence += 1
            return Observation(
                sequence: sequence,
                bootId: bootID,
                at: told.at,
                zone: zone,
                member: member,
                presence: told.state.presence,
                app: told.state.app,
                domain: told.state.site,
                inputBootMs: told.lastInput?.ms,
                unbroken: told.isUnbroken ? true : nil,
                shielded: told.state.isShielded ? true : nil,
                notifications: told.notifications,
                busy: told.isBusy ? true : nil
            )
        }
    }

    /// The content of the last observation. `nil` before the first one.
    package var lastState: ObservedState? { last?.state }

    // MARK: - Observations

    /// Shortens a name to the limit of activity-center. An observation that activity-center always refuses would block
    /// all later ones.
    private static func sanitized(_ app: String) -> String? {
        guard app.utf8.count > UsageObserve.nameBytesMax else { return app.isEmpty ? nil : app }
        var kept = ""
        for character in app {
            guard kept.utf8.count + character.utf8.count <= UsageObserve.nameBytesMax else { break }
            kept.append(character)
        }
        return kept.isEmpty ? nil : kept
    }

    private static func heartbeatInterval(_ presence: Presence) -> Duration? {
        switch presence {
        case .active: heartbeat
        case .unobserved: unobservedHeartbeat
        default: nil
        }
    }

    private var currentState: ObservedState? {
        guard let canObserve else { return nil }
        var presence = presenceReport?.presence ?? .active
        // `hasSight` determines if the screen is observed, so these states of the session are ignored.
        if presence == .unobserved || presence == .unknown { presence = .active }
        switch presence {
        // The session reports these states itself.
        case .locked, .away, .suspended: return ObservedState(presence: presence)
        default: break
        }
        guard canObserve else { return ObservedState(presence: .unobserved) }
        return ObservedState(
            presence: presence,
            app: foregroundApp,
            site: site?.name,
            isShielded: site?.isShielded == true || foregroundApp.map(shieldedApps.contains) ?? false
        )
    }

    private mutating func recordChange(_ moment: BootTime, _ now: TimeReading) {
        refresh(now)
        if let sight = self.currentState {
            let notBefore = last?.at.boot ?? now.boot
            throttle.enqueue(sight, at: max(notBefore, min(moment, now.boot)))
        }
        tick(now)
    }

    private mutating func refresh(_ now: TimeReading) {
        // During active use the process runs every five seconds.
        if let lastRefresh, last?.state.presence == .active,
            now.monotonicMs - lastRefresh.monotonicMs > Self.stallMax.ms
        {
            recordGap(now)
        }
        lastRefresh = now
    }

    private mutating func recordGap(_ now: TimeReading) {
        guard let lastRefresh, let last, let sight = self.currentState else { return }
        // The session reports these states itself.
        guard ![.suspended, .unobserved].contains(last.state.presence) else { return }
        let start = max(lastRefresh.boot, last.at.boot)
        if Self.isResting(last.state.presence), Self.isResting(sight.presence) {
            if countsStops { restingStop = (start, now.boot) }
            return
        }
        applySuspension(from: start, to: now.boot)
        throttle.enqueue(sight, at: now.boot)
    }

    private static func isResting(_ presence: Presence) -> Bool { presence == .locked || presence == .away }

    private mutating func applySuspension(from start: BootTime, to end: BootTime) {
        guard countsStops else {
            return throttle.enqueue(ObservedState(presence: .unobserved), at: start)
        }
        throttle.enqueue(ObservedState(presence: .active, app: UsageObserve.unseenApp), at: start)
        stopEnd = end
    }

    private mutating func report(
        _ sight: ObservedState,
        at moment: BootTime,
        _ now: TimeReading,
        isBeat: Bool = false
    ) {
        let at = reading(moment, now)
        var told = Told(state: sight, at: at, isHeartbeat: isBeat)
        if let presenceReport {
            told.isBusy = presenceReport.isBusy && sight.presence == .active
            let lastInput = presenceReport.isInputContinuing ? at.boot : presenceReport.lastInput
            let zero = BootTime(ms: 0)
            told.lastInput = lastInput.map { max(zero, min(max($0, stopEnd ?? zero), at.boot)) }
        }
        if let last, last.state.presence == .active,
            at.monotonicMs - last.at.monotonicMs > Self.observationTimeout.ms
        {
            told.isUnbroken = true
        }
        addNotifications(&told)
        last = told
        if let check, check <= at.boot { self.check = nil }
        enqueue(told)
    }

    private mutating func addNotifications(_ told: inout Told) {
        guard !notificationCounts.isEmpty else { return }
        let apps = notificationCounts.keys.sorted().prefix(UsageObserve.notifyingAppsMax)
        told.notifications = Dictionary(uniqueKeysWithValues: apps.map { ($0, notificationCounts[$0] ?? 1) })
        for app in apps { notificationCounts[app] = nil }
        notifiedAt = notificationCounts.isEmpty ? nil : told.at.boot
    }

    /// Adds an observation. While the member is unknown, a confirmation replaces the one before it.
    private mutating func enqueue(_ told: Told) {
        var told = told
        if let before = ready.last, before.isHeartbeat, told.isHeartbeat, before.notifications == nil {
            ready.removeLast()
            told.isUnbroken = true
        }
        ready.append(told)
        guard ready.count > Self.readyMax else { return }
        // If the member stays unknown for too long, the oldest observations are dropped.
        ready.removeFirst(ready.count - Self.readyMax)
    }

    /// Returns the readings of all clocks at a moment in the recent past.
    private func reading(_ boot: BootTime, _ now: TimeReading) -> TimeReading {
        let ago = now.boot - boot
        var monotonicMs = now.monotonicMs - ago.ms
        if let last, monotonicMs < last.at.monotonicMs {
            // The machine slept between that moment and this one.
            monotonicMs = min(last.at.monotonicMs + (boot - last.at.boot).ms, now.monotonicMs)
        }
        return TimeReading(wallMs: (now.wall - ago).ms, bootMs: boot.ms, monotonicMs: max(0, monotonicMs))
    }
}

/// The content of one observation: the presence of a person, the foreground app and its site.
package struct ObservedState: Sendable, Hashable {
    package var presence: Presence
    package var app: String?
    /// The site of the foreground page, if the app is a browser that reports it.
    package var site: String?
    package var isShielded: Bool

    /// Drops the app unless the person is active.
    package init(presence: Presence, app: String? = nil, site: String? = nil, isShielded: Bool = false) {
        self.presence = presence
        self.app = presence == .active ? app : nil
        self.site = self.app == nil ? nil : site
        self.isShielded = isShielded && self.app != nil
    }
}

/// The presence of a person, combined from the session and the display.
package struct PresenceReport: Sendable, Equatable {
    package var presence: Presence
    /// The boot time since which this presence applies.
    package var since: BootTime
    /// The boot time of the last input. `nil` if it is unknown.
    package var lastInput: BootTime?
    /// True if there is input at every moment until the next `PresenceReport`.
    package var isInputContinuing: Bool
    /// True if a film, a call or a full-screen window is in the foreground.
    package var isBusy: Bool

    package init(
        _ presence: Presence,
        since: BootTime,
        lastInput: BootTime? = nil,
        inputGoesOn: Bool = false,
        isBusy: Bool = false
    ) {
        self.presence = presence
        self.since = since
        self.lastInput = lastInput
        self.isInputContinuing = inputGoesOn
        self.isBusy = isBusy
    }
}
