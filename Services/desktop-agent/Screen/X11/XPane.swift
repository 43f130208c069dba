import Glibc
import STCScreen
import STDesktop
import STPlatform

/// One pane: its window, its position in the stacking order, and the pointer over it.
///
/// The window is override-redirect, so that no window manager moves, frames or closes it. A cover is directly above its window's
/// frame in the stacking order. So everything above the window is also above the cover.
final class XPane {
    private static let restackDelay = Duration.milliseconds(10)
    /// Interval of queries for the pointer. The server reports one motion and then waits for a query, so even a fast mouse costs
    /// little.
    private static let pointerPollInterval = Duration.milliseconds(30)

    let order: PaneRequest
    let window: UInt32
    /// The window beneath a cover. `nil` for other panes.
    let target: UInt32?
    /// The keyboard of the pane, and its hold on input.
    private(set) lazy var keys = XPaneKeyboard(self, panes)
    private unowned let panes: XPanes
    private let connection: XConnection
    /// The current position. `nil` before the first placement.
    private var rect: ScreenRect?
    private var scale = 1.0
    /// True if the pane should be on the screen. `isMapped` is true once the server has confirmed it.
    private(set) var isWanted = false
    private(set) var isMapped = false
    /// The size and scale of the last `shown` event.
    private var sentSize: [Int] = []
    private var sentScale = 0.0
    /// Limits restacking, because the server reports moving and raising a window alike, and both can be frequent.
    private var stacking = XRateLimit(atOnce: 200, perSecond: 100)
    private var isRestackScheduled = false
    private var spots: [PaneSpot] = []
    private var hovered: String?
    private var pressedSpot: String?
    private var isPollingPointer = false

    init(_ order: PaneRequest, _ panes: XPanes) {
        self.order = order
        self.panes = panes
        connection = panes.connection
        window = connection.newID()
        if case .over(let id) = order.place { target = XWindow.number(id) } else { target = nil }
        create()
        describe()
        if !takesInput, panes.hasShape { makeClickThrough() }
    }

    var takesInput: Bool {
        if case .corner = order.place { return false }
        return true
    }

    /// True if the pane covers no window, or covers the foreground window.
    var isForeground: Bool { target == nil || target == panes.windows.foreground }

    private func send(_ event: PaneEvent) { panes.send(order.id, event) }

    // MARK: - The window

