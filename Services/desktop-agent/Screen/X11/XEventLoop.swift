import Glibc
import STCScreen
import STDesktop
import STPlatform

/// The event loop of the X11 adapter. It has its own thread, and sleeps until the server sends an event.
///
/// Each part manages one aspect of the display. Events only mark changes in a part. Once all pending events are read, `settle` lets
/// each part query the marked values and report differences.
final class XEventLoop: @unchecked Sendable {
    // @unchecked: everything is used on the loop's thread only.

    /// Upper bound on events that are read before other work.
    private static let eventsMax = 4_096

    private let connection: XConnection
    private let loop: LoopThread
    private let usesCounters: Bool
    private let onEvent: (DesktopEvent) -> Void
    private let manager: XWindowManagerWatch
    private let outputs: XOutputs
    private let windows: XWindows
    private let panes: XPanes
    private let focus: XFocus
    private let idle: XIdle
    /// The first event number of each extension. `nil` if the server does not have the extension.
    private let randr: UInt8?
    private let sync: UInt8?
    private let xkb: UInt8?
    private let hasOwners: Bool
    private var isReady = false
    private var hasEnded = false

    /// If `usesCounters` is false, idleness is polled, as for a server without idle counters.
    init(
        _ connection: XConnection,
        _ loop: LoopThread,
        environment: [String: String],
        usesCounters: Bool,
        heard: @escaping (DesktopEvent) -> Void
    ) {
        self.connection = connection
        self.loop = loop
        self.usesCounters = usesCounters
        self.onEvent = heard
        randr = connection.firstEvent(of: ST_RANDR)
        sync = connection.firstEvent(of: ST_SYNC)
        xkb = connection.firstEvent(of: ST_XKB)
        hasOwners = connection.reportsOwners()
        manager = XWindowManagerWatch(connection)
        outputs = XOutputs(connection, environment: environment)
        windows = XWindows(connection, manager, hasOwners: hasOwners, heard: heard)
        panes = XPanes(connection, loop: loop, windows: windows, outputs: outputs, heard: heard)
        focus = XFocus(panes, manager, heard: heard)
        idle = XIdle(connection, loop, heard: heard)
    }

    /// Starts the adapter's work. Runs on the loop's thread.
    func start(idleAfter: Duration) {
        guard let waiter = loop.currentWaiter as? XWaiter else { return }
        connection.select(
            connection.root,
            XCB_EVENT_MASK_PROPERTY_CHANGE,
            XCB_EVENT_MASK_STRUCTURE_NOTIFY,
            XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY
        )
        if randr != nil { outputs.watch() }
        idle.start(after: idleAfter, withCounters: usesCounters)
        // The socket only wakes the thread. `turn` handles its data before the next wait.
        waiter.watch(descriptor: connection.descriptor) {}
        waiter.onTurn = { [unowned self] in processEvents() }
    }

    /// Removes all panes from the screen.
    func end() {
        guard !hasEnded else { return }
        panes.closeAll()
        connection.sync()
        stop()
    }

    private func handleLoss() {
        panes.removeAll()
        stop()
        onEvent(
            .lost(
                Problem(
                    "x11.display_lost",
                    "The X display is no longer available: its server exited, or closed the connection.",
                    retryable: true
                )
            )
        )
    }

    private func stop() {
        hasEnded = true
        idle.stop()
        (loop.currentWaiter as? XWaiter)?.onTurn = nil
        loop.currentWaiter.unwatch(descriptor: connection.descriptor)
    }

    // MARK: - Acts

    func perform(_ acts: [DesktopAction]) {
        guard !hasEnded else { return }
        for act in acts {
            switch act {
            case .openPane(let order): panes.open(order)
            case .paint(let id, let picture): panes.paint(id, picture)
            case .closePane(let id): panes.close(id)
            case .holdInput(let id): panes.holdInput(id)
            case .minimize(let ids): for id in ids { windows.minimize(id) }
            case .activate(let id):
                if let id { XWindow.number(id).map(windows.activate) } else { panes.activateNext() }
            case .askToClose(let id): windows.requestClose(id)
            case .showItem: break
            }
        }
    }

    /// Returns the moment of the last user input. Returns `nil` if the display does not report it.
    func lastInput() -> BootTime? { idle.quietTime().map { Stopwatch.bootTime() - $0 } }

    /// Returns once the server has processed all requests so far.
    func ping() { connection.sync() }

