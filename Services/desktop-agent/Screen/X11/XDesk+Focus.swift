import Glibc
import STCScreen
import STDesktop
import STPlatform

/// Which window is in front.
extension XDesk {
    private static let depthMax = 8
    private static let bareMs: Int64 = 40

    func readFocus(serverMs: UInt32) {
        focusChange = nil
        let ageMs = clock.age(ofServerMs: serverMs, nowMonotonicMs: Stopwatch.milliseconds())
        let atMs = nowBootMs - ageMs
        let found = windowInFront()
        // It may have been new to us.
        refreshWindows()
        let now = found.flatMap { windows[$0] == nil ? nil : $0 }
        guard now != focus || focusIsGone || !isReady else { return bareSinceMs = nil }
        guard now != nil || !isReady || isBareForSure(sinceMs: atMs) else { return }
        let sinceMs = now == nil ? bareSinceMs ?? atMs : atMs
        let before = focus
        focus = now
        if let now { becomeApp(now) }
        focusIsGone = false
        frontSinceServerMs = serverMs
        bareSinceMs = nil
        heard(.focus(now.map(XWindow.name), atBootMs: sinceMs))
        // Whoever is in front can be seen, whatever it says.
        for id in [before, now].compactMap({ $0 }) where windows[id]?.told != nil { tell(id) }
        for id in [before, now].compactMap({ $0 }) { markPanes(over: id) }
        for id in panes.keys { leaveKeys(id) }
    }

    /// Panels and menus are not worked in; the desktop itself is clicked on now and then.
    private func becomeApp(_ id: UInt32) {
        guard let window = windows[id], window.now.isChrome else { return }
        let isDesktop =
            window.isGround
            && window.now.frame.map { frame in
                outputs.contains { frame.width >= $0.frame.width && frame.height >= $0.frame.height }
            } ?? false
        guard !isDesktop else { return }
        windows[id]?.take(isNamedChrome: false)
        tell(id)
    }

    /// Between two windows some managers have none in front for a moment, which nobody sees.
    private func isBareForSure(sinceMs: Int64) -> Bool {
        if let bareSinceMs { return nowBootMs - bareSinceMs >= Self.bareMs }
        bareSinceMs = sinceMs
        loop.after(milliseconds: Self.bareMs + 1) { [weak self] in
            guard let self, bareSinceMs != nil else { return }
            focusChange = focusChange ?? 0
        }
        return false
    }

    private func windowInFront() -> UInt32? {
        guard manager.keepsHints else { return windowWithInput() }
        let words = connection.property(connection.root, connection.atoms[.activeWindow], words: 1)?.words
        guard let active = words?.first, active != 0, active != connection.root else {
            return windowBehindPane()
        }
        guard paneOfWindow[active] == nil else { return windowBehindPane() }
        // Some make a window active before they list it, some never list it.
        if windows[active] == nil { adopt(active, isExtra: true) }
        return active
    }

    /// Our panes are no windows to the manager: whoever one lies over stays in front while it has the keyboard.
    private func windowBehindPane() -> UInt32? {
        guard !panes.isEmpty, let id = paneOfWindow[connection.inputFocus()], let pane = panes[id] else {
            return nil
        }
        return pane.target ?? focus
    }

    /// Without hints, whoever gets the keys is in front.
    private func windowWithInput() -> UInt32? {
        var id = connection.inputFocus()
        if let pane = paneOfWindow[id].flatMap({ panes[$0] }) { return pane.target ?? focus }
        for _ in 0..<Self.depthMax {
            // 1 stands for whatever is beneath the pointer.
            guard id > 1, id != connection.root else { return nil }
            if windows[id] != nil { return id }
            if let client = frames[id] { return client }
            let cookie = xcb_query_tree(connection.raw, id)
            guard let reply = xcb_query_tree_reply(connection.raw, cookie, nil) else { return nil }
            id = reply.pointee.parent
            free(reply)
        }
        return nil
    }
}
