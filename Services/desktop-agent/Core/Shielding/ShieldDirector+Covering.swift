import STContracts
import STDesktop
import STPlatform

/// Covers: one over every shown window of a shielded app, and none anywhere else.
extension ShieldDirector {
    /// After the screen or what is decided has changed.
    mutating func cover() {
        failures = failures.filter { scene.windows[$0.key] != nil }
        if !isStopping, scene.abilities.covers, scene.isKnown {
            var closing: [WindowID: PaneID] = [:]
            for pane in panes.values where pane.isClosing { closing[pane.window] = pane.id }
            // The one that somebody looks at comes first.
            if let focus = scene.focus, let seen = scene.windows[focus] { cover(seen, closing[focus]) }
            let bare = scene.windows.values.filter {
                $0.window.id != scene.focus && $0.window.isShown && paneApp($0.window.id) != $0.app?.id
            }
            for seen in bare.sorted(by: { $0.window.id.rawValue < $1.window.id.rawValue }) {
                cover(seen, closing[seen.window.id])
            }
        }
        for pane in panes.values where !pane.isClosing && !isWanted(pane) { close(pane.id) }
        for (id, app) in apps {
            let word = words[id] ?? .allowed
            guard app.word != word else { continue }
            turn(id, to: word)
        }
    }

    private func paneApp(_ window: WindowID) -> String? { paneOfWindow[window].flatMap { panes[$0]?.app } }

    /// A hidden window keeps its cover: then it comes back covered.
    private func isWanted(_ pane: ShieldPane) -> Bool {
        isShielded(pane.app) && scene.windows[pane.window]?.app?.id == pane.app
    }

    /// `closing` is one over the same window that is about to go.
    private mutating func cover(_ seen: SeenWindow, _ closing: PaneID?) {
        let window = seen.window.id
        guard seen.window.isShown, let app = seen.app, isShielded(app.id), paneApp(window) != app.id else {
            return
        }
        if let known = apps[app.id], isQuestion(window, of: known) { return }
        if let failure = failures[window], failure.againMs > now.bootMs { return }
        if apps[app.id] == nil { begin(app) }
        // Lifted and shielded again before it was gone.
        if let closing, panes[closing]?.app == app.id {
            panes[closing]?.isClosing = false
            // Asked for anew once nothing is held any more.
            if apps[app.id]?.hold ?? .free == .free { panes[closing]?.forgetHold() }
            paneOfWindow[window] = closing
            return
        }
        let pane = ShieldPane(id: nextPane(), window: window, app: app.id)
        panes[pane.id] = pane
        if let old = paneOfWindow[window] { close(old) }
        paneOfWindow[window] = pane.id
        let order = PaneOrder(
            id: pane.id,
            place: .over(window),
            background: background(of: app.id),
            name: sayings.pane(name(of: app.id)),
            takesKeys: true
        )
        act(.openPane(order))
    }

    private mutating func begin(_ app: AppIdentity) {
        let word = words[app.id] ?? .allowed
        var made = ShieldedApp(id: app.id, name: app.name, word: word)
        if let known = shelf[app.id], known.word.by == word.by, known.word.store == word.store {
            made.look = known
        }
        apps[app.id] = made
        step(app.id, word.by.map { "It is shielded by \($0)." } ?? "It is shielded.")
    }

    /// Somebody else shields it now, or nobody, or somebody again.
    private mutating func turn(_ app: String, to word: ShieldWord) {
        let old = apps[app]?.word
        apps[app]?.word = word
        if !word.isShielded {
            step(app, "Nothing shields it any more.")
            apps[app]?.showing = nil
            apps[app]?.escalation = ShieldEscalation()
            apps[app]?.closing = []
            apps[app]?.refusals = 0
            apps[app]?.call = CallWatch()
            apps[app]?.hasAsked = false
            apps[app]?.isMenuOpen = false
            apps[app]?.focus = nil
            apps[app]?.note = nil
        } else if old?.isShielded != true {
            step(app, word.by.map { "It is shielded by \($0)." } ?? "It is shielded.")
        }
        // What it looks like may be another app's word now.
        if word.isShielded, old?.by != word.by || old?.store != word.store {
            apps[app]?.asking = .no
            if old?.by != word.by { apps[app]?.look = nil }
            apps[app]?.isLate = false
        }
    }

    private mutating func close(_ id: PaneID) {
        guard let pane = panes[id], !pane.isClosing else { return }
        panes[id]?.isClosing = true
        if paneOfWindow[pane.window] == id { paneOfWindow[pane.window] = nil }
    }

    /// Covers that cover nothing go; those over something that is there, once their app runs.
    ///
    /// Says whether any went.
    mutating func takeDown() -> Bool {
        let count = panes.count
        for pane in panes.values.filter(\.isClosing).sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
            let isGone = scene.windows[pane.window] == nil
            guard isGone || apps[pane.app]?.hold ?? .free == .free else { continue }
            panes[pane.id] = nil
            act(.closePane(pane.id))
        }
        let used = Set(panes.values.map(\.app))
        for (id, app) in apps where !used.contains(id) && app.hold == .free && app.showing == nil {
            // Its cover could not be put up yet: what was tried is still told.
            if isShielded(id), scene.windows.values.contains(where: { $0.app?.id == id }) { continue }
            apps[id] = nil
        }
        return panes.count < count
    }

    // MARK: - What happens to them

    mutating func hear(_ event: PaneEvent, of id: PaneID) {
        guard let pane = panes[id] else { return }
        switch event {
        case .shown(let width, let height, let scale, _):
            let size = PaneSize(width: width, height: height, scale: scale)
            panes[id]?.size = size
            lastSize = size
            failures[pane.window] = nil
            if !pane.isMapped { step(pane.app, "\(pane.window) is covered.") }
            panes[id]?.isMapped = true
            // It is told again when it wants a picture.
            panes[id]?.painted = nil
            panes[id]?.paintedBytes = 0
        case .hidden: panes[id]?.isMapped = false
        case .hovered: break
        case .pressed(let spot): if !pane.isClosing { press(spot, pane.app) }
        case .key(let key): if !pane.isClosing { press(key, pane.app) }
        case .held(let isHeld, let why):
            panes[id]?.isHeld = isHeld
            if !isHeld {
                let reason = why ?? "The screen does not let go of its input."
                step(pane.app, "\(pane.window) does not hold input: \(reason)")
                apps[pane.app]?.notPaused = reason
                refuse(pane)
            } else {
                apps[pane.app]?.refusals = 0
            }
        case .failed(let sentence): fail(pane, sentence)
        }
    }

    /// Tried again, ever more slowly: nothing on the screen is a reason to give up.
    private mutating func fail(_ pane: ShieldPane, _ sentence: String) {
        panes[pane.id] = nil
        if paneOfWindow[pane.window] == pane.id { paneOfWindow[pane.window] = nil }
        // Whatever the screen still has of it goes: nobody would ever close it later.
        act(.closePane(pane.id))
        step(pane.app, "\(pane.window) could not be covered: \(sentence)")
        guard !pane.isClosing else { return }
        let count = (failures[pane.window]?.count ?? 0) + 1
        let waitMs = min(Self.coverAgainMsMax, Self.coverAgainMs << min(count - 1, 10))
        failures[pane.window] = (count, now.bootMs + waitMs)
        sceneHasChanged = true
    }
}