    private var abilities: ScreenAbilities {
        var abilities = ScreenAbilities()
        abilities.reportsProcesses = hasOwners
        abilities.reportsFrames = true
        abilities.reportsIdle = idle.isKnown
        abilities.covers = true
        abilities.holdsInput = true
        abilities.minimizes = manager.current.isRunning
        abilities.activates = true
        abilities.closesWindows = true
        return abilities
    }

    // MARK: - Turns

    /// Handles all pending events and changes. Returns true if there were any.
    private func processEvents() -> Bool {
        guard !hasEnded else { return false }
        connection.flush()
        var count = 0
        while count < Self.eventsMax, let event = xcb_poll_for_event(connection.raw) {
            handle(event)
            free(event)
            count += 1
        }
        if connection.hasEnded {
            handleLoss()
            return true
        }
        let hasSettled = reconcile()
        connection.flush()
        return count > 0 || hasSettled
    }

    /// Queries the marked values. Returns true if there were any.
    private func reconcile() -> Bool {
        guard manager.isStale || outputs.isStale || windows.isStale || focus.isStale || panes.isStale else {
            return false
        }
        if manager.readManager() {
            windows.markList()
            focus.mark()
            // A manager that starts later may support more acts.
            if isReady { onEvent(.ready(abilities)) }
        }
        if manager.readWorkspace() { windows.markWorkspaces() }
        if outputs.read() {
            onEvent(.outputs(outputs.outputs))
            panes.markAll()
        }
        windows.readList()
        windows.refresh()
        focus.read()
        panes.place()
        guard !connection.hasEnded else { return true }
        if !isReady {
            isReady = true
            onEvent(.ready(abilities))
        }
        return true
    }

    // MARK: - Events, and the parts that handle them

