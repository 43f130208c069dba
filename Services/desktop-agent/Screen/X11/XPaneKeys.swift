import Glibc
import STCScreen
import STDesktop
import STPlatform

/// The keyboard of a pane, and the promise that no input reaches what lies beneath it.
///
/// The pointer cannot reach it, because the pane lies over it. Its keys are grabbed, so they come to the pane while the
/// window is in front. What is left is another program that has grabbed pointer or keyboard, such as an open menu of the
/// app: so both are grabbed once, which fails then, and let go of again, so that other windows and the manager's keys
/// stay usable.
final class XPaneKeys {
    private enum Hold: Equatable {
        case notAsked
        /// Not granted yet; how many times it was tried.
        case wanted(tries: Int)
        case granted
    }

    private static let firstTryMs: Int64 = 250
    private static let triesMs: Int64 = 4_000
    /// A menu may open in the moment between the promise and what is built on it, so it is tried once more.
    private static let againMs: Int64 = 1_000
    /// Menus are asked so often to close, one in another each time, before they are taken off the screen.
    private static let politeTries = 3
    private static let menuText = Message(
        "agent.menu-of-app-is-open",
        "A menu of the app is open. Close it."
    )
    private static let anyModifier = UInt16(XCB_MOD_MASK_ANY.rawValue)

    private unowned let pane: XPane
    private unowned let panes: XPanes
    private let connection: XConnection
    /// The pane itself has the keyboard.
    private(set) var hasFocus = false
    /// Keys that go to the window that the pane lies over come to us.
    private(set) var hasGrab = false
    /// Another program has some of that window's keys, so the pane itself has to take the keyboard.
    private var isGrabRefused = false
    private var focusing = XPatience(atOnce: 40, perSecond: 20)
    private var state = Hold.notAsked
    private var timer: UInt64?
    /// It was tried once more after it was granted.
    private var isSure = false
    /// What we said last, so that nothing is said twice.
    private var told: Bool?

    init(_ pane: XPane, _ panes: XPanes) {
        self.pane = pane
        self.panes = panes
        connection = panes.connection
    }

    /// Whether the pane takes the keyboard while it, or what it lies over, is in front.
    var areWanted: Bool { pane.order.takesKeys || state != .notAsked }

    /// Whether the pane gets keys only by being what the keyboard belongs to.
    private var needsFocus: Bool { pane.target == nil || isGrabRefused }

    private var isEntitled: Bool {
        pane.isMapped && pane.isWanted && pane.takesInput && areWanted && pane.isInFront
    }

    // MARK: - The promise

    func hold() {
        state = .wanted(tries: 0)
        told = nil
        isSure = false
        keep()
        tryHold()
    }

    func tryHold() {
        guard case .wanted(let tries) = state else { return }
        stopTrying()
        // It is tried again when it is there.
        guard pane.isMapped else {
            return tell(false, Message("agent.cover-not-shown-yet", "The cover is not on the screen yet."))
        }
        let menus = pane.isInFront ? panes.windows.menus(of: pane.target) : []
        guard let refusal = refusalToGrab() ?? (menus.isEmpty ? nil : Self.menuText) else {
            state = .granted
            panes.windows.setPinged(pane.target, false)
            tell(true, nil)
            return tryOnceMore()
        }
        if !menus.isEmpty { panes.closeMenus(menus, isFirm: tries >= Self.politeTries) }
        state = .wanted(tries: tries + 1)
        tell(false, refusal)
        after(min(Self.triesMs, Self.firstTryMs << Int64(min(tries, 8)))) { $0.tryHold() }
    }

    private func tryOnceMore() {
        guard !isSure else { return }
        isSure = true
        after(Self.againMs) { keys in
            guard keys.state == .granted else { return }
            keys.state = .wanted(tries: 0)
            keys.tryHold()
        }
    }

    /// Not from within the event that gives reason to: it may be one of many.
    func retrySoon() {
        guard case .wanted(let tries) = state, tries > 0 else { return }
        stopTrying()
        after(XPatience.waitMs) { $0.tryHold() }
    }

    func stopTrying() {
        if let timer { panes.loop.cancelTimer(timer) }
        timer = nil
    }

