package import STContracts

/// Whether the user is there, from the events of the screen and of the session; no clock, no I/O.
///
/// What is widest wins: a computer that sleeps shows nothing; behind another user's session a lock makes no
/// difference; behind a lock nothing that plays is watched. Only then it matters whether the screen can be seen, and
/// whether anything was touched.
package struct PresenceMachine: Sendable, Equatable {
    /// A touch so soon after a request to lock comes from the person who made it.
    static let lockGraceMs: Int64 = 2_000
    /// How much later than due a screen may say that it is idle.
    static let idleSlackMs: Int64 = 10_000

    /// Beyond what it takes to be idle: a screen that is used for so long is not locked, no matter what is said.
    static let lockDoubtMs: Int64 = 60_000
    let idleAfterMs: Int64
    /// Films and the like count for so long after the last touch, and no longer.
    let watchingMs: Int64
    package private(set) var state: PresenceState
    private var isScreenKnown = false
    /// Since when nothing was touched, as the screen told it after a moment.
    private var quietSince: Int64?
    /// The same, as the screen told it after a long time.
    private var idleSince: Int64?
    /// From when on that counts: a user who unlocked without touching anything has been there as well.
    private var idleFrom: Int64 = 0
    private var lastInput: Int64?
    /// Until when a film or a call counted.
    private var watchedUntil: Int64 = 0
    private var isWatching = false
    /// The moment of the last input.
    private var toldBootMs: Int64 = 0
    private var isLocked = false
    /// Since when a locked screen has been in use without a pause; nil: it is not, or that is not known.
    private var usedLockedSince: Int64?
    /// The screen stayed in use for minutes: the lock does not count until the screen is unlocked.
    private var isLockHollow = false
    private var lockAskedAt: Int64?
    /// A lock was asked for, but the screen stayed in use: such a request alone proves nothing any more.
    private var areWishesHollow = false
    private var isInFront = true
    private var isAsleep = false
    private var inhibitors: [IdleInhibitor] = []
    private var playing: [MediaPlayer] = []
    private var front: FrontApp?

    package init(idleAfterMs: Int64, watchingMs: Int64, bootMs: Int64 = 0) {
        self.idleAfterMs = idleAfterMs
        self.watchingMs = watchingMs
        state = PresenceState(presence: .unobserved, sinceBootMs: bootMs, why: Self.unseen)
    }

    /// When `.time` is to be told at the latest; nil: nothing changes by itself.
    package var dueBootMs: Int64? {
        let idle = idleSince != nil && idleFrom > toldBootMs ? idleFrom : nil
        let lock = idleSince == nil ? lockAskedAt.map { lockEnd($0) } : nil
        let watched = attention != nil && idleSince != nil && watchEnd > toldBootMs ? watchEnd : nil
        return [idle, lock, lockDoubtEnd, watched].compactMap { $0 }.min()
    }

    /// True when the presence has changed.
    @discardableResult
    package mutating func take(_ input: PresenceInput, nowBootMs: Int64) -> Bool {
        var moment = nowBootMs
        switch input {
        case .quiet(let since): quietSince = max(quietSince ?? 0, max(0, min(since, nowBootMs)))
        case .idle(let since):
            let since = max(0, min(since, nowBootMs))
            idleSince = max(idleSince ?? 0, since)
            usedLockedSince = nil
            idleFrom = max(since, lastInput ?? 0) + idleAfterMs
            // The screen is right when there was no sign of the user since.
            if since >= lastInput ?? 0 { idleFrom = min(idleFrom, nowBootMs) }
            moment = idleFrom
        case .touched(let at), .input(let at):
            moment = min(at, nowBootMs)
            touch(moment)
        case .screen(let isKnown):
            isScreenKnown = isKnown
            beginUse(now: nowBootMs)
            if !isKnown {
                quietSince = nil
                idleSince = nil
                front = nil
            }
        case .session(let event): moment = take(event, nowBootMs)
        case .front(let app): front = app
        case .time: moment = min(dueBootMs ?? nowBootMs, nowBootMs)
        }
        toldBootMs = max(toldBootMs, nowBootMs)
        if let asked = lockAskedAt, idleSince == nil, nowBootMs >= lockEnd(asked) {
            lockAskedAt = nil
            areWishesHollow = true
        }
        if let end = lockDoubtEnd, nowBootMs >= end {
            isLockHollow = true
            usedLockedSince = nil
        }
        return settle(moment, nowBootMs)
    }

    // MARK: - What comes in

    /// From now on it counts again how long a locked screen is used: what was before says nothing.
    private mutating func beginUse(now: Int64) {
        let canBe = isLocked && !isLockHollow && isScreenKnown && isInFront && !isAsleep && idleSince == nil
        usedLockedSince = canBe ? now : nil
    }

    private var lockDoubtEnd: Int64? {
        usedLockedSince.map { lockEnd($0) + Self.lockDoubtMs }
    }

    /// When nothing that plays or holds off idleness counts any more.
    private var watchEnd: Int64 { max(idleSince ?? 0, lastInput ?? 0) + watchingMs }

    private func lockEnd(_ asked: Int64) -> Int64 { asked + idleAfterMs + Self.idleSlackMs }

    private mutating func touch(_ at: Int64) {
        guard at >= 0 else { return }
        lastInput = max(lastInput ?? 0, at)
        // An older touch is one from before it became quiet.
        if let since = quietSince, at > since { quietSince = nil }
        if let since = idleSince, at > since {
            idleSince = nil
            beginUse(now: at)
        }
        if let asked = lockAskedAt, at > asked + Self.lockGraceMs { lockAskedAt = nil }
    }

    /// The user was there without having touched anything that the screen saw.
    private mutating func arrive(_ at: Int64) {
        lastInput = max(lastInput ?? 0, at)
        idleFrom = at + idleAfterMs
    }

    /// The moment of the event.
    private mutating func take(_ event: SessionEvent, _ now: Int64) -> Int64 {
        switch event {
        case .locked(let flag, let at):
            let wasLocked = isLocked || lockAskedAt != nil
            if flag != isLocked {
                isLocked = flag
                isLockHollow = false
                beginUse(now: now)
            }
            lockAskedAt = nil
            if flag { areWishesHollow = false } else if wasLocked { arrive(min(at, now)) }
            return at
        case .lockAsked(let at):
            if !isLocked, !areWishesHollow { lockAskedAt = lockAskedAt ?? min(at, now) }
            return at
        case .unlockAsked(let at):
            if lockAskedAt != nil { arrive(min(at, now)) }
            lockAskedAt = nil
            return at
        case .inFront(let flag, let at):
            if flag, !isInFront { arrive(min(at, now)) }
            if flag != isInFront {
                isInFront = flag
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

    // MARK: - What follows

    private mutating func settle(_ moment: Int64, _ now: Int64) -> Bool {
        let wasWatching = isWatching
        isWatching = false
        let (presence, why) = judgement(now)
        if wasWatching, !isWatching { watchedUntil = max(watchedUntil, min(moment, now)) }
        let hasChanged = presence != state.presence
        if hasChanged {
            // Never before the last change, and never in the future.
            state.sinceBootMs = max(state.sinceBootMs, min(moment, now))
        }
        state.presence = presence
        state.why = why
        state.isBusy = presence == .active && (front?.isFullscreen == true || attention != nil)
        let signs = [lastInput, quietSince, idleSince].compactMap { $0 }
        state.inputBootMs = signs.isEmpty ? nil : max(signs.max() ?? 0, watchedUntil)
        state.inputGoesOn =
            isWatching || quietSince == nil && idleSince == nil && lastInput != nil && isScreenKnown
        return hasChanged
    }

    private static let unseen = "The screen cannot be seen."

    private mutating func judgement(_ now: Int64) -> (Presence, String) {
        if isAsleep { return (.suspended, "The computer sleeps.") }
        guard isInFront else { return (.away, "The session of another user is in front.") }
        if isLocked, !isLockHollow { return (.locked, "The screen is locked.") }
        if lockAskedAt != nil { return (.locked, "A program asked to lock the screen.") }
        guard isScreenKnown else { return (.unobserved, Self.unseen) }
        if isLockHollow, idleSince == nil {
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

    /// Why the user may be looking at the app in front without touching anything; nil: nothing says so.
    private var attention: String? {
        guard let front else { return nil }
        if playing.contains(where: { front.isPlaying($0) }) { return "\(front.id) plays in front." }
        if front.isFullscreen, playing.contains(where: { $0.pid == nil && $0.desktopEntry == nil }) {
            return "\(front.id) fills the screen while something plays."
        }
        let elsewhere = Set(playing.filter { !front.isPlaying($0) }.compactMap(\.pid))
        // What plays behind the app in front keeps the screen on for itself.
        let holder = inhibitors.first { inhibitor in
            guard let pid = inhibitor.pid else { return true }
            return front.pids.contains(pid) || !elsewhere.contains(pid) && !front.others.contains(pid)
        }
        return holder.map {
            "\($0.who) keeps the screen from being idle: \($0.why.isEmpty ? "no reason given" : $0.why)"
        }
    }
}

/// Whether the user is there, and since when.
package struct PresenceState: Sendable, Equatable {
    package var presence: Presence
    /// Since when it is so: of a touch its own moment, and not the later one when we heard of it.
    package var sinceBootMs: Int64
    /// When the last sign of a person was: a touch, or the end of a film; nil while there was none.
    package var inputBootMs: Int64?
    /// There is such a sign at every moment: keys or the pointer are touched, or a film plays.
    package var inputGoesOn = false
    /// A film, a call or something that fills the screen is in front: no moment for a break.
    package var isBusy = false
    /// One sentence for a person.
    package var why: String
}

/// What presence depends on; every moment is one of boot time.
package enum PresenceInput: Sendable, Equatable {
    /// As `DesktopEvent` tells them.
    case quiet(sinceBootMs: Int64)
    case idle(sinceBootMs: Int64)
    case touched(atBootMs: Int64)
    /// When something was touched last, where that was asked for.
    case input(atBootMs: Int64)
    /// Whether the screen can be seen at all: false before it is ready, and after it was lost.
    case screen(isKnown: Bool)
    case session(SessionEvent)
    /// Nil is the bare desktop.
    case front(FrontApp?)
    /// Nothing but that time has passed: it is `dueBootMs`.
    case time
}

/// The app in front, as far as presence depends on it.
package struct FrontApp: Sendable, Equatable {
    package var id: String
    /// All that belong to its windows, as well as that is known.
    package var pids: Set<Int32>
    package var isFullscreen: Bool
    /// The processes of other apps' windows: what they ask for is not for this one.
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

    /// By its process, by the desktop entry it says it has, or by its name on the bus, which a sandbox grants to
    /// no other app.
    func isPlaying(_ player: MediaPlayer) -> Bool {
        if let pid = player.pid, pids.contains(pid) { return true }
        let id = id.lowercased()
        if let entry = player.desktopEntry, entry.lowercased() == id { return true }
        let name = player.name.lowercased()
        return name == id || name.hasPrefix(id + ".instance")
    }
}
