import Glibc
import STCScreen
import STDesktop
import STPlatform

/// The keyboard of a pane, and its hold on the input of the window beneath.
///
/// The pointer cannot reach the window, because the pane covers it. The pane grabs the window's keys, so they reach the pane while
/// the window is in the foreground. The remaining obstacle is another program's grab of pointer or keyboard, such as an open menu
/// of the app. Therefore the pane grabs both once, which fails in this case, and releases them immediately. Other windows and the
/// manager's keys thus stay usable.
final class XPaneKeyboard {
    private enum Hold: Equatable {
        case notRequested
        /// Not granted yet. `tries` is the number of attempts.
        case wanted(tries: Int)
        case granted
    }

    private static let firstRetryDelay = Duration.milliseconds(250)
    private static let retryDelayMax = Duration.seconds(4)
    /// Delay of one more attempt after success, because a menu may open between the report and the pause.
    private static let confirmDelay = Duration.seconds(1)
    /// Number of attempts to close menus with Escape, one nested menu at a time, before they are unmapped.
    private static let politeTries = 3
    private static let menuText = Message(
        "agent.menu-of-app-is-open",
        "A menu of the app is open. Close it."
    )
    private static let anyModifier = UInt16(XCB_MOD_MASK_ANY.rawValue)

    private unowned let pane: XPane
    private unowned let panes: XPanes
    private let connection: XConnection
    /// True if the pane itself has the keyboard.
    private(set) var hasFocus = false
    /// True if the pane receives the keys of the window beneath.
    private(set) var hasGrab = false
    /// True if another program has grabbed some of that window's keys, so that the pane itself must take the keyboard.
    private var isGrabRefused = false
    private var focusing = XRateLimit(atOnce: 40, perSecond: 20)
    private var state = Hold.notRequested
    private var timer: UInt64?
    /// True after the additional attempt.
    private var isConfirmed = false
    /// The last reported state, so that no state is reported twice.
    private var sentHeld: Bool?

    init(_ pane: XPane, _ panes: XPanes) {
        self.pane = pane
        self.panes = panes
        connection = panes.connection
    }

    /// True if the pane takes the keyboard while it, or the window beneath, is in the foreground.
    var areKeysRequested: Bool { pane.order.takesKeys || state != .notRequested }

    /// True if the pane receives keys only with the input focus.
    private var needsFocus: Bool { pane.target == nil || isGrabRefused }

    private var isEntitled: Bool {
        pane.isMapped && pane.isWanted && pane.takesInput && areKeysRequested && pane.isForeground
    }

    // MARK: - The hold

    func holdInput() {
        state = .wanted(tries: 0)
        sentHeld = nil
        isConfirmed = false
        maintainHold()
        attemptHold()
    }

    func attemptHold() {
        guard case .wanted(let tries) = state else { return }
        cancelRetry()
        // `mapped` tries again once the pane is on the screen.
        guard pane.isMapped else {
            return sendInputHold(
                false,
                Message("agent.cover-not-shown-yet", "The cover is not on the screen yet.")
            )
        }
        let menus = pane.isForeground ? panes.windows.menus(of: pane.target) : []
        guard let refusal = refusalToGrab() ?? (menus.isEmpty ? nil : Self.menuText) else {
            state = .granted
            panes.windows.setPinged(pane.target, false)
            sendInputHold(true, nil)
            return attemptHoldAgain()
        }
        if !menus.isEmpty { panes.closeMenus(menus, isFirm: tries >= Self.politeTries) }
        state = .wanted(tries: tries + 1)
        sendInputHold(false, refusal)
        after(min(Self.retryDelayMax, Self.firstRetryDelay * (1 << min(tries, 8)))) { $0.attemptHold() }
    }

    private func attemptHoldAgain() {
        guard !isConfirmed else { return }
        isConfirmed = true
        after(Self.confirmDelay) { keys in
            guard keys.state == .granted else { return }
            keys.state = .wanted(tries: 0)
            keys.attemptHold()
        }
    }

    /// Tries again after a delay, because the causing event may be one of many.
    func scheduleRetry() {
        guard case .wanted(let tries) = state, tries > 0 else { return }
        cancelRetry()
        after(XRateLimit.wait) { $0.attemptHold() }
    }

    func cancelRetry() {
        if let timer { panes.loop.cancelTimer(timer) }
        timer = nil
    }

    private func after(_ delay: Duration, _ work: @escaping (XPaneKeyboard) -> Void) {
        timer = panes.loop.after(milliseconds: delay.ms) { [weak self] in
            guard let self else { return }
            timer = nil
            work(self)
        }
    }

    /// Returns `nil` if both grabs succeeded and the keyboard is in the right place.
    private func refusalToGrab() -> Message? {
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
        if hasPointer && hasKeys && needsFocus && pane.isForeground { giveFocus(serverMs: 0) }
        if hasPointer { xcb_ungrab_pointer(connection.raw, 0) }
        if hasKeys { xcb_ungrab_keyboard(connection.raw, 0) }
        // Success is reported only after the server has processed the requests.
        guard connection.sync() else {
            return Message("agent.display-is-gone", "The display does not answer any more.")
        }
        if hasPointer && hasKeys { return nil }
        if hasKeys {
            return Message(
                "agent.pointer-held-by-other",
                "An open menu or another program has grabbed the pointer. Close it."
            )
        }
        if hasPointer {
            return Message(
                "agent.keyboard-held-by-other",
                "An open menu or another program has grabbed the keyboard. Close it."
            )
        }
        return Message(
            "agent.input-held-by-other",
            "An open menu or another program has grabbed the pointer and the keyboard. Close it."
        )
    }