    private func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        // 0 is an error, which is ignored here.
        let kind = event.pointee.response_type & 0x7f
        if event.pointee.response_type & 0x80 != 0 { return handleSent(event, kind) }
        switch Int32(kind) {
        case XCB_PROPERTY_NOTIFY: propertyChanged(st_property_notify(event))
        case XCB_CONFIGURE_NOTIFY: configured(st_configure_notify(event))
        case XCB_MAP_NOTIFY: mapped(st_map_notify(event).window)
        case XCB_UNMAP_NOTIFY: unmapped(st_unmap_notify(event).window)
        case XCB_REPARENT_NOTIFY: reparented(st_reparent_notify(event).window)
        case XCB_DESTROY_NOTIFY: destroyed(st_destroy_notify(event).window)
        case XCB_FOCUS_IN: focusDidChange(st_focus_in(event), isIn: true)
        case XCB_FOCUS_OUT: focusDidChange(st_focus_in(event), isIn: false)
        case XCB_KEY_PRESS: panes.handleKeyPress(st_key_press(event))
        case XCB_MAPPING_NOTIFY: panes.discardKeyboard()
        default: if !handlePointer(event, kind) { handleExtension(event, kind) }
        }
    }

    /// Handles pointer events over panes. Returns false for other events.
    private func handlePointer(_ event: UnsafeMutablePointer<xcb_generic_event_t>, _ kind: UInt8) -> Bool {
        switch Int32(kind) {
        case XCB_BUTTON_PRESS, XCB_BUTTON_RELEASE:
            let event = st_button_press(event)
            panes[event.event]?.pressed(event, isDown: Int32(kind) == XCB_BUTTON_PRESS)
        case XCB_MOTION_NOTIFY: panes[st_motion_notify(event).event]?.moved()
        case XCB_ENTER_NOTIFY, XCB_LEAVE_NOTIFY:
            let event = st_enter_notify(event)
            panes[event.event]?.entered(event, isIn: Int32(kind) == XCB_ENTER_NOTIFY)
        case XCB_VISIBILITY_NOTIFY:
            let event = st_visibility_notify(event)
            panes[event.window]?.visibilityChanged(event)
        default: return false
        }
        return true
    }

    /// Handles an event from another client, which the highest bit marks. Any client can forge clicks and keys in this way.
    ///
    /// Only ConfigureNotify is accepted, because window managers send it to a window after they have moved its frame.
    private func handleSent(_ event: UnsafeMutablePointer<xcb_generic_event_t>, _ kind: UInt8) {
        guard Int32(kind) == XCB_CONFIGURE_NOTIFY else { return }
        windows.mark(st_configure_notify(event).window, .geometry)
    }

    private func handleExtension(_ event: UnsafeMutablePointer<xcb_generic_event_t>, _ kind: UInt8) {
        // Changes of the screen and the outputs, the alarm of a counter, and all events of the keyboard.
        if let randr, kind == randr || kind == randr &+ 1 { outputs.mark() }
        if let sync, kind == sync &+ 1 { idle.alarmDidFire(event) }
        if let xkb, kind == xkb { panes.discardKeyboard() }
    }

    private func propertyChanged(_ event: xcb_property_notify_event_t) {
        let atoms = connection.atoms
        guard event.window == connection.root else { return windows.markProperty(event.window, event.atom) }
        switch event.atom {
        case atoms[.activeWindow]: focus.mark(serverMs: event.time)
        case atoms[.clientList]: if manager.current.maintainsHints { windows.markList() }
        case atoms[.currentDesktop]: manager.markWorkspace()
        case atoms[.managerCheck], atoms[.supported]: manager.mark()
        case XCB_ATOM_RESOURCE_MANAGER.rawValue: outputs.mark()
        default: break
        }
    }

    private func configured(_ event: xcb_configure_notify_event_t) {
        windows.mark(event.window, .geometry)
        if let id = windows.client(ofFrame: event.window) {
            windows.mark(id, .geometry)
            // Immediately, because the app is visible until then.
            panes.restack(over: id)
        }
        panes[event.window]?.configured(event)
        if event.window == connection.root { outputs.mark() }
    }

    private func mapped(_ id: UInt32) {
        if let pane = panes[id] { pane.mapped() } else { inspect(id) }
    }

    private func unmapped(_ id: UInt32) {
        if let pane = panes[id] { pane.unmapped() } else { inspect(id) }
    }

    private func inspect(_ id: UInt32) {
        windows.mark(id, .mapping)
        if let client = windows.client(ofFrame: id) { windows.mark(client, .mapping) }
        guard !manager.current.maintainsHints else { return }
        windows.markList()
        // The foreground window may be gone.
        focus.mark()
    }

    private func reparented(_ id: UInt32) {
        windows.mark(id, [.parents, .geometry, .mapping])
        if !manager.current.maintainsHints { windows.markList() }
    }

    private func destroyed(_ id: UInt32) {
        if id == manager.current.check { manager.mark() }
        if let pane = panes[id] { return panes.destroyed(pane) }
        windows.destroyed(id)
        if !manager.current.maintainsHints { windows.markList() }
    }

    private func focusDidChange(_ event: xcb_focus_in_event_t, isIn: Bool) {
        // A grab redirects the keyboard for its duration, but does not change the focus.
        let isGrab = event.mode == UInt8(XCB_NOTIFY_MODE_GRAB.rawValue)
        let isUngrab = event.mode == UInt8(XCB_NOTIFY_MODE_UNGRAB.rawValue)
        if let pane = panes[event.event] {
            pane.keys.focusChanged(isIn: isIn, isGrab: isGrab, isUngrab: isUngrab)
        } else if isIn, isUngrab {
            panes.retryHolds()
        } else if isIn, !isGrab, windows[event.event] != nil {
            panes.reacquireKeys(from: event.event)
        }
        if !isGrab, !isUngrab { focus.mark() }
    }
}

/// Waits for descriptors and for one connection to an X server. The connection may hold events that its socket does not show.
final class XWaiter: LoopWaiter {
    private var items: [pollfd] = []
    private var handlers: [() -> Void] = []
    /// Sends pending requests and handles pending events. Returns true if there were any.
    ///
    /// Set while there is a connection.
    var onTurn: (() -> Bool)?

    func watch(descriptor: Int32, _ onReadable: @escaping () -> Void) {
        items.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        handlers.append(onReadable)
    }

    func unwatch(descriptor: Int32) {
        guard let index = items.firstIndex(where: { $0.fd == descriptor }) else { return }
        items.remove(at: index)
        handlers.remove(at: index)
    }

    func wait(timeoutMs: Int) {
        // The handled events may have set timers, so the loop must check these before it blocks.
        if onTurn?() == true { return }
        guard poll(&items, nfds_t(items.count), Int32(clamping: timeoutMs)) > 0 else { return }
        // A handler can watch or unwatch. So the ready handlers are collected before the first one is called.
        let ready = items.indices.filter { items[$0].revents != 0 }.map { handlers[$0] }
        for handler in ready { handler() }
    }
}
