import Glibc
import STCScreen
import STDesktop
import STPlatform

/// All panes on the display. Passes each event to its pane.
final class XPanes {
    /// Upper bound on simultaneous panes. A further one is rejected.
    ///
    /// The bound allows one pane for every possible window, and some that cover no window.
    private static let panesMax = DesktopScene.windowsMax + 64

    let connection: XConnection
    let loop: LoopThread
    let windows: XWindows
    let outputs: XOutputs
    let hasShape: Bool
    private let heard: (DesktopEvent) -> Void
    private var all: [PaneID: XPane] = [:]
    private var byWindow: [UInt32: XPane] = [:]
    private var wantsPlacing: Set<PaneID> = []
    /// Created at the first key press.
    private var keyboard: XKeyboard?

    init(
        _ connection: XConnection,
        _ loop: LoopThread,
        _ windows: XWindows,
        _ outputs: XOutputs,
        heard: @escaping (DesktopEvent) -> Void
    ) {
        self.connection = connection
        self.loop = loop
        self.windows = windows
        self.outputs = outputs
        self.heard = heard
        hasShape = connection.firstEvent(of: ST_SHAPE) != nil
        windows.isPane = { [weak self] in self?[$0] != nil }
        windows.onChange = { [weak self] in self?.mark(over: $0) }
        windows.onNewFrame = { [weak self] in self?.restack(over: $0) }
    }

    subscript(_ window: UInt32) -> XPane? { byWindow[window] }

    var isEmpty: Bool { all.isEmpty }

    var isStale: Bool { !wantsPlacing.isEmpty }

    func tell(_ id: PaneID, _ event: PaneEvent) { heard(.pane(id, event)) }

    // MARK: - Acts

    func open(_ order: PaneOrder) {
        guard all[order.id] == nil else { return }
        guard all.count < Self.panesMax else {
            let why = Message(
                "agent.too-many-covers",
                "Screen Time already shows \(Self.panesMax, "count") windows, which is the limit."
            )
            return tell(order.id, .failed(why))
        }
        let pane = XPane(order, self)
        all[order.id] = pane
        byWindow[pane.window] = pane
        wantsPlacing.insert(order.id)
        // An order for an unknown window has the same reply as one for a window that has just gone.
        if pane.target.flatMap({ windows[$0] }) == nil, case .over = order.place { tell(order.id, .hidden) }
    }

    func paint(_ id: PaneID, _ picture: PanePicture) { all[id]?.paint(picture) }

    func hold(_ id: PaneID) { all[id]?.keys.hold() }

    func close(_ id: PaneID) {
        guard let pane = all[id] else { return }
        // The keyboard is handled first, because a window that is destroyed with the focus leaves it to no window.
        let hadKeys = pane.keys.letGo()
        remove(pane)
        if hadKeys { giveKeysBack(to: pane.target ?? windows.front) }
        xcb_destroy_window(connection.raw, pane.window)
        // A keymap is large and rarely used.
        if all.isEmpty { keyboard = nil }
    }

    func closeAll() {
        for id in all.keys { close(id) }
    }

    /// Discards all panes, because the display is gone.
    func forgetAll() {
        all = [:]
        byWindow = [:]
        wantsPlacing = []
        keyboard = nil
    }

    private func remove(_ pane: XPane) {
        all[pane.order.id] = nil
        byWindow[pane.window] = nil
        wantsPlacing.remove(pane.order.id)
    }

    // MARK: - Position

    func mark(over window: UInt32) {
        for (id, pane) in all where pane.target == window { wantsPlacing.insert(id) }
    }

    func markAll() { wantsPlacing.formUnion(all.keys) }

    func place() {
        let ids = wantsPlacing
        wantsPlacing = []
        for id in ids { all[id]?.place() }
    }

    func restack(over window: UInt32) {
        for pane in all.values where pane.target == window && pane.isWanted { pane.restackSoon() }
    }

    /// Handles that another program destroyed the window of a pane.
    func destroyed(_ pane: XPane) {
        remove(pane)
        pane.keys.stopTrying()
        let why = Message(
            "agent.cover-was-removed",
            "Another program removed Screen Time's cover from the screen."
        )
        tell(pane.order.id, .failed(why))
    }

    // MARK: - The keyboard

    /// Handles a key press in a pane's own window, or in a window beneath whose keys the pane has grabbed.
    func typed(_ event: xcb_key_press_event_t) {
        let window = event.event
        guard
            let pane = byWindow[window]
                ?? all.values.first(where: { $0.target == window && $0.keys.hasGrab })
        else { return }
        if let key = board()?.key(code: event.detail, state: event.state) { tell(pane.order.id, .key(key)) }
    }

    private func board() -> XKeyboard? {
        if keyboard == nil { keyboard = XKeyboard(connection) }
        return keyboard
    }

    /// Closes the menus of an app, which are above its cover and have the keyboard. It sends Escape, as a person would. If `isFirm`
    /// is true, it unmaps them instead.
    func closeMenus(_ menus: [UInt32], isFirm: Bool) {
        guard !isFirm, connection.firstEvent(of: ST_XTEST) != nil,
            let escape = board()?.code(of: XKB_KEY_Escape)
        else {
            for menu in menus { xcb_unmap_window(connection.raw, menu) }
            return
        }
        for kind in [XCB_KEY_PRESS, XCB_KEY_RELEASE] {
            xcb_test_fake_input(connection.raw, UInt8(kind), escape, 0, connection.root, 0, 0, 0)
        }
    }

    /// Discards the keymap, because the keyboard layout has changed.
    func forgetKeyboard() { keyboard = nil }

    /// Lets panes give the keyboard up after a change of the foreground window.
    func leaveKeys() {
        for pane in all.values { pane.keys.leave() }
    }

    /// Handles that an app's window has received the keyboard, by itself or because it came to the foreground.
    func takeKeysBack(from window: UInt32) {
        for pane in all.values where pane.target == window { pane.keys.takeBack() }
        // Another attempt is useful, because the program that held a grab has probably released it.
        retryHolds()
    }

    /// Retries pending holds after a program has released the keyboard, because it may have been the obstacle.
    func retryHolds() {
        for pane in all.values where pane.isMapped { pane.keys.retrySoon() }
    }

    /// Activates the highest usable window.
    func activateNext() { windows.activateNext(covered: Set(all.values.compactMap(\.target))) }

    /// Activates the window. The manager then decides about the keyboard. Without a manager, the window simply receives it.
    private func giveKeysBack(to window: UInt32?) {
        guard let window, let known = windows[window], known.now.isShown else { return activateNext() }
        windows.activate(window)
    }
}
