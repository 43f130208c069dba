import STContracts
import STDesktop
import STPlatform

/// Buttons and keys of shields.
extension ShieldDirector {
    // MARK: - Keys

    mutating func press(_ key: PaneKey, _ id: String) {
        switch key {
        case .next: turnFocus(id, by: 1)
        case .previous: turnFocus(id, by: -1)
        case .press, .text(" "): if let spot = apps[id]?.focus { press(spot, id) }
        case .cancel:
            if apps[id]?.isMenuOpen == true {
                apps[id]?.isMenuOpen = false
                apps[id]?.focus = ShieldButton.secondary.rawValue
            } else {
                step(id, "Escape was pressed.")
                leave(id)
            }
        case .backspace, .text: break
        }
    }

    private mutating func turnFocus(_ id: String, by step: Int) {
        guard let app = apps[id] else { return }
        let ring = ring(of: app)
        guard !ring.isEmpty else { return }
        let place = app.focus.flatMap { ring.firstIndex(of: $0) }
        let next = place.map { ($0 + step + ring.count) % ring.count } ?? (step > 0 ? 0 : ring.count - 1)
        apps[id]?.focus = ring[next]
    }

    /// What can be pressed, in the order of reading.
    func ring(of app: ShieldedApp) -> [String] {
        guard let look = look(of: app)?.look else { return [] }
        if app.isMenuOpen {
            let entries: [ShieldButton] = [.firstSubmenu, .secondSubmenu, .thirdSubmenu]
            return entries.prefix(look.submenu.count).map(\.rawValue)
        }
        var ring = [ShieldButton.primary.rawValue]
        if look.secondary != nil { ring.append(ShieldButton.secondary.rawValue) }
        if more(of: app)?.label != nil { ring.append(DrawnSpot.moreTime) }
        return ring
    }

    // MARK: - Buttons

    mutating func press(_ spot: String, _ id: String) {
        guard let app = apps[id], isShielded(id) else { return }
        if spot == DrawnSpot.moreTime { return askForMore(id) }
        guard let button = ShieldButton(rawValue: spot), button != .unknown else { return }
        if button == .secondary, let look = look(of: app)?.look, !look.submenu.isEmpty {
            apps[id]?.isMenuOpen = !app.isMenuOpen
            let first = ShieldButton.firstSubmenu.rawValue
            if app.focus != nil { apps[id]?.focus = app.isMenuOpen ? button.rawValue : first }
            return
        }
        apps[id]?.isMenuOpen = false
        press(button, id)
    }

    mutating func press(_ button: ShieldButton, _ id: String) {
        if apps[id]?.showing == nil { beginShowing(id) }
        guard let showing = apps[id]?.showing, showing.pressing == nil else { return }
        guard let shield = showing.shield else {
            if case .asked = apps[id]?.asking, apps[id]?.isLate == false {
                // Its name is on its way.
                apps[id]?.showing?.waiting = button
                return
            }
            return unanswered(button, id)
        }
        let number = showing.presses + 1
        apps[id]?.showing?.presses = number
        apps[id]?.showing?.pressing = ShieldedApp.Pressing(
            button: button,
            number: number,
            deadlineMs: now.bootMs + Self.pressMs
        )
        step(id, "\(button.rawValue) was pressed.")
        order(.press(app: id, shield: shield, button: button, press: number))
    }

    /// Leaving needs nobody's word; everything else does.
    private mutating func unanswered(_ button: ShieldButton, _ id: String) {
        step(id, "\(button.rawValue) was pressed, and nobody answered.")
        if button == .primary { leave(id) } else { say(sayings.silent, id) }
    }

