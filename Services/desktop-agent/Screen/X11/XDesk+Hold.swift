import Glibc
import STCScreen
import STDesktop
import STPlatform

/// No input for what lies beneath a pane.
///
/// The pointer cannot reach it, because the pane lies over it. The keyboard goes to the pane while the window is in
/// front. What is left is somebody who has grabbed pointer or keyboard, such as an open menu of the app: so both are
/// grabbed once, which fails then, and let go of again, so that other windows and the manager's keys stay usable.
extension XDesk {
    private static let firstTryMs: Int64 = 250
    private static let triesMs: Int64 = 4_000
    /// A menu may open in the moment between the promise and what is built on it, so it is tried once more.
    private static let againMs: Int64 = 1_000

    func holdInput(_ id: PaneID) {
        guard panes[id] != nil else { return }
        panes[id]?.hold = .wanted(tries: 0)
        panes[id]?.toldHold = nil
        panes[id]?.isHoldSure = false
        keepKeys(id)
        tryHold(id)
    }

    func tryHold(_ id: PaneID) {
        guard !hasEnded, let pane = panes[id], case .wanted(let tries) = pane.hold else { return }
        if let timer = pane.holdTimer { loop.cancelTimer(timer) }
        panes[id]?.holdTimer = nil
        // It is tried again when it is there.
        guard pane.isMapped else { return tell(id, false, "It is not on the screen.") }
        guard let refusal = refusalToGrab(pane) else {
            panes[id]?.hold = .granted
            tell(id, true, nil)
            return tryOnceMore(id)
        }
        panes[id]?.hold = .wanted(tries: tries + 1)
        tell(id, false, refusal)
        let waitMs = min(Self.triesMs, Self.firstTryMs << Int64(min(tries, 8)))
        panes[id]?.holdTimer = loop.after(milliseconds: waitMs) { [weak self] in
            self?.panes[id]?.holdTimer = nil
            self?.tryHold(id)
        }
    }

    private func tryOnceMore(_ id: PaneID) {
        guard panes[id]?.isHoldSure == false else { return }
        panes[id]?.isHoldSure = true
        panes[id]?.holdTimer = loop.after(milliseconds: Self.againMs) { [weak self] in
            self?.panes[id]?.holdTimer = nil
            guard self?.panes[id]?.hold == .granted else { return }
            self?.panes[id]?.hold = .wanted(tries: 0)
            self?.tryHold(id)
        }
    }

    /// Nil: both were ours for a moment, and the keyboard is where it belongs.
    private func refusalToGrab(_ pane: XPane) -> String? {
        let isAsync = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        let events = XCB_EVENT_MASK_BUTTON_PRESS.rawValue | XCB_EVENT_MASK_BUTTON_RELEASE.rawValue
        let pointer = xcb_grab_pointer(
            connection.raw,
            1,
            pane.window,
            UInt16(truncatingIfNeeded: events),
            isAsync,
            isAsync,
            0,
            0,
            0
        )
        let keys = xcb_grab_keyboard(connection.raw, 1, pane.window, 0, isAsync, isAsync)
        let pointerReply = xcb_grab_pointer_reply(connection.raw, pointer, nil)
        let keysReply = xcb_grab_keyboard_reply(connection.raw, keys, nil)
        let success = UInt8(XCB_GRAB_STATUS_SUCCESS.rawValue)
        let hasPointer = pointerReply?.pointee.status == success
        let hasKeys = keysReply?.pointee.status == success
        free(pointerReply)
        free(keysReply)
        if hasPointer && hasKeys && pane.needsFocus && isInFront(pane) { giveKeys(to: pane) }
        if hasPointer { xcb_ungrab_pointer(connection.raw, 0) }
        if hasKeys { xcb_ungrab_keyboard(connection.raw, 0) }
        // A promise is made when it is true, not when it is on its way.
        guard connection.sync() else { return "The display is gone." }
        if hasPointer && hasKeys { return nil }
        let what = hasKeys ? "pointer" : hasPointer ? "keyboard" : "pointer and keyboard"
        return "Another program holds the \(what), such as a menu that is open; close it."
    }

    private func tell(_ id: PaneID, _ isHeld: Bool, _ why: String?) {
        guard panes[id]?.toldHold != isHeld else { return }
        panes[id]?.toldHold = isHeld
        heard(.pane(id, .held(isHeld, why)))
    }

    // MARK: - The keyboard

