import Glibc
import STCScreen
import STDesktop
import STPlatform

/// All that this adapter knows of a display; it lives on the adapter's thread.
///
/// Events only mark what has changed. Once all events that have come are read, `settle` asks for what was marked, in as
/// few turns as possible, and tells what is different from before: however wildly windows come and go, each round costs
/// no more than what is there at its end.
final class XDesk: @unchecked Sendable {
    // @unchecked: everything is touched on the loop's thread only.
    let connection: XConnection
    let loop: LoopThread
    let environment: [String: String]
    let usesCounters: Bool
    let heard: (DesktopEvent) -> Void

    var windows: [UInt32: XWindow] = [:]
    /// From what the window manager draws around a window to the window.
    var frames: [UInt32: UInt32] = [:]
    var dirty: [UInt32: XWindow.Parts] = [:]
    /// Windows that are not there now and were an app's; until they are destroyed.
    var formerApps: Set<UInt32> = []
    var wantsClients = true
    var wantsDesktop = true
    var wantsManager = true
    var wantsOutputs = true
    /// The server's time of the change that makes us look.
    var focusChange: UInt32?
    var manager = XManager()
    var currentDesktop: UInt32?
    var outputs: [DesktopOutput] = []
    var focus: UInt32?
    /// The server's time at which it came to the front; 0: unknown.
    var frontSinceServerMs: UInt32 = 0
    /// What was in front is no more, and nothing was told of what is now.
    var focusIsGone = false
    /// Since when nothing is in front, while that may pass.
    var bareSinceMs: Int64?
    var isReady = false
    var hasEnded = false

    var clock = XServerClock()
    var idle = XIdle()
    var keyboard: XKeyboard?
    var panes: [PaneID: XPane] = [:]
    var paneOfWindow: [UInt32: PaneID] = [:]
    var wantsPlacing: Set<PaneID> = []
    /// Windows that were asked to go, and when: they are not brought to the front meanwhile.
    var leaving: [UInt32: Int64] = [:]

    let randr: UInt8?
    let sync: UInt8?
    let xkb: UInt8?
    let hasOwners: Bool
    let hasShape: Bool

    /// Events that are read before anything else gets its turn.
    private static let eventsMax = 4_096

    init(
        _ connection: XConnection,
        _ loop: LoopThread,
        environment: [String: String],
        usesCounters: Bool,
        heard: @escaping (DesktopEvent) -> Void
    ) {
        self.connection = connection
        self.loop = loop
        self.environment = environment
        self.usesCounters = usesCounters
        self.heard = heard
        randr = connection.firstEvent(of: ST_RANDR)
        sync = connection.firstEvent(of: ST_SYNC)
        xkb = connection.firstEvent(of: ST_XKB)
        hasShape = connection.firstEvent(of: ST_SHAPE) != nil
        hasOwners = Self.tellsOwners(connection)
    }

    /// On its own thread.
    func start(idleAfterMs: Int64) {
        guard let waiter = loop.currentWaiter as? XWaiter else { return }
        connection.select(
            connection.root,
            XCB_EVENT_MASK_PROPERTY_CHANGE,
            XCB_EVENT_MASK_STRUCTURE_NOTIFY,
            XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY
        )
        if randr != nil { watchOutputs() }
        startIdle(afterMs: idleAfterMs)
        focusChange = 0
        // The socket wakes the thread; what it brings is handled before the next wait.
        waiter.watch(descriptor: connection.descriptor) {}
        waiter.turn = { [unowned self] in turn() }
    }

    /// Takes our windows off the screen.
    func end() {
        guard !hasEnded else { return }
        for id in panes.keys { closePane(id) }
        connection.sync()
        hasEnded = true
        keyboard = nil
        (loop.currentWaiter as? XWaiter)?.turn = nil
        loop.currentWaiter.unwatch(descriptor: connection.descriptor)
    }

    static func tellsOwners(_ connection: XConnection) -> Bool {
        guard connection.firstEvent(of: ST_RES) != nil else { return false }
        let cookie = xcb_res_query_version(connection.raw, 1, 2)
        guard let reply = xcb_res_query_version_reply(connection.raw, cookie, nil) else { return false }
        defer { free(reply) }
        return (reply.pointee.server_major, reply.pointee.server_minor) >= (1, 2)
    }

    // MARK: - Turns

    /// Handles what has come; true when that was anything.
    func turn() -> Bool {
        guard !hasEnded else { return false }
        connection.flush()
        var count = 0
        while count < Self.eventsMax, let event = xcb_poll_for_event(connection.raw) {
            handle(event)
            free(event)
            count += 1
        }
        if connection.hasEnded {
            lose()
            return true
        }
        let hasSettled = settle()
        connection.flush()
        return count > 0 || hasSettled
    }

    /// Asks for what was marked; true when that was anything.
    private func settle() -> Bool {
        guard
            wantsManager || wantsClients || wantsDesktop || wantsOutputs || !dirty.isEmpty
                || focusChange != nil
                || !wantsPlacing.isEmpty
        else { return false }
        if wantsManager { readManager() }
        if wantsDesktop { readDesktop() }
        if wantsOutputs { readOutputs() }
        if wantsClients { readClients() }
        refreshWindows()
        if let time = focusChange { readFocus(serverMs: time) }
        placePanes()
        guard !connection.hasEnded else { return true }
        if !isReady {
            isReady = true
            heard(.ready(abilities))
        }
        return true
    }

    func mark(_ window: UInt32, _ parts: XWindow.Parts) {
        guard windows[window] != nil else { return }
        dirty[window, default: []].insert(parts)
    }

    private func lose() {
        hasEnded = true
        panes = [:]
        keyboard = nil
        (loop.currentWaiter as? XWaiter)?.turn = nil
        loop.currentWaiter.unwatch(descriptor: connection.descriptor)
        heard(
            .lost(
                Problem(
                    "x11.display_lost",
                    "The X display has gone away: its server ended, or closed the connection.",
                    retryable: true
                )
            )
        )
    }

    var abilities: ScreenAbilities {
        var abilities = ScreenAbilities()
        abilities.seesFocus = true
        abilities.seesProcesses = hasOwners
        abilities.seesFrames = true
        abilities.seesIdle = idle.isKnown
        abilities.covers = true
        abilities.holdsInput = true
        abilities.minimizes = manager.isThere
        abilities.activates = true
        abilities.asksToClose = true
        return abilities
    }

    var nowBootMs: Int64 { Stopwatch.bootMilliseconds() }
}
