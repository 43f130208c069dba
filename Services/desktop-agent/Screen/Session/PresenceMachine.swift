package import STContracts
package import STPlatform

/// Determines the user's presence from events of the screen and the session. Uses no clock and performs no I/O.
///
/// The states have an order of precedence: sleep, another user's session, a locked screen, an unobservable screen. User input and
/// media count only if none of these applies.
package struct PresenceMachine: Sendable, Equatable {
    /// Input so soon after a lock request comes from the person who made the request.
    static let lockGrace = Duration.seconds(2)
    /// Upper bound on the delay of an idle event.
    static let idleSlack = Duration.seconds(10)

    /// Use beyond the idle time after which a lock report is ignored, because a locked screen cannot be used for so long.
    static let lockDoubt = Duration.seconds(60)
    let idleAfter: Duration
    /// Time after the last input during which media counts as presence.
    let watching: Duration
    package private(set) var state: PresenceState
    private var isScreenKnown = false
    /// The moment of the last input, reported after a short time without input.
    private var quietSince: BootTime?
    /// The moment of the last input, reported after the idle time.
    private var idleSince: BootTime?
    /// The moment from which `idleSince` makes the user idle. Unlocking without other input delays it.
    private var idleFrom = BootTime.start
    private var lastInput: BootTime?
    /// The end of the last film or call that counted as presence.
    private var watchedUntil = BootTime.start
    private var isWatching = false
    /// The moment of the last call to `take`.
    private var reportedAt = BootTime.start
    private var isLocked = false
    /// The start of uninterrupted use of a locked screen. `nil` if it is not in use or that is unknown.
    private var usedLockedSince: BootTime?
    /// True if the screen stayed in use for minutes. The lock is ignored until the screen is unlocked.
    private var isLockIgnored = false
    private var lockRequestedAt: BootTime?
    /// True if the screen stayed in use after a lock request. Later requests are ignored until a real lock.
    private var areInhibitorsIgnored = false
    private var isActiveSession = true
    private var isAsleep = false
    private var inhibitors: [IdleInhibitor] = []
    private var playing: [MediaPlayer] = []
    private var foregroundApp: FrontApp?

    package init(idleAfter: Duration, watching: Duration, now: BootTime = BootTime(ms: 0)) {
        self.idleAfter = idleAfter
        self.watching = watching
        state = PresenceState(presence: .unobserved, since: now, why: Self.unseen)
    }

    /// The latest moment for the next `.time` input. `nil` if time does not change the presence.
    package var due: BootTime? {
        let idle = idleSince != nil && idleFrom > reportedAt ? idleFrom : nil
        let lock = idleSince == nil ? lockRequestedAt.map { lockEnd($0) } : nil
        let watched = attention != nil && idleSince != nil && watchEnd > reportedAt ? watchEnd : nil
        return [idle, lock, lockDoubtEnd, watched].compactMap { $0 }.min()
    }

    /// Handles an input. Returns true if the presence has changed.
    @discardableResult
    package mutating func apply(_ input: PresenceInput, now: BootTime) -> Bool {
        var moment = now
        switch input {
        case .quiet(let since): quietSince = max(quietSince ?? .start, max(.start, min(since, now)))
        case .idle(let since):
            let since = max(.start, min(since, now))
            idleSince = max(idleSince ?? .start, since)
            usedLockedSince = nil
            idleFrom = max(since, lastInput ?? .start) + idleAfter
            // The screen is right if there was no sign of the user since then.
            if since >= lastInput ?? .start { idleFrom = min(idleFrom, now) }
            moment = idleFrom
        case .touched(let at), .input(let at):
            moment = min(at, now)
            recordInput(moment)
        case .screen(let isKnown):
            isScreenKnown = isKnown
            beginUse(now: now)
            if !isKnown {
                quietSince = nil
                idleSince = nil
                foregroundApp = nil
            }
        case .session(let event): moment = apply(event, now)
        case .front(let app): foregroundApp = app
        case .timeElapsed: moment = min(due ?? now, now)
        }
        reportedAt = max(reportedAt, now)
        if let asked = lockRequestedAt, idleSince == nil, now >= lockEnd(asked) {
            lockRequestedAt = nil
            areInhibitorsIgnored = true
        }
        if let end = lockDoubtEnd, now >= end {
            isLockIgnored = true
            usedLockedSince = nil
        }
        return reconcile(moment, now)
    }

    // MARK: - Inputs

    /// Restarts the measurement of use of a locked screen, because the earlier use is no evidence any more.
    private mutating func beginUse(now: BootTime) {
        let canBe =
            isLocked && !isLockIgnored && isScreenKnown && isActiveSession && !isAsleep && idleSince == nil
        usedLockedSince = canBe ? now : nil
    }

    private var lockDoubtEnd: BootTime? {
        usedLockedSince.map { lockEnd($0) + Self.lockDoubt }
    }

    /// The moment from which media players and inhibitors no longer count.
    private var watchEnd: BootTime { max(idleSince ?? .start, lastInput ?? .start) + watching }

    private func lockEnd(_ asked: BootTime) -> BootTime { asked + idleAfter + Self.idleSlack }

    private mutating func recordInput(_ at: BootTime) {
        guard at >= .start else { return }
        lastInput = max(lastInput ?? .start, at)
        // Older input precedes the quiet period.
        if let since = quietSince, at > since { quietSince = nil }
        if let since = idleSince, at > since {
            idleSince = nil
            beginUse(now: at)
        }
        if let asked = lockRequestedAt, at > asked + Self.lockGrace { lockRequestedAt = nil }
    }

    /// Records that the user was present without input that the screen reported.
    private mutating func recordReturn(_ at: BootTime) {
        lastInput = max(lastInput ?? .start, at)
        idleFrom = at + idleAfter
    }

    /// Handles a session event and returns its moment.
    private mutating func apply(_ event: SessionEvent, _ now: BootTime) -> BootTime {
        switch event {
        case .locked(let flag, let at):
            let wasLocked = isLocked || lockRequestedAt != nil
            if flag != isLocked {
                isLocked = flag
                isLockIgnored = false
                beginUse(now: now)
            }
            lockRequestedAt = nil
            if flag { areInhibitorsIgnored = false } else if wasLocked { recordReturn(min(at, now)) }
            return at
        case .lockAsked(let at):
            if !isLocked, !areInhibitorsIgnored { lockRequestedAt = lockRequestedAt ?? min(at, now) }
            return at
        case .unlockAsked(let at):
            if lockRequestedAt != nil { recordReturn(min(at, now)) }
            lockRequestedAt = nil
            return at
        case .inFront(let flag, let at):
            if flag, !isActiveSession { recordReturn(min(at, now)) }
            if flag != isActiveSession {
                isActiveSession = flag
                beginUse(now: now)
            }
            return at
        case .sleeping(let at):
            isAsleep = true
            beginUse(now: now)
            return at
        case .woken(let at):
            isAsleep = false
            beginUse(now: now)
            return at
        case .inhibitors(let list, let at):
            inhibitors = list
            return at
        case .playing(let list, let at):
            playing = list
            return at
        case .notified, .notifications: return now
        }
    }

    // MARK: - Conclusions

    private mutating func reconcile(_ moment: BootTime, _ now: BootTime) -> Bool {
        let wasWatching = isWatching
        isWatching = false
        let (presence, why) = evaluate(now)
        if wasWatching, !isWatching { watchedUntil = max(watchedUntil, min(moment, now)) }
        let hasChanged = presence != state.presence
        if hasChanged {
            // Never before the last change, and never in the future.
            state.since = max(state.since, min(moment, now))
        }
        state.presence = presence
        state.why = why
        state.isBusy = presence == .active && (foregroundApp?.isFullscreen == true || attention != nil)
        let signs = [lastInput, quietSince, idleSince].compactMap { $0 }
        state.lastInput = signs.isEmpty ? nil : max(signs.max() ?? .start, watchedUntil)
        state.isInputContinuing =
            isWatching || quietSince == nil && idleSince == nil && lastInput != nil && isScreenKnown
        return hasChanged
    }

    private static let unseen = "The screen cannot be seen."

    private mutating func evaluate(_ now: BootTime) -> (Presence, String) {
        if isAsleep { return (.suspended, "The computer sleeps.") }
        guard isActiveSession else { return (.away, "The session of another user is in front.") }
        if isLocked, !isLockIgnored { return (.locked, "The screen is locked.") }
        if lockRequestedAt != nil { return (.locked, "A program asked to lock the screen.") }
        guard isScreenKnown else { return (.unobserved, Self.unseen) }
        if isLockIgnored, idleSince == nil {
            return (
                .active,
                "The screen was reported as locked but stayed in use for minutes, so it does not count as locked."
            )
        }
        guard idleSince != nil else {
            return (.active, "A key or the pointer was touched a short while ago.")
        }
        guard now >= idleFrom else { return (.active, "The user came back a short while ago.") }
        if now < watchEnd, let reason = attention {
            isWatching = true
            return (.active, "Nothing was touched for a while, but \(reason)")
        }
        return (.idle, "Nothing was touched for a while.")
    }

    /// The reason that the user may watch the foreground app without input. `nil` if there is none.
    private var attention: String? {
        guard let foregroundApp else { return nil }
        if playing.contains(where: { foregroundApp.isPlaying($0) }) {
            return "\(foregroundApp.id) plays in front."
        }
        if foregroundApp.isFullscreen, playing.contains(where: { $0.pid == nil && $0.desktopEntry == nil }) {
            return "\(foregroundApp.id) fills the screen while something plays."
        }
        let elsewhere = Set(playing.filter { !foregroundApp.isPlaying($0) }.compactMap(\.pid))
        // A background player keeps the screen on for itself.
        let holder = inhibitors.first { inhibitor in
            guard let pid = inhibitor.pid else { return true }
            return foregroundApp.pids.contains(pid)
                || !elsewhere.contains(pid) && !foregroundApp.others.contains(pid)
        }
        return holder.map {
            "\($0.who) keeps the screen from being idle: \($0.why.isEmpty ? "no reason given" : $0.why)"
        }
    }
}

