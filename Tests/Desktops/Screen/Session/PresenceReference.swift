import STContracts
import STPlatform
import STScreen

extension BootTime {
    static func ms(_ ms: Int64) -> BootTime { BootTime(ms: ms) }
}

/// Presence as the README specifies it, computed from the whole history again for each moment.
struct PresenceReference {
    let idleAfter: Duration
    let watching: Duration
    var history: [(input: PresenceInput, now: BootTime)] = []

    private var last: Int { history.count - 1 }

    /// Returns the newest result of the closure, up to and including one step.
    private func newest<T>(_ upTo: Int, _ find: (PresenceInput) -> T?) -> T? {
        guard upTo >= 0 else { return nil }
        return history[...upTo].reversed().compactMap { find($0.input) }.first
    }

    private func event<T>(_ upTo: Int, _ find: (SessionEvent) -> T?) -> T? {
        newest(upTo) { if case .session(let event) = $0 { find(event) } else { nil } }
    }

    private func touch(_ index: Int) -> BootTime? {
        switch history[index].input {
        case .touched(let at), .input(let at):
            let moment = min(at, history[index].now)
            return moment >= .ms(0) ? moment : nil
        default: return nil
        }
    }

    private func isLocked(_ upTo: Int) -> Bool {
        event(upTo) { if case .locked(let flag, _) = $0 { flag } else { nil } } ?? false
    }

    private func isInFront(_ upTo: Int) -> Bool {
        event(upTo) { if case .inFront(let flag, _) = $0 { flag } else { nil } } ?? true
    }

    /// Returns the moments at which the screen reported the user as away, without a later sign of the user.
    private func idles(_ upTo: Int) -> [BootTime] {
        untouched(upTo) { if case .idle(let since) = $0 { since } else { nil } }
    }

    /// The same for the moments after which the screen is quiet.
    private var quiets: [BootTime] {
        untouched(last) { if case .quiet(let since) = $0 { since } else { nil } }
    }

    private func untouched(_ upTo: Int, _ find: (PresenceInput) -> BootTime?) -> [BootTime] {
        var open: [BootTime] = []
        for index in 0..<(upTo + 1) {
            if let since = find(history[index].input) {
                open.append(max(.ms(0), min(since, history[index].now)))
            } else if case .screen(false) = history[index].input {
                open = []
            } else if let at = touch(index), open.allSatisfy({ at > $0 }) {
                open = []
            }
        }
        return open
    }

    /// Returns the request to lock that applies after a step, and whether requests are no longer credible.
    private func wish(_ upTo: Int) -> (asked: BootTime?, isHollow: Bool) {
        var asked: BootTime?
        var isHollow = false
        for index in 0..<(upTo + 1) {
            let now = history[index].now
            if case .session(let event) = history[index].input {
                switch event {
                case .locked(let flag, _): (asked, isHollow) = (nil, flag ? false : isHollow)
                case .unlockAsked: asked = nil
                case .lockAsked(let at) where asked == nil && !isHollow && !isLocked(index):
                    asked = min(at, now)
                default: break
                }
            }
            if let wished = asked, let at = touch(index), at > wished + .seconds(2) { asked = nil }
            if let wished = asked, now >= wished + idleAfter + .seconds(10), idles(index).isEmpty {
                (asked, isHollow) = (nil, true)
            }
        }
        return (asked, isHollow)
    }