    private func after(_ milliseconds: Int64, _ work: @escaping (XPaneKeys) -> Void) {
        timer = panes.loop.after(milliseconds: milliseconds) { [weak self] in
            guard let self else { return }
            timer = nil
            work(self)
        }
    }

    /// Nil: both were ours for a moment, and the keyboard is where it belongs.
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
        if hasPointer && hasKeys && needsFocus && pane.isInFront { giveFocus(serverMs: 0) }
        if hasPointer { xcb_ungrab_pointer(connection.raw, 0) }
        if hasKeys { xcb_ungrab_keyboard(connection.raw, 0) }
        // A promise is made when it is true, not when it is on its way.
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

    private func tell(_ isHeld: Bool, _ why: Message?) {
        guard told != isHeld else { return }
        told = isHeld
        panes.tell(pane.order.id, .held(isHeld, why))
    }

    // MARK: - The keyboard

    /// Takes the keyboard if it belongs to the pane and is not there.
    func keep() {
        grab()
        guard isEntitled, needsFocus, !hasFocus else { return }
        // With the moment at which the window came to the front: a window that is brought to the front after that, and
        // of which we have not heard yet, keeps the keyboard.
        take(serverMs: pane.target == nil ? 0 : panes.windows.frontSinceServerMs)
        panes.loop.after(milliseconds: XPatience.waitMs) { [weak self] in
            if let self, isEntitled, !hasFocus { take(serverMs: 0) }
        }
    }

    /// Gives the keyboard to the window in front: the pane took it while that window came.
    func leave() {
        guard hasFocus, !pane.isInFront else { return }
        panes.loop.after(milliseconds: XPatience.waitMs) { [weak self] in
            guard let self, hasFocus, !pane.isInFront, let front = panes.windows.front else { return }
            panes.windows.activate(front)
        }
    }

    /// The window beneath has got the keyboard.
    func takeBack() {
        guard isGrabRefused, isEntitled else { return }
        hasFocus = false
        take(serverMs: 0)
    }

    func focusChanged(isIn: Bool, isGrab: Bool, isUngrab: Bool) {
        if !isGrab && !isUngrab {
            hasFocus = isIn
            leave()
        }
        if isUngrab, isIn { panes.retryHolds() }
    }

    func wentAway() { hasFocus = false }

    /// The pane closes; true when it had the keyboard.
    func letGo() -> Bool {
        let hadFocus = hasFocus || (needsFocus && connection.inputFocus() == pane.window)
        // 0 is every key.
        if hasGrab, let target = pane.target { xcb_ungrab_key(connection.raw, 0, target, Self.anyModifier) }
        stopTrying()
        panes.windows.setPinged(pane.target, true)
        return hadFocus
    }

    private func take(serverMs: UInt32) {
        guard focusing.take(nowMs: Stopwatch.milliseconds()) else { return loseFight() }
        giveFocus(serverMs: serverMs)
    }

    private func giveFocus(serverMs: UInt32) {
        let parent = UInt8(XCB_INPUT_FOCUS_PARENT.rawValue)
        xcb_set_input_focus(connection.raw, parent, pane.window, serverMs)
    }

    /// Another program takes it again and again; nothing is promised any more until that ends.
    private func loseFight() {
        guard timer == nil else { return }
        if state == .granted {
            state = .wanted(tries: 2)
            tell(
                false,
                Message(
                    "agent.keyboard-taken-repeatedly",
                    "Another program takes the keyboard again and again."
                )
            )
        }
        after(Self.firstTryMs) { keys in
            keys.keep()
            keys.tryHold()
        }
    }

    // MARK: - The keys of the window beneath

    /// All keys of the window beneath come to us, whenever it has the keyboard.
    ///
    /// It stays in front for the window manager, whose own keys go before ours, and there is no fight over the focus.
    /// Modifiers are left to the window: a program that grabs one gets all that is pressed together with it, so the
    /// manager would never hear of its own combinations; alone they make no text.
    private func grab() {
        guard pane.isMapped, areWanted, !hasGrab, !isGrabRefused, let target = pane.target else { return }
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