    private func create() {
        let events =
            XCB_EVENT_MASK_BUTTON_PRESS.rawValue | XCB_EVENT_MASK_BUTTON_RELEASE.rawValue
            | XCB_EVENT_MASK_ENTER_WINDOW.rawValue | XCB_EVENT_MASK_LEAVE_WINDOW.rawValue
            | XCB_EVENT_MASK_POINTER_MOTION.rawValue | XCB_EVENT_MASK_POINTER_MOTION_HINT.rawValue
            | XCB_EVENT_MASK_KEY_PRESS.rawValue | XCB_EVENT_MASK_FOCUS_CHANGE.rawValue
            | XCB_EVENT_MASK_VISIBILITY_CHANGE.rawValue
        // In the order of the bits: background, gravity (existing content stays in its corner), override, events.
        let values = [connection.pixels.pixel(order.background), XCB_GRAVITY_NORTH_WEST.rawValue, 1, events]
        let mask =
            XCB_CW_BACK_PIXEL.rawValue | XCB_CW_BIT_GRAVITY.rawValue | XCB_CW_OVERRIDE_REDIRECT.rawValue
            | XCB_CW_EVENT_MASK.rawValue
        let screen = connection.screen
        xcb_create_window(
            connection.raw,
            screen.root_depth,
            window,
            screen.root,
            -1,
            -1,
            1,
            1,
            0,
            UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue),
            screen.root_visual,
            mask,
            values
        )
    }

    private func describe() {
        let atoms = connection.atoms
        let text = Array(DisplayWidth.sanitized(order.name).utf8.prefix(DesktopWindow.textBytesMax))
        connection.set(window, atoms[.name], type: atoms[.utf8], text: text)
        connection.set(window, XCB_ATOM_WM_NAME.rawValue, type: atoms[.utf8], text: text)
        connection.set(
            window,
            XCB_ATOM_WM_CLASS.rawValue,
            type: XCB_ATOM_STRING.rawValue,
            text: Array("screentime-shield\0screentime-shield\0".utf8)
        )
        let kind = takesInput ? atoms[.typeDialog] : atoms[.typeNotification]
        connection.set(window, atoms[.type], type: XCB_ATOM_ATOM.rawValue, words: [kind])
        let pid = UInt32(bitPattern: getpid())
        connection.set(window, atoms[.pid], type: XCB_ATOM_CARDINAL.rawValue, words: [pid])
        let states = [atoms[.stateAbove], atoms[.stateSkipTaskbar]]
        connection.set(window, atoms[.state], type: XCB_ATOM_ATOM.rawValue, words: states)
    }

    /// Removes the input shape, so that the pointer reaches the window beneath.
    private func makeClickThrough() {
        xcb_shape_rectangles(
            connection.raw,
            UInt8(XCB_SHAPE_SO_SET.rawValue),
            UInt8(XCB_SHAPE_SK_INPUT.rawValue),
            0,
            window,
            0,
            0,
            0,
            nil
        )
    }

    // MARK: - Position

    func place() {
        guard let rect = targetRect(), !rect.isEmpty else { return hide() }
        scale = panes.outputs.scale(at: rect)
        if self.rect != rect { move(to: rect) }
        let isNew = !isWanted
        isWanted = true
        if isNew {
            restack()
            xcb_map_window(connection.raw, window)
        } else if isMapped {
            sendShown()
        }
        keys.maintainHold()
    }

    private func targetRect() -> ScreenRect? {
        let windows = panes.windows
        switch order.place {
        case .over:
            guard let window = target.flatMap({ windows[$0] }), window.current.isShown else { return nil }
            return window.current.frame
        case .corner(let width, let height): return panes.outputs.corner(width: width, height: height)
        case .middle(let width, let height):
            let seen = windows.foreground.flatMap { windows[$0]?.current.frame }
            return panes.outputs.middle(width: width, height: height, near: seen)
        }
    }

    private func move(to new: ScreenRect) {
        if let old = rect, old.width != new.width || old.height != new.height {
            // Until a picture of the new size arrives, the new area shows the background colour.
            var background = connection.pixels.pixel(order.background)
            xcb_change_window_attributes(connection.raw, window, XCB_CW_BACK_PIXEL.rawValue, &background)
        }
        rect = new
        let values = [
            UInt32(bitPattern: Int32(clamping: new.x)), UInt32(bitPattern: Int32(clamping: new.y)),
            UInt32(clamping: new.width), UInt32(clamping: new.height),
        ]
        let mask =
            XCB_CONFIG_WINDOW_X.rawValue | XCB_CONFIG_WINDOW_Y.rawValue | XCB_CONFIG_WINDOW_WIDTH.rawValue
            | XCB_CONFIG_WINDOW_HEIGHT.rawValue
        xcb_configure_window(connection.raw, window, UInt16(mask), values)
    }

    private func hide() {
        guard isWanted else { return }
        isWanted = false
        let hadKeys = keys.hasFocus
        xcb_unmap_window(connection.raw, window)
        // The manager assumes that no window had the keyboard, so it would give it to none.
        if hadKeys, target != nil { panes.activateNext() }
    }

    // MARK: - Stacking

    /// Restacks immediately, but limits the rate so that no fight with another program results.
    func scheduleRestack() {
        guard !isRestackScheduled else { return }
        if stacking.allows(now: Stopwatch.reading()) { return restack() }
        isRestackScheduled = true
        panes.loop.after(milliseconds: Self.restackDelay.ms) { [weak self] in
            self?.isRestackScheduled = false
            self?.restack()
        }
    }

    private func restack() {
        let above = XCB_STACK_MODE_ABOVE.rawValue
        let mode = UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue)
        guard let target else {
            xcb_configure_window(connection.raw, window, mode, [above])
            return
        }
        guard let frame = panes.windows[target]?.frame else { return }
        let mask = mode | UInt16(XCB_CONFIG_WINDOW_SIBLING.rawValue)
        xcb_configure_window(connection.raw, window, mask, [frame, above])
    }

    func visibilityChanged(_ event: xcb_visibility_notify_event_t) {
        // Only panes that cover no window are above all others.
        guard isWanted, target == nil, event.state != UInt8(XCB_VISIBILITY_UNOBSCURED.rawValue) else {
            return
        }
        scheduleRestack()
    }

    // MARK: - Events of the window

    func mapped() {
        isMapped = true
        // The keyboard comes first, because keys may be pressed immediately after the pane is reported as shown.
        keys.maintainHold()
        connection.flush()
        sendShown()
        keys.attemptHold()
    }

    func unmapped() {
        isMapped = false
        keys.focusDidLeave()
        hovered = nil
        sentSize = []
        // Another program unmapped a pane that should be shown.
        if isWanted { remap() } else { send(.hidden) }
    }

    private func remap() {
        let isAtOnce = stacking.allows(now: Stopwatch.reading())
        panes.loop.after(milliseconds: isAtOnce ? 0 : XRateLimit.wait.ms) { [weak self] in
            guard let self, isWanted, !isMapped else { return }
            restack()
            xcb_map_window(connection.raw, window)
        }
    }

    func configured(_ event: xcb_configure_notify_event_t) {
        guard isMapped, let rect else { return }
        // The event may belong to an earlier configuration of this process or of another program, so only the size counts.
        guard Int(event.width) == rect.width, Int(event.height) == rect.height else { return }
        sendShown()
    }

    private func sendShown() {
        guard let rect else { return }
        let size = [rect.width, rect.height]
        guard size != sentSize || scale != sentScale else { return }
        sentSize = size
        sentScale = scale
        let now = Stopwatch.bootMilliseconds()
        send(.shown(width: rect.width, height: rect.height, scale: scale, atBootMs: now))
    }

    // MARK: - The picture

    /// Shows a picture. Ignores a file that cannot be read, and a picture whose size differs from the pane's current size.
    ///
    /// The picture becomes the window's background. The server then repaints exposed areas by itself, and this process keeps no
    /// pixels.
    func paint(_ picture: PanePicture) {
        guard let rect, picture.width == rect.width, picture.height == rect.height,
            let pixmap = XPictureUpload(connection).pixmap(picture, for: window)
        else { return }
        // The window keeps its background without the pixmap.
        defer { xcb_free_pixmap(connection.raw, pixmap) }
        var background = pixmap
        xcb_change_window_attributes(connection.raw, window, XCB_CW_BACK_PIXMAP.rawValue, &background)
        xcb_clear_area(connection.raw, 0, window, 0, 0, 0, 0)
        spots = picture.spots
        updateHover()
    }

    // MARK: - The pointer

    func entered(_ event: xcb_enter_notify_event_t, isIn: Bool) {
        hover(isIn ? spot(x: Int(event.event_x), y: Int(event.event_y)) : nil)
    }

    func moved() {
        // Without spots, the pointer's position is not needed. The server then reports no further motion.
        guard !spots.isEmpty, !isPollingPointer else { return }
        isPollingPointer = true
        panes.loop.after(milliseconds: Self.pointerPollInterval.ms) { [weak self] in
            self?.isPollingPointer = false
            self?.updateHover()
        }
    }

    private func updateHover() {
        guard isMapped, takesInput else { return }
        let cookie = xcb_query_pointer(connection.raw, window)
        guard let reply = xcb_query_pointer_reply(connection.raw, cookie, nil) else { return }
        defer { free(reply) }
        guard let rect else { return }
        let x = Int(reply.pointee.win_x)
        let y = Int(reply.pointee.win_y)
        let isInside = x >= 0 && y >= 0 && x < rect.width && y < rect.height
        // While a button is pressed, the pointer may leave without an event.
        guard isInside || hovered != nil else { return }
        hover(isInside ? spot(x: x, y: y) : nil)
    }

    private func hover(_ spot: String?) {
        guard hovered != spot else { return }
        hovered = spot
        send(.hovered(spot))
    }

    func pressed(_ event: xcb_button_press_event_t, isDown: Bool) {
        guard event.detail == 1 else { return }
        let spot = spot(x: Int(event.event_x), y: Int(event.event_y))
        hover(spot)
        guard !isDown else {
            pressedSpot = spot
            return bringToFront()
        }
        let before = pressedSpot
        pressedSpot = nil
        if let spot, spot == before { send(.pressed(spot)) }
    }

    /// Activates the window beneath, because a click on a cover means the covered window.
    private func bringToFront() {
        guard keys.areKeysRequested else { return }
        if let target, panes.windows.foreground != target { return panes.windows.activate(target) }
        keys.maintainHold()
    }

    private func spot(x: Int, y: Int) -> String? {
        spots.last { spot in
            let frame = spot.frame
            return x >= frame.x && y >= frame.y && x < frame.x + frame.width && y < frame.y + frame.height
        }?.id
    }
}

/// Limits the rate of an action. It permits a number of immediate actions, and then a steady rate.
///
/// Other programs may undo an action as often as they like. The adapter repeats it immediately at first, and then at that rate.
struct XRateLimit {
    static let wait = Duration.milliseconds(50)

    private let burst: Double
    private let perSecond: Double
    private var remaining: Double
    private var last = Duration.zero

    /// Allows `atOnce` actions immediately, and then `perSecond` per second.
    init(atOnce: Double, perSecond: Double) {
        self.burst = atOnce
        self.perSecond = perSecond
        remaining = atOnce
    }

    mutating func allows(now: Duration) -> Bool {
        remaining = min(burst, remaining + Double(max(.zero, now - last).ms) * perSecond / 1_000)
        last = now
        guard remaining >= 1 else { return false }
        remaining -= 1
        return true
    }
}