    /// Takes the keyboard if it belongs to the pane and is not there.
    func keepKeys(_ id: PaneID) {
        grabKeys(id)
        guard let pane = panes[id], isEntitled(pane), pane.needsFocus, !pane.hasFocus else { return }
        // With the moment at which the window came to the front: whoever is brought to the front after that, and of
        // whom we have not heard yet, keeps the keyboard.
        takeKeys(id, serverMs: pane.target == nil ? 0 : frontSinceServerMs)
        loop.after(milliseconds: XPatience.waitMs) { [weak self] in
            guard let self, let pane = panes[id], isEntitled(pane), !pane.hasFocus else { return }
            takeKeys(id, serverMs: 0)
        }
    }

    private func isEntitled(_ pane: XPane) -> Bool {
        !hasEnded && pane.isMapped && pane.isWanted && pane.takesInput && pane.wantsKeys && isInFront(pane)
    }

    /// Whose keys these are: a pane's own, or those of the window beneath it.
    func pane(ofKeysAt window: UInt32) -> PaneID? {
        paneOfWindow[window] ?? panes.first { $0.value.target == window && $0.value.hasKeyGrab }?.key
    }

    private func isInFront(_ pane: XPane) -> Bool { pane.target == nil || pane.target == focus }

    /// A pane that has the keyboard while another window is in front took it while that one came: it is given to whom
    /// it belongs.
    func leaveKeys(_ id: PaneID) {
        guard panes[id]?.hasFocus == true, let pane = panes[id], !isInFront(pane) else { return }
        loop.after(milliseconds: XPatience.waitMs) { [weak self] in
            guard let self, !hasEnded, let pane = panes[id], pane.hasFocus, !isInFront(pane), let focus else {
                return
            }
            activate(focus)
        }
    }

    /// The app's window has got the keyboard: by itself, or because somebody brought it to the front.
    func takeFocusBack(from window: UInt32) {
        for (id, pane) in panes
        where pane.target == window && pane.isGrabRefused && isEntitled(pane) {
            panes[id]?.hasFocus = false
            takeKeys(id, serverMs: 0)
        }
        // Another chance: whoever held a grab before is probably done.
        retryHolds()
    }

    private func takeKeys(_ id: PaneID, serverMs: UInt32) {
        guard panes[id]?.focusing.take(nowMs: Stopwatch.milliseconds()) == true, let pane = panes[id] else {
            return loseKeys(id)
        }
        giveKeys(to: pane, serverMs: serverMs)
    }

    private func giveKeys(to pane: XPane, serverMs: UInt32 = 0) {
        let parent = UInt8(XCB_INPUT_FOCUS_PARENT.rawValue)
        xcb_set_input_focus(connection.raw, parent, pane.window, serverMs)
    }

    /// Somebody takes it again and again; nothing is promised any more until that ends.
    private func loseKeys(_ id: PaneID) {
        guard let pane = panes[id], pane.holdTimer == nil else { return }
        if pane.hold == .granted {
            panes[id]?.hold = .wanted(tries: 2)
            tell(id, false, "Another program takes the keyboard again and again.")
        }
        panes[id]?.holdTimer = loop.after(milliseconds: Self.firstTryMs) { [weak self] in
            guard let self else { return }
            panes[id]?.holdTimer = nil
            keepKeys(id)
            tryHold(id)
        }
    }

    func paneFocusChanged(_ id: PaneID, isIn: Bool, isGrab: Bool, isUngrab: Bool) {
        if !isGrab && !isUngrab {
            panes[id]?.hasFocus = isIn
            leaveKeys(id)
        }
        if isUngrab, isIn { retryHolds() }
    }

    /// Somebody has let go of the keyboard, so perhaps of what was in the way.
    func retryHolds() {
        for (id, pane) in panes where pane.isMapped {
            if case .wanted(let tries) = pane.hold, tries > 0 {
                // Not from within the event: it may be one of many.
                if let timer = pane.holdTimer { loop.cancelTimer(timer) }
                panes[id]?.holdTimer = loop.after(milliseconds: XPatience.waitMs) { [weak self] in
                    self?.panes[id]?.holdTimer = nil
                    self?.tryHold(id)
                }
            }
        }
    }

    /// The manager decides how a window gets the keyboard; without one it is simply given.
    func giveKeysBack(to window: UInt32?) {
        guard let window, let known = windows[window], known.now.isShown else { return activateNext() }
        activate(window)
    }
}