    mutating func hear(_ result: Result<ShieldPress.Reply, Problem>, _ press: Int64, _ id: String) {
        guard let pressing = apps[id]?.showing?.pressing, pressing.number == press else { return }
        apps[id]?.showing?.pressing = nil
        switch result {
        case .failure: unanswered(pressing.button, id)
        case .success(let reply):
            step(id, "The answer to \(pressing.button.rawValue) was \(reply.response.rawValue).")
            if let problem = reply.problem { say(sayings.refused(problem), id) }
            switch reply.response {
            case .close: leave(id)
            case .defer:
                guard let view = reply.view, let app = apps[id] else { return }
                let look = KnownLook(view, app.word, at: now)
                apps[id]?.look = look
                apps[id]?.focus = nil
                shelf.add(look, app: id)
            case .openApp: open(id)
            case .none, .unknown: break
            }
        }
    }

    /// Its windows go out of the way, and what was in front before comes back; the shield stays on them.
    private mutating func leave(_ id: String) {
        let windows = scene.windows(of: id).filter(\.window.isShown).map(\.window.id)
        apps[id]?.isMenuOpen = false
        apps[id]?.focus = nil
        step(id, "Its windows are put away.")
        if scene.abilities.minimizes, !windows.isEmpty { act(.minimize(windows)) }
        guard scene.abilities.activates else { return }
        let next = recent.first { window in
            guard let seen = scene.windows[window], seen.window.isShown, let app = seen.app else {
                return false
            }
            return app.id != id && !isShielded(app.id)
        }
        act(.activate(next))
    }

    /// The app that put the shield up, where it has a window; else a person opens it.
    private mutating func open(_ id: String) {
        guard let asking = apps[id]?.look?.view.app else { return }
        let windows = scene.windows(of: asking)
        let name = windows.first?.app?.name ?? asking
        guard scene.abilities.activates, let window = windows.first(where: \.window.isShown) ?? windows.first
        else {
            return say(sayings.open(name), id)
        }
        act(.activate(window.window.id))
    }

    // MARK: - More time

    /// The control below the look's own buttons, and the line beneath; nil where there is neither.
    func more(of app: ShieldedApp) -> DrawMore? {
        var label: String?
        // The system's own look may offer it itself.
        let isOffered = app.look.map { $0.view.source == .builtIn && $0.view.look.secondary != nil } ?? false
        if let offer, !isOffered, !app.hasAsked, !app.isAsking, look(of: app) != nil {
            switch offer {
            case .own(let mostMs, _): label = sayings.more(min(mostMs, Self.moreMs), isOwn: true)
            case .guardian: label = sayings.more(Self.moreMs, isOwn: false)
            }
        }
        guard label != nil || app.note != nil else { return nil }
        return DrawMore(label: label, note: app.note, isFocused: app.focus == DrawnSpot.moreTime ? true : nil)
    }

    private mutating func askForMore(_ id: String) {
        guard let app = apps[id], !app.isAsking, let offer else { return }
        var durationMs = Self.moreMs
        if case .own(let mostMs, _) = offer { durationMs = min(mostMs, durationMs) }
        apps[id]?.isAsking = true
        apps[id]?.focus = nil
        say(sayings.asking, id)
        step(id, "More time was asked for.")
        order(.requestTime(app: id, shield: app.showing?.shield, durationMs: durationMs))
    }

    mutating func hear(_ result: Result<RequestAdd.Reply, Problem>, _ id: String) {
        guard apps[id]?.isAsking == true else { return }
        apps[id]?.isAsking = false
        switch result {
        case .success(let reply):
            apps[id]?.hasAsked = true
            say(sayings.asked(reply.request), id, stays: true)
            step(id, "\(reply.request.request) asks for more time.")
        case .failure(let problem):
            say(sayings.refused(problem), id)
            step(id, "More time could not be asked for: \(problem.message)")
        }
    }

    /// One line on the shield.
    private mutating func say(_ note: String, _ id: String, stays: Bool = false) {
        apps[id]?.note = note
        apps[id]?.noteUntilMs = stays ? .max : now.bootMs + Self.noteMs
    }
}
