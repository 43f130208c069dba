import STDesktop
import STPlatform

extension WaylandDesk {
    // MARK: - What the compositor's list tells

    func changed(_ toplevel: Toplevel) {
        update(toplevel)
        decideFocus(atBootMs: Stopwatch.bootMilliseconds())
    }

    func gone(_ toplevel: Toplevel) {
        if coming?.id == toplevel.id { coming = nil }
        recent.removeAll { $0 == toplevel.id }
        if toplevel.told != nil {
            tell(.windowGone(toplevel.id))
        }
        if focus == toplevel.id { focus = nil; hasToldFocus = false }
        guard sway == nil else { return }
        decideFocus(atBootMs: Stopwatch.bootMilliseconds())
        board?.layAll()
    }

    /// Tells a window when there is something new of it.
    func update(_ toplevel: Toplevel) {
        guard isReady, toplevel.isComplete else { return }
        let window = window(toplevel)
        guard window != toplevel.told else { return }
        toplevel.told = window
        tell(.window(window))
        if let coming, coming.id == toplevel.id {
            self.coming = nil
            setFocus(coming.id, atBootMs: coming.atBootMs)
        }
    }

    private func window(_ toplevel: Toplevel) -> DesktopWindow {
        let known = toplevel.container.flatMap { number in tree?.windows.first { $0.container == number } }
        var window = DesktopWindow(id: toplevel.id)
        window.title = toplevel.title
        window.windowClass = toplevel.appID
        window.pid = known?.pid
        window.frame = known?.content
        window.outputs = outputs(of: toplevel, known).map(\.desktopOutput.name)
        window.isMinimized = toplevel.isMinimized || known?.isAway == true
        window.isFullscreen = toplevel.isFullscreen || known?.isFullscreen == true
        window.isShown = known?.isVisible ?? !window.isMinimized
        return window
    }

    private func outputs(of toplevel: Toplevel, _ known: SwayWindow?) -> [Output] {
        guard let known else { return toplevel.outputs.compactMap { outputs?[$0] } }
        guard !known.isAway else { return [] }
        return outputs?.all.filter { $0.frame.intersection(known.content) != nil } ?? []
    }

    // MARK: - What sway's tree tells

    func join(_ link: SwayLink) {
        sway = link
        link.onTree = { [weak self] in self?.take($0, $1) }
        link.onFocus = { [weak self] in self?.came($0, atBootMs: $1) }
        link.onEnd = { [weak self] in self?.swayGone() }
    }

    func swayGone() {
        sway = nil
        tree = nil
        for toplevel in toplevels?.all ?? [] where toplevel.told != nil { tell(.windowGone(toplevel.id)) }
        (focus, hasToldFocus, coming, recent) = (nil, false, nil, [])
        beginWindows()
        connection.sync { [weak self] in
            guard let self else { return }
            self.toplevels?.isBeginning = false
            if self.isReady { self.tell(.ready(self.abilities)) } else { self.ready() }
            self.board?.layAll()
        }
        flush()
    }

    private func take(_ tree: SwayTree, _ bootMs: Int64) {
        isMoving = self.tree?.windows != tree.windows || self.tree?.floating != tree.floating
        self.tree = tree
        toplevels?.follow(tree)
        if !isReady { ready() }
        for toplevel in toplevels?.all ?? [] { update(toplevel) }
        decideFocus(atBootMs: bootMs)
        board?.layAll()
        flush()
    }

    // MARK: - What is in front

    /// Whatever the compositor calls activated is in front.
    ///
    /// While a layer surface of ours (or a launcher) has the keyboard, sway 1.7 calls no window activated; its order
    /// of focus still says which one is in front of the others, and changes when the user goes elsewhere with the
    /// keys of the desktop.
    func decideFocus(atBootMs: Int64) {
        guard isReady else { return }
        if sway != nil {
            guard let front = tree?.front else { return setFocus(nil, atBootMs: atBootMs) }
            return came(front, atBootMs: atBootMs)
        }
        let active = (toplevels?.all ?? []).filter { $0.isActivated && $0.isComplete }
        if !active.isEmpty {
            // Two seats may each have one; the one that we know stays.
            if !active.contains(where: { $0.id == focus }), let first = active.first {
                bring(first.id, atBootMs: atBootMs)
            } else {
                coming = nil
            }
            return
        }
        // Our own cover has the keyboard, and what lies beneath is still what the user is at.
        if seat?.keySheet == nil { setFocus(nil, atBootMs: atBootMs) }
    }

    /// By its number in sway's tree; one that is not known yet comes with the next tree.
    private func came(_ container: Int64, atBootMs: Int64) {
        guard isReady, let toplevel = toplevels?.all.first(where: { $0.container == container }) else {
            return
        }
        bring(toplevel.id, atBootMs: atBootMs)
    }

    private func bring(_ id: WindowID, atBootMs: Int64) {
        guard focus != id else { return coming = nil }
        guard toplevels?[id]?.told != nil else {
            if coming?.id != id { coming = (id, atBootMs) }
            return
        }
        setFocus(id, atBootMs: atBootMs)
    }

    func setFocus(_ id: WindowID?, atBootMs: Int64) {
        coming = nil
        guard focus != id || !hasToldFocus else { return }
        focus = id
        hasToldFocus = true
        if let id {
            recent.removeAll { $0 == id }
            recent.insert(id, at: 0)
        }
        tell(.focus(id, atBootMs: atBootMs))
        board?.layAll()
    }

    func outputsChanged() {
        guard isReady, let outputs else { return }
        // One whose place has not been told yet is none yet.
        let now = outputs.all.map(\.desktopOutput).filter { !$0.frame.isEmpty }
        if now != toldOutputs {
            toldOutputs = now
            tell(.outputs(now))
        }
        for toplevel in toplevels?.all ?? [] { update(toplevel) }
        sway?.refresh()
        board?.layAll()
    }
}
