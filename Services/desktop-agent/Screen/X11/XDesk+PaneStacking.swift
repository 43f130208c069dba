import STCScreen
import STDesktop
import STPlatform

/// Panes stay above what they lie over, and the server's word of what became of them.
extension XDesk {
    private static let againMs: Int64 = 10

    func restackPanes(over window: UInt32) {
        for (id, pane) in panes where pane.target == window && pane.isWanted { restackSoon(id) }
    }

    /// At once, and not so often that it becomes a fight.
    private func restackSoon(_ id: PaneID) {
        guard panes[id]?.isStackingLater == false else { return }
        if panes[id]?.stacking.take(nowMs: Stopwatch.milliseconds()) == true { return restack(id) }
        panes[id]?.isStackingLater = true
        loop.after(milliseconds: Self.againMs) { [weak self] in
            guard let self, panes[id] != nil else { return }
            panes[id]?.isStackingLater = false
            restack(id)
        }
    }

    func restack(_ id: PaneID) {
        guard !hasEnded, let pane = panes[id] else { return }
        let above = XCB_STACK_MODE_ABOVE.rawValue
        let mode = UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue)
        guard let target = pane.target else {
            var values = above
            xcb_configure_window(connection.raw, pane.window, mode, &values)
            return
        }
        guard let frame = windows[target]?.frame else { return }
        let mask = mode | UInt16(XCB_CONFIG_WINDOW_SIBLING.rawValue)
        xcb_configure_window(connection.raw, pane.window, mask, [frame, above])
    }

    func visibilityChanged(_ event: xcb_visibility_notify_event_t) {
        guard let id = paneOfWindow[event.window], let pane = panes[id], pane.isWanted else { return }
        // Only those that belong to no window are above all.
        guard pane.target == nil, event.state != UInt8(XCB_VISIBILITY_UNOBSCURED.rawValue) else { return }
        restackSoon(id)
    }

    // MARK: - What became of it

    func paneMapped(_ id: PaneID) {
        panes[id]?.isMapped = true
        // Who hears that it is shown may type at once.
        keepKeys(id)
        connection.flush()
        tellShown(id)
        tryHold(id)
    }

    func paneUnmapped(_ id: PaneID) {
        guard let pane = panes[id] else { return }
        panes[id]?.isMapped = false
        panes[id]?.hasFocus = false
        panes[id]?.hovered = nil
        panes[id]?.toldSize = []
        // Nobody but us takes it away, unless they want to be rid of it.
        if pane.isWanted { mapAgain(id) } else { heard(.pane(id, .hidden)) }
    }

    private func mapAgain(_ id: PaneID) {
        guard let isAtOnce = panes[id]?.stacking.take(nowMs: Stopwatch.milliseconds()) else { return }
        loop.after(milliseconds: isAtOnce ? 0 : XPatience.waitMs) { [weak self] in
            guard let self, !hasEnded, let pane = panes[id], pane.isWanted, !pane.isMapped else { return }
            restack(id)
            xcb_map_window(connection.raw, pane.window)
        }
    }

    func paneConfigured(_ id: PaneID, _ event: xcb_configure_notify_event_t) {
        guard let pane = panes[id], pane.isMapped, let rect = pane.rect else { return }
        // Somebody else has moved it: an older word of ours looks the same, so only the size counts.
        guard Int(event.width) == rect.width, Int(event.height) == rect.height else { return }
        tellShown(id)
    }

    func paneDestroyed(_ id: PaneID) {
        guard let pane = panes.removeValue(forKey: id) else { return }
        paneOfWindow[pane.window] = nil
        if let timer = pane.holdTimer { loop.cancelTimer(timer) }
        heard(.pane(id, .failed("Another program took our window off the screen.")))
    }

    func tellShown(_ id: PaneID) {
        guard let pane = panes[id], let rect = pane.rect else { return }
        let size = [rect.width, rect.height]
        guard size != pane.toldSize || pane.scale != pane.toldScale else { return }
        panes[id]?.toldSize = size
        panes[id]?.toldScale = pane.scale
        heard(
            .pane(
                id,
                .shown(width: rect.width, height: rect.height, scale: pane.scale, atBootMs: nowBootMs)
            )
        )
    }
}