/// The presence of the user, and the moment of its last change.
package struct PresenceState: Sendable, Equatable {
    package var presence: Presence
    /// The moment of the last change. For input, it is the moment of the input, not of its report.
    package var since: BootTime
    /// The moment of the last sign of a person: input, or the end of a film. `nil` if there was none.
    package var lastInput: BootTime?
    /// True if there is a continuous sign: the user is active at keyboard or pointer, or a film plays.
    package var isInputContinuing = false
    /// True if a film, a call or a fullscreen app is in the foreground, so that it is a bad moment for a break.
    package var isBusy = false
    /// The reason, as one sentence for people.
    package var why: String
}

/// An input of `PresenceMachine`.
package enum PresenceInput: Sendable, Equatable {
    /// The event of the same name in `DesktopEvent`.
    case quiet(since: BootTime)
    case idle(since: BootTime)
    case touched(at: BootTime)
    /// The moment of the last input, from a request.
    case input(at: BootTime)
    /// True if the screen can be observed. False before it is ready, and after it was lost.
    case screen(isKnown: Bool)
    case session(SessionEvent)
    /// `nil` is the bare desktop.
    case front(FrontApp?)
    /// Only time has passed: `due` is reached.
    case timeElapsed
}

/// The properties of the foreground app that affect presence.
package struct FrontApp: Sendable, Equatable {
    package var id: String
    /// The known processes of the app's windows.
    package var pids: Set<Int32>
    package var isFullscreen: Bool
    /// The processes of other apps' windows, whose inhibitors do not count for this app.
    package var others: Set<Int32>

    package init(
        id: String,
        pids: Set<Int32> = [],
        isFullscreen: Bool = false,
        others: Set<Int32> = []
    ) {
        self.id = id
        self.pids = pids
        self.isFullscreen = isFullscreen
        self.others = others
    }

    /// Matches the process, the reported desktop entry, or the bus name, which a sandbox grants to no other app.
    func isPlaying(_ player: MediaPlayer) -> Bool {
        if let pid = player.pid, pids.contains(pid) { return true }
        let id = id.lowercased()
        if let entry = player.desktopEntry, entry.lowercased() == id { return true }
        let name = player.name.lowercased()
        return name == id || name.hasPrefix(id + ".instance")
    }
}