    /// True if a lock is no longer credible, because the screen was used while it applied.
    private var isLockHollow: Bool {
        var used: BootTime?
        var isHollow = false
        var (isFront, sleeps, isLocked, isKnown) = (true, false, false, false)
        for index in history.indices {
            let now = history[index].now
            let state = (isFront, sleeps, isLocked, isKnown)
            var begins: BootTime?
            switch history[index].input {
            case .idle: used = nil
            case .touched, .input:
                if !idles(index - 1).isEmpty, idles(index).isEmpty { begins = touch(index) }
            case .screen(let flag): (isKnown, begins) = (flag, now)
            case .session(.sleeping): (sleeps, begins) = (true, now)
            case .session(.woken): (sleeps, begins) = (false, now)
            case .session(.inFront(let flag, _)): isFront = flag
            case .session(.locked(let flag, _)): isLocked = flag
            default: break
            }
            if isLocked != state.2 { isHollow = false }
            if isFront != state.0 || isLocked != state.2 { begins = now }
            if let begins {
                let canBe = isLocked && !isHollow && isKnown && isFront && !sleeps
                used = canBe && idles(index).isEmpty ? begins : nil
            }
            if let since = used, now >= since + idleAfter + .seconds(70) { (used, isHollow) = (nil, true) }
        }
        return isHollow
    }

    /// Returns the moment at which the user returned without input, at one step.
    private func arrival(_ index: Int) -> BootTime? {
        guard case .session(let event) = history[index].input else { return nil }
        let now = history[index].now
        switch event {
        case .locked(false, let at) where isLocked(index - 1) || wish(index - 1).asked != nil:
            return min(at, now)
        case .unlockAsked(let at) where wish(index - 1).asked != nil: return min(at, now)
        case .inFront(true, let at) where !isInFront(index - 1): return min(at, now)
        default: return nil
        }
    }

    private func sign(_ upTo: Int) -> BootTime? {
        guard upTo >= 0 else { return nil }
        return (0...upTo).compactMap { touch($0) ?? arrival($0) }.max().map { max($0, .ms(0)) }
    }

    /// The last input, apart from films.
    var input: BootTime? { ([sign(last)] + idles(last) + quiets).compactMap { $0 }.max() }

    var presence: Presence {
        let now = history[last].now
        let sleeps = event(last) { event -> Bool? in
            switch event {
            case .sleeping: true
            case .woken: false
            default: nil
            }
        }
        if sleeps == true { return .suspended }
        if !isInFront(last) { return .away }
        if isLocked(last) && !isLockHollow || wish(last).asked != nil { return .locked }
        guard newest(last, { if case .screen(let flag) = $0 { flag } else { nil } }) == true else {
            return .unobserved
        }
        if idles(last).isEmpty { return .active }
        for index in stride(from: last, through: 0, by: -1) {
            if let at = arrival(index) {
                if now < at + idleAfter { return .active }
                break
            }
            guard case .idle(let told) = history[index].input else { continue }
            let since = max(.ms(0), min(told, history[index].now))
            let before = sign(index - 1) ?? .ms(0)
            // The screen's report applies immediately if there was no sign of the user since.
            let from =
                since >= before ? min(since + idleAfter, history[index].now) : before + idleAfter
            if now < from { return .active }
            break
        }
        let lastSign = max(idles(last).max() ?? .ms(0), sign(last) ?? .ms(0))
        return isWatched && now < lastSign + watching ? .active : .idle
    }

    var isWatched: Bool {
        let front = newest(last) { input -> FrontApp?? in
            switch input {
            case .front(let app): .some(app)
            case .screen(false): .some(nil)
            default: nil
            }
        }
        guard let app = front ?? nil else { return false }
        let playing: [MediaPlayer] =
            event(last) { if case .playing(let list, _) = $0 { list } else { nil } } ?? []
        let inhibitors: [IdleInhibitor] =
            event(last) { if case .inhibitors(let list, _) = $0 { list } else { nil } } ?? []
        let mine = playing.filter {
            $0.desktopEntry == app.id || app.pids.contains($0.pid ?? -1) || $0.name == app.id
        }
        if !mine.isEmpty { return true }
        if app.isFullscreen, playing.contains(where: { $0.pid == nil && $0.desktopEntry == nil }) {
            return true
        }
        return inhibitors.contains { inhibitor in
            let isPlayers = playing.contains { $0.pid != nil && $0.pid == inhibitor.pid }
            let isOthers = app.others.contains(inhibitor.pid ?? -1)
            return app.pids.contains(inhibitor.pid ?? -1) || !isPlayers && !isOthers
        }
    }
}
