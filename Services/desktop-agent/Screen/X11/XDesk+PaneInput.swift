import Glibc
import STCScreen
import STDesktop
import STPlatform

/// Pointer and keys over panes.
///
/// Of motions the server tells one and then waits until it is asked where the pointer is, which happens a few times in a
/// second: however fast a mouse is, it costs next to nothing.
extension XDesk {
    private static let lookMs: Int64 = 30

    func entered(_ event: xcb_enter_notify_event_t, isIn: Bool) {
        guard let id = paneOfWindow[event.event], let pane = panes[id] else { return }
        hover(id, isIn ? pane.spot(x: Int(event.event_x), y: Int(event.event_y)) : nil)
    }

    func moved(_ event: xcb_motion_notify_event_t) {
        guard let id = paneOfWindow[event.event], let pane = panes[id] else { return }
        // Without anything to press there is nothing to know; and then no further motion is told.
        guard !pane.spots.isEmpty, !pane.isLooking else { return }
        panes[id]?.isLooking = true
        loop.after(milliseconds: Self.lookMs) { [weak self] in
            self?.panes[id]?.isLooking = false
            self?.lookBeneathPointer(id)
        }
    }

    func lookBeneathPointer(_ id: PaneID) {
        guard !hasEnded, let pane = panes[id], pane.isMapped, pane.takesInput else { return }
        let cookie = xcb_query_pointer(connection.raw, pane.window)
        guard let reply = xcb_query_pointer_reply(connection.raw, cookie, nil) else { return }
        defer { free(reply) }
        guard let rect = pane.rect else { return }
        let x = Int(reply.pointee.win_x)
        let y = Int(reply.pointee.win_y)
        let isInside = x >= 0 && y >= 0 && x < rect.width && y < rect.height
        // While it is pressed it may leave, and has not gone.
        guard isInside || pane.hovered != nil else { return }
        hover(id, isInside ? pane.spot(x: x, y: y) : nil)
    }

    private func hover(_ id: PaneID, _ spot: String?) {
        guard let pane = panes[id], pane.hovered != spot else { return }
        panes[id]?.hovered = spot
        heard(.pane(id, .hovered(spot)))
    }

    func pressed(_ event: xcb_button_press_event_t, isDown: Bool) {
        guard let id = paneOfWindow[event.event], let pane = panes[id], event.detail == 1 else { return }
        let spot = pane.spot(x: Int(event.event_x), y: Int(event.event_y))
        hover(id, spot)
        guard !isDown else {
            panes[id]?.pressed = spot
            return comeToFront(id)
        }
        panes[id]?.pressed = nil
        if let spot, spot == pane.pressed { heard(.pane(id, .pressed(spot))) }
    }

    /// A click on it means what it lies over, as a click on a window does.
    private func comeToFront(_ id: PaneID) {
        guard let pane = panes[id], pane.wantsKeys else { return }
        if let target = pane.target, focus != target { return activate(target) }
        keepKeys(id)
    }

    func typed(_ event: xcb_key_press_event_t) {
        guard let id = pane(ofKeysAt: event.event) else { return }
        if keyboard == nil { keyboard = XKeyboard(connection) }
        if let key = keyboard?.key(code: event.detail, state: event.state) { heard(.pane(id, .key(key))) }
    }
}
