import STContracts
import STDesktop
import STPlatform

/// Showings and looks: a shield before a person is counted once, and gets its look from whoever put it up.
extension ShieldDirector {
    mutating func show() {
        // A cover that takes the keys stands for the window beneath.
        let front = front.app(in: scene, panes: panes.values.count { $0.isMapped && !$0.isClosing })
        for id in apps.keys.sorted() {
            if let pressing = apps[id]?.showing?.pressing, pressing.deadlineMs <= now.bootMs {
                let problem = Problem("unavailable", sayings.silent, retryable: true)
                hear(.failure(problem), pressing.number, id)
            }
            if apps[id]?.note != nil, let until = apps[id]?.noteUntilMs, until <= now.bootMs {
                apps[id]?.note = nil
            }
            show(id, isInFront: id == front)
        }
    }

    private mutating func show(_ id: String, isInFront: Bool) {
        guard let app = apps[id] else { return }
        guard isShielded(id) else {
            apps[id]?.showing = nil
            return
        }
        if isInFront {
            if app.showing == nil {
                // Behind a cover that cannot be put up nobody is kept out.
                guard panes.values.contains(where: { $0.app == id && !$0.isClosing }) else { return }
                beginShowing(id)
            } else {
                apps[id]?.showing?.leftMs = nil
            }
        } else if let showing = app.showing {
            if showing.leftMs == nil { apps[id]?.showing?.leftMs = now.bootMs }
            if let left = apps[id]?.showing?.leftMs, now.bootMs - left >= Self.leaveMs {
                step(id, "It was left.")
                endShowing(id)
            }
        }
        ask(id)
    }

    mutating func beginShowing(_ id: String) {
        let ticket = nextTicket()
        apps[id]?.showing = ShieldedApp.Showing(ticket: ticket, startedMs: now.bootMs)
        askLook(id, ticket, counts: true)
        // A guardian may have changed the rule since the last time.
        order(.askOffer)
    }

    private mutating func endShowing(_ id: String) {
        apps[id]?.showing = nil
        apps[id]?.focus = nil
        apps[id]?.isMenuOpen = false
    }

    private mutating func askLook(_ id: String, _ ticket: Int64, counts: Bool) {
        apps[id]?.asking = .asked(ticket: ticket, deadlineMs: now.bootMs + Self.lookMs)
        let word = apps[id]?.word
        apps[id]?.asked = word
        order(.askLook(app: id, ticket: ticket, counts: counts, wallMs: now.wallMs))
    }

    /// A cover beside others has a look too, and nobody stands before it; and who did not answer is asked again.
    private mutating func ask(_ id: String) {
        guard let app = apps[id] else { return }
        switch app.asking {
        case .done:
            // It stands there since yesterday and still says tomorrow, or a rule was changed meanwhile.
            guard let staleMs = app.look?.staleMs(app.word), staleMs <= now.bootMs, isUp(id) else { return }
            askLook(id, nextTicket(), counts: false)
        case .asked(_, let deadlineMs):
            guard deadlineMs <= now.bootMs, !app.isLate else { return }
            apps[id]?.isLate = true
            step(id, "Its look is late, so the system's own is shown.")
        case .failed(let againMs):
            guard againMs <= now.bootMs else { return }
            let isCounted = app.showing == nil || app.showing?.shield != nil
            askLook(id, app.showing?.ticket ?? nextTicket(), counts: !isCounted)
        case .no:
            // Also with one from the shelf: that is what was told of another time.
            guard isUp(id) else { return }
            askLook(id, nextTicket(), counts: false)
        }
    }

    /// Whether it covers anything on the screen.
    func isUp(_ id: String) -> Bool { panes.values.contains { $0.app == id && $0.isMapped } }

    mutating func hear(_ outcome: LookOutcome, _ ticket: Int64, _ id: String) {
        guard let app = apps[id] else { return }
        let isCurrent: Bool
        if case .asked(let asked, _) = app.asking { isCurrent = asked == ticket } else { isCurrent = false }
        switch outcome {
        case .look(let view, let shield):
            // As of the question: what has changed since is asked for again.
            let look = KnownLook(view, app.asked ?? app.word, at: now)
            shelf.add(look, app: id)
            if let shield, app.showing?.ticket == ticket {
                apps[id]?.showing?.shield = shield
                step(id, "It is shown as \(shield).")
            }
            guard isCurrent else { return }
            apps[id]?.look = look
            apps[id]?.asking = .done
            apps[id]?.isLate = false
            if let waiting = app.showing?.waiting, shield != nil {
                apps[id]?.showing?.waiting = nil
                press(waiting, id)
            }
        case .lifted, .failed:
            guard isCurrent else { return }
            // Who knows of no shield will soon be heard of; until then this one stays.
            apps[id]?.asking = .failed(againMs: now.bootMs + Self.lookAgainMs)
            if case .failed(let problem) = outcome {
                apps[id]?.isLate = true
                step(id, "shield-service gave no look: \(problem.message)")
            }
            if let waiting = app.showing?.waiting {
                apps[id]?.showing?.waiting = nil
                press(waiting, id)
            }
        }
    }

    /// What there is to be seen of a shield now; nil: its colour alone.
    func look(of app: ShieldedApp) -> (look: ShieldLook, key: LookKey)? {
        if let known = app.look { return (known.view.look, known.key) }
        guard app.isLate else { return nil }
        return systemLook(app.name ?? app.id)
    }

    func systemLook(_ name: String) -> (look: ShieldLook, key: LookKey) {
        let look = SystemLook.look(name: name, language: settings.language)
        return (look, LookKey(look))
    }

    /// The colour that is there before any picture.
    func background(of app: String) -> UInt32 {
        let base = settings.appearance == .dark ? UInt32(0xFF1C_1C1E) : 0xFFF2_F2F7
        let known = apps[app]?.look ?? shelf[app]
        guard let color = known?.view.look.background else { return base }
        return PaneColor.opaque(settings.appearance == .dark ? color.dark : color.light, over: base) ?? base
    }
}
