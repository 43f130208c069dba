import Glibc
import STCScreen
import STDesktop
import STPlatform

/// All panes on the display. Passes each event to its pane.
final class XPanes {
    /// Upper bound on simultaneous panes. A further one is rejected.
    ///
    /// The bound allows one pane for every possible window, and some that cover no window.
    private static let panesMax = DesktopModel.windowsMax + 64

    let connection: XConnection
    let loop: LoopThread
    let windows: XWindows
    let outputs: XOutputs
    let hasShape: Bool
    private let onEvent: (DesktopEvent) -> Void
    private var panes: [PaneID: XPane] = [:]
    private var byWindow: [UInt32: XPane] = [:]
    private var wantsPlacing: Set<PaneID> = []
    /// Created at the first key press.
    private var keyboard: XKeyboard?

    init(
        _ connection: XConnection,
        loop: LoopThread,
        windows: XWindows,
        outputs: XOutputs,
        heard: @escaping (DesktopEvent) -> Void
    ) {
        self.connection = connection
        self.loop = loop
        self.windows = windows
        self.outputs = outputs
        self.onEvent = heard
        hasShape = connection.firstEvent(of: ST_SHAPE) != nil
        windows.isPane = { [weak self] in self?[$0] != nil }
        windows.onChange = { [weak self] in self?.mark(over: $0) }
        windows.onNewFrame = { [weak self] in self?.restack(over: $0) }
    }

    subscript(_ window: UInt32) -> XPane? { byWindow[window] }

    var isEmpty: Bool { panes.isEmpty }

    var isStale: Bool { !wantsPlacing.isEmpty }

    func send(_ id: PaneID, _ event: PaneEvent) { onEvent(.pane(id, event)) }

    // MARK: - Acts

    func open(_ order: PaneRequest) {
        guard panes[order.id] == nil else { return }
        guard panes.count < Self.panesMax else {
            let why = Message(
                "agent.too-many-covers",
                "Screen Time already shows \(Self.panesMax, "count") windows, which is the limit."
            )
            return send(order.id, .failed(why))
        }
        let pane = XPane(order, self)
        panes[order.id] = pane
        byWindow[pane.window] = pane
        wantsPlacing.insert(order.id)
        // An order for an unknown window has the same reply as one for a window that has just gone.
        if pane.target.flatMap({ windows[$0] }) == nil, case .over = order.place { send(order.id, .hidden) }
    }

    func paint(_ id: PaneID, _ picture: PanePicture) { panes[id]?.paint(picture) }

    func holdInput(_ id: PaneID) { panes[id]?.keys.holdInput() }

    func close(_ id: PaneID) {
        guard let pane = panes[id] else { return }
        // The keyboard is handled first, because a window that is destroyed with the focus leaves it to no window.
        let hadKeys = pane.keys.release()
        remove(pane)
        if hadKeys { returnKeys(to: pane.target ?? windows.foreground) }
        xcb_destroy_window(connection.raw, pane.window)
        // A keymap is large and rarely used.
        if panes.isEmpty { keyboard = nil }
    }

    func closeAll() {
        for id in panes.keys { close(id) }
    }

    /// Discards all panes, because the display is gone.
    func removeAll() {
        panes = [:]
        byWindow = [:]
        wantsPlacing = []
        keyboard = nil
    }

    private func remove(_ pane: XPane) {
        panes[pane.order.id] = nil
        byWindow[pane.window] = nil
        wantsPlacing.remove(pane.order.id)
    }

    // MARK: - Position

    func mark(over window: UInt32) {
        for (id, pane) in panes where pane.target == window { wantsPlacing.insert(id) }
    }

    func markAll() { wantsPlacing.formUnion(panes.keys) }

    func place() {
        let ids = wantsPlacing
        wantsPlacing = []
        for id in ids { panes[id]?.place() }
    }

    func restack(over window: UInt32) {
        for pane in panes.values where pane.target == window && pane.isWanted { pane.scheduleRestack() }
    }

    /// Handles that another program destroyed the window of a pane.
    func destroyed(_ pane: XPane) {
        remove(pane)
        pane.keys.cancelRetry()
        let why = Message(
            "agent.cover-was-removed",
            "Another program removed Screen Time's cover from the screen."
        )
        send(pane.order.id, .failed(why))
    }

    // MARK: - The keyboard

    /// Handles a key press in a pane's own window, or in a window beneath whose keys the pane has grabbed.
    func handleKeyPress(_ event: xcb_key_press_event_t) {
        let window = event.event
        guard
            let pane = byWindow[window]
                ?? panes.values.first(where: { $0.target == window && $0.keys.hasGrab })
        else { return }
        if let key = loadKeyboard()?.key(code: event.detail, state: event.state) {
            send(pane.order.id, .key(key))
        }
    }

    private func loadKeyboard() -> XKeyboard? {
        if keyboard == nil { keyboard = XKeyboard(connection) }
        return keyboard
    }

    /// Closes the menus of an app, which are above its cover and have the keyboard. It sends Escape, as a person would. If `isFirm`
    /// is true, it unmaps them instead.
    func closeMenus(_ menus: [UInt32], isFirm: Bool) {
        guard !isFirm, connection.firstEvent(of: ST_XTEST) != nil,
            let escape = loadKeyboard()?.code(of: XKB_KEY_Escape)
        else {
            for menu in menus { xcb_unmap_window(connection.raw, menu) }
            return
        }
        for kind in [XCB_KEY_PRESS, XCB_KEY_RELEASE] {
            xcb_test_fake_input(connection.raw, UInt8(kind), escape, 0, connection.root, 0, 0, 0)
        }
    }

    /// Discards the keymap, because the keyboard layout has changed.
    func discardKeyboard() { keyboard = nil }

    /// Lets panes give the keyboard up after a change of the foreground window.
    func releaseKeys() {
        for pane in panes.values { pane.keys.releaseFocus() }
    }

    /// Handles that an app's window has received the keyboard, by itself or because it came to the foreground.
    func reacquireKeys(from window: UInt32) {
        for pane in panes.values where pane.target == window { pane.keys.reacquire() }
        // Another attempt is useful, because the program that held a grab has probably released it.
        retryHolds()
    }

    /// Retries pending holds after a program has released the keyboard, because it may have been the obstacle.
    func retryHolds() {
        for pane in panes.values where pane.isMapped { pane.keys.scheduleRetry() }
    }

    /// Activates the highest usable window.
    func activateNext() { windows.activateNext(covered: Set(panes.values.compactMap(\.target))) }

    /// Activates the window. The manager then decides about the keyboard. Without a manager, the window simply receives it.
    private func returnKeys(to window: UInt32?) {
        guard let window, let known = windows[window], known.current.isShown else { return activateNext() }
        windows.activate(window)
    }
}