    private func sendInputHold(_ isHeld: Bool, _ why: Message?) {
        guard sentHeld != isHeld else { return }
        sentHeld = isHeld
        panes.send(pane.order.id, .held(isHeld, why))
    }

    // MARK: - The keyboard

    /// Takes the keyboard if it belongs to the pane and is elsewhere.
    func maintainHold() {
        grab()
        guard isEntitled, needsFocus, !hasFocus else { return }
        // The server time is the moment at which the window came to the foreground. A window that came later, and whose event is
        // still pending, keeps the keyboard.
        acquire(serverMs: pane.target == nil ? 0 : panes.windows.foregroundSinceServerMs)
        panes.loop.after(milliseconds: XRateLimit.wait.ms) { [weak self] in
            if let self, isEntitled, !hasFocus { acquire(serverMs: 0) }
        }
    }

    /// Gives the keyboard to the foreground window, if the pane took it while that window appeared.
    func releaseFocus() {
        guard hasFocus, !pane.isForeground else { return }
        panes.loop.after(milliseconds: XRateLimit.wait.ms) { [weak self] in
            guard let self, hasFocus, !pane.isForeground, let front = panes.windows.foreground else { return }
            panes.windows.activate(front)
        }
    }

    /// Takes the keyboard back from the window beneath.
    func reacquire() {
        guard isGrabRefused, isEntitled else { return }
        hasFocus = false
        acquire(serverMs: 0)
    }

    func focusChanged(isIn: Bool, isGrab: Bool, isUngrab: Bool) {
        if !isGrab && !isUngrab {
            hasFocus = isIn
            releaseFocus()
        }
        if isUngrab, isIn { panes.retryHolds() }
    }

    func focusDidLeave() { hasFocus = false }

    /// Releases the keyboard before the pane closes. Returns true if the pane had it.
    func release() -> Bool {
        let hadFocus = hasFocus || (needsFocus && connection.inputFocus() == pane.window)
        // 0 means every key.
        if hasGrab, let target = pane.target { xcb_ungrab_key(connection.raw, 0, target, Self.anyModifier) }
        cancelRetry()
        panes.windows.setPinged(pane.target, true)
        return hadFocus
    }

    private func acquire(serverMs: UInt32) {
        guard focusing.allows(now: Stopwatch.reading()) else { return handleFocusFight() }
        giveFocus(serverMs: serverMs)
    }

    private func giveFocus(serverMs: UInt32) {
        let parent = UInt8(XCB_INPUT_FOCUS_PARENT.rawValue)
        xcb_set_input_focus(connection.raw, parent, pane.window, serverMs)
    }

    /// Handles that another program takes the keyboard repeatedly. The hold is reported as lost until that ends.
    private func handleFocusFight() {
        guard timer == nil else { return }
        if state == .granted {
            state = .wanted(tries: 2)
            sendInputHold(
                false,
                Message(
                    "agent.keyboard-taken-repeatedly",
                    "Another program takes the keyboard again and again."
                )
            )
        }
        after(Self.firstRetryDelay) { keys in
            keys.maintainHold()
            keys.attemptHold()
        }
    }

    // MARK: - The keys of the window beneath

    /// Grabs all keys of the window beneath, while it has the keyboard.
    ///
    /// The window stays in the foreground for the window manager, whose own keys take precedence, and no fight over the focus
    /// results. Modifiers are not grabbed. A grab of a modifier includes all keys pressed with it, so the manager would not receive
    /// its own combinations. Modifiers by themselves produce no text.
    private func grab() {
        guard pane.isMapped, areKeysRequested, !hasGrab, !isGrabRefused, let target = pane.target else {
            return
        }
        let modifiers = modifierKeys()
        let setup = xcb_get_setup(connection.raw).pointee
        let isAsync = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        let cookies = (setup.min_keycode...max(setup.min_keycode, setup.max_keycode)).filter {
            !modifiers.contains($0)
        }
        .map { key in
            xcb_grab_key_checked(connection.raw, 0, target, Self.anyModifier, key, isAsync, isAsync)
        }
        var isRefused = false
        for cookie in cookies {
            guard let refusal = xcb_request_check(connection.raw, cookie) else { continue }
            isRefused = true
            free(refusal)
        }
        if isRefused { xcb_ungrab_key(connection.raw, 0, target, Self.anyModifier) }
        hasGrab = !isRefused
        isGrabRefused = isRefused
    }

    private func modifierKeys() -> Set<UInt8> {
        let cookie = xcb_get_modifier_mapping(connection.raw)
        guard let reply = xcb_get_modifier_mapping_reply(connection.raw, cookie, nil) else { return [] }
        defer { free(reply) }
        let count = Int(xcb_get_modifier_mapping_keycodes_length(reply))
        let keys = UnsafeBufferPointer(start: xcb_get_modifier_mapping_keycodes(reply), count: count)
        return Set(keys).subtracting([0])
    }
}
