import STCScreen
package import STDesktop
import STPlatform

/// The event loop of the Wayland adapter. All its work runs on the loop's thread.
///
/// Its parts hold the windows, monitors, the seat and the foreground window. A link to sway or KWin, if there is one, reports the
/// positions of windows. The thread sleeps until the compositor or the link sends an event.
final class WaylandEventLoop {
    /// Time limit for the first tree of a link.
    private static let startTimeout = Duration.seconds(2)
    /// Interval of polling frames while a cover is shown, if the link does not report changes.
    ///
    /// The interval is short while frames change and long while they do not, because each poll takes two wake-ups.
    private static let pollInterval = (changing: Duration.milliseconds(250), still: Duration.seconds(1))
    private static let hasEnded = Message(
        "desktop.lost.the-compositor-ended",
        "The compositor exited or closed the connection. Screen Time is trying again."
    )

    private let connection: WaylandConnection
    private let loop: LoopThread
    private let onEvent: (DesktopEvent) -> Void
    private let outputs: WaylandOutputs
    private var toplevels = WaylandToplevels()
    private var seat: SeatInput?
    private var panes: WaylandPanes?
    private var link: (any CompositorLink)?
    private var idle: IdleWatch?
    private lazy var foreground = WaylandForegroundTracker { [unowned self] id, moment in
        send(.focus(id, atBootMs: moment.ms))
        panes?.layOutAll()
    }
    /// The last tree from the link.
    private var tree: WindowTree?
    private var sentOutputs: [DesktopOutput] = []
    private var isReady = false
    /// True once the compositor has reported its initial state.
    private var hasRead = false
    private var isLost = false
    private var isPolling = false
    /// True if the last poll of frames found a change.
    private var isMoving = false
    private var pendingActions = PendingActions()
    private var isRetrying = false

    init(_ connection: WaylandConnection, loop: LoopThread, heard: @escaping (DesktopEvent) -> Void) {
        self.connection = connection
        self.loop = loop
        self.onEvent = heard
        outputs = WaylandOutputs(connection)
    }

    private func send(_ event: DesktopEvent) {
        if !isLost { onEvent(event) }
    }

    // MARK: - Beginning and end

    /// `makeLink` connects to the desktop's own interface. It returns `nil` if there is none.
    func begin(idleAfter: Duration, _ makeLink: (LoopThread) -> (any CompositorLink)?) {
        outputs.onChange = { [weak self] in self?.outputsDidChange() }
        outputs.onGone = { [weak self] output in self?.toplevels.removeOutput(output) }
        connection.onGlobal = { [weak self] in self?.outputs.add($0) }
        connection.onGone = { [weak self] in self?.outputs.remove(global: $0) }
        let surfaces = SurfaceFactory(connection)
        seat = SeatInput(connection, surfaces)
        if let surfaces, let seat { makePanes(surfaces, seat) }
        if let link = makeLink(loop) { attach(link) }
        if let seat {
            idle = IdleWatch(connection, seat: seat.handle, after: idleAfter) { [weak self] in
                self?.send($0)
                // Checks occasionally, without an additional timer, that the link still works.
                self?.link?.refresh()
            }
        }
        beginWindows()
        loop.currentWaiter.watch(descriptor: connection.descriptor) { [weak self] in self?.readable() }
        connection.sync { [weak self] in self?.completeInitialSync() }
        flush()
    }

    private func makePanes(_ surfaces: SurfaceFactory, _ seat: SeatInput) {
        let panes = WaylandPanes(connection, surfaces: surfaces, seat: seat, loop: loop)
        seat.panes = panes
        panes.plan = { [weak self] order, holds in
            guard let self else { return nil }
            return PaneLayoutPlanner(toplevels: toplevels, outputs: outputs, tree: tree, front: foreground)
                .plan(order, holds: holds)
        }
        panes.output = { [weak self] number in
            self?.outputs.outputs.first { $0.global == number }?.handle
        }
        panes.isActivated = { [weak self] in self?.toplevels[$0]?.isActivated ?? false }
        panes.raise = { [weak self] in self?.perform(.activate($0)) }
        panes.closeMenus = { [weak self] in self?.closeMenus($0) }
        panes.onEvent = { [weak self] in self?.send(.pane($0, $1)) }
        self.panes = panes
    }

    /// Listens to the protocol only if there is no link, because a link reports the same and more.
    ///
    /// This is simpler, and it avoids a fault of sway 1.7. If the title of an X11 app is longer than a Wayland message, sway sends
    /// nothing more to a client that listens to titles.
    private func beginWindows() {
        do {
            let book = link == nil ? try WaylandToplevels(connection) : WaylandToplevels()
            book.onChange = { [weak self] in self?.toplevelDidChange($0) }
            book.onGone = { [weak self] in self?.toplevelDidClose($0) }
            book.onFinished = { [weak self] in
                self?.handleLoss(
                    Message(
                        "desktop.lost.the-compositor-stopped",
                        "The compositor stopped reporting its windows; log out and in again."
                    )
                )
            }
            toplevels = book
        } catch {
            handleLoss(error.text)
        }
    }

    /// Continues after the compositor has reported its initial state. The link's tree is still missing.
    private func completeInitialSync() {
        toplevels.isLoadingInitialWindows = false
        hasRead = true
        guard link != nil else { return ready() }
        // An earlier tree may be older than the windows.
        tree = nil
        link?.refresh()
        loop.after(milliseconds: Self.startTimeout.ms) { [weak self] in
            guard let self, !isReady else { return }
            // The link does not answer, so the protocol must suffice.
            link?.close()
            linkDidEnd()
        }
    }

    /// Reports the initial state once: all windows first, then the foreground window.
    private func ready() {
        guard !isReady, !isLost, hasRead else { return }
        isReady = true
        outputsDidChange()
        for toplevel in toplevels.toplevels { update(toplevel) }
        updateForeground(at: Stopwatch.bootTime())
        foreground.begin(at: Stopwatch.bootTime())
        send(.ready(abilities))
    }

    private var abilities: ScreenAbilities {
        var abilities = ScreenAbilities()
        abilities.reportsProcesses = link != nil
        abilities.reportsFrames = link != nil
        abilities.clipsToFrames = false
        abilities.waitsForClients = true
        abilities.reportsIdle = idle != nil
        abilities.covers = panes != nil
        abilities.holdsInput = panes != nil
        abilities.minimizes = true
        abilities.activates = seat != nil
        abilities.closesWindows = true
        return abilities
    }

    /// Only available while the user is idle, because the compositor reports input only at the beginning and end of idleness.
    var lastInput: BootTime? { idle?.since }

    private func handleLoss(_ why: Message) {
        guard !isLost else { return }
        send(.lost(Problem("desktop.lost", text: why, retryable: true)))
        isLost = true
        loop.currentWaiter.unwatch(descriptor: connection.descriptor)
        link?.close()
    }

    /// Removes all panes and ends the loop's work.
    func end() {
        if let panes, !isLost {
            panes.closeAll()
            // A short wait is sufficient, because closing the connection removes everything anyway.
            _ = connection.wait(within: .milliseconds(200))
        }
        if !isLost { loop.currentWaiter.unwatch(descriptor: connection.descriptor) }
        link?.close()
        isLost = true
        // Objects of the library must be destroyed before their connection.
        panes?.removeAll()
        panes = nil
        seat = nil
        idle = nil
    }

    // MARK: - Reading and sending

    private func readable() {
        guard connection.read() else { return handleLoss(Self.hasEnded) }
        panes?.layOutIfNeeded()
        flush()
    }

    private func flush() {
        switch connection.flush() {
        case .all: break
        case .lost: handleLoss(Self.hasEnded)
        case .part: retryLater()
        }
    }

    /// Sends the rest a little later, because the compositor does not read. New acts wait meanwhile, because the library ends the
    /// process if its buffer is full.
    private func retryLater() {
        guard !isRetrying else { return }
        isRetrying = true
        loop.after(milliseconds: 100) { [weak self] in
            guard let self, !isLost else { return }
            isRetrying = false
            flush()
            guard !isRetrying else { return }
            perform(pendingActions.takeAll())
        }
    }

    // MARK: - Acts

    func perform(_ acts: [DesktopAction]) {
        guard !isLost else { return }
        guard !isRetrying else { return pendingActions.add(acts) }
        for act in acts { perform(act) }
        pollWhileNeeded()
        flush()
    }

    private func perform(_ act: DesktopAction) {
        switch act {
        case .openPane(let order):
            guard let panes else {
                return send(
                    .pane(
                        order.id,
                        .failed(
                            Message(
                                "agent.no-layer-shell",
                                "This compositor has no layer shell, so Screen Time cannot cover its windows."
                            )
                        )
                    )
                )
            }
            link?.refresh()
            panes.open(order)
        case .paint(let id, let picture): panes?.paint(id, picture)
        case .closePane(let id): panes?.close(id)
        case .holdInput(let id): panes?.holdInput(id)
        case .minimize(let ids): for id in ids { minimize(id) }
        case .activate(let id): activate(id ?? next())
        case .askToClose(let id):
            guard let toplevel = toplevels[id] else { return }
            if let handle = toplevel.handle { zwlr_foreign_toplevel_handle_v1_close(handle) }
            if let container = toplevel.container { link?.requestClose(container) }
        case .showItem: break
        }
    }

    /// Polls frames periodically, only while a cover is shown.
    private func pollWhileNeeded() {
        guard !isPolling, let panes, let link, link.pollsFrames, !panes.isEmpty else { return }
        isPolling = true
        loop.after(milliseconds: (isMoving ? Self.pollInterval.changing : Self.pollInterval.still).ms) {
            [weak self, weak link] in
            guard let self, !isLost else { return }
            isPolling = false
            link?.refresh()
            pollWhileNeeded()
        }
    }

    private func minimize(_ id: WindowID) {
        guard let toplevel = toplevels[id] else { return }
        if let link, let container = toplevel.container {
            guard tree?.window(container)?.isHidden != true else { return }
            link.minimize(container)
        } else if let handle = toplevel.handle {
            zwlr_foreign_toplevel_handle_v1_set_minimized(handle)
        }
    }

    private func activate(_ id: WindowID?) {
        guard let id, let toplevel = toplevels[id] else { return }
        if let container = toplevel.container { link?.activate(container) }
        guard let seat, let handle = toplevel.handle else { return }
        if toplevel.isMinimized { zwlr_foreign_toplevel_handle_v1_unset_minimized(handle) }
        zwlr_foreign_toplevel_handle_v1_activate(handle, seat.handle)
    }

    /// Returns the previous foreground window, unless the desktop has already shown another window.
    private func next() -> WindowID? {
        let current = foreground.window
        if let current, toplevels[current]?.lastSent?.isShown == true { return nil }
        return foreground.recent.first { id in
            guard id != current, let told = toplevels[id]?.lastSent else { return false }
            return told.isShown && !told.isMinimized
        }
    }

    private func closeMenus(_ id: WindowID) {
        guard foreground.window == id, let link, let container = toplevels[id]?.container else { return }
        link.closeMenus(of: container)
    }

    // MARK: - Windows and monitors from the protocol

    private func toplevelDidChange(_ toplevel: WaylandToplevel) {
        update(toplevel)
        updateForeground(at: Stopwatch.bootTime())
    }

    private func toplevelDidClose(_ toplevel: WaylandToplevel) {
        if toplevel.lastSent != nil { send(.windowGone(toplevel.id)) }
        foreground.windowDidClose(toplevel.id)
        guard link == nil else { return }
        updateForeground(at: Stopwatch.bootTime())
        panes?.layOutAll()
    }

    /// Reports a window if it has changed.
    private func update(_ toplevel: WaylandToplevel) {
        guard isReady, toplevel.isComplete else { return }
        let window = window(toplevel)
        guard window != toplevel.lastSent else { return }
        toplevel.lastSent = window
        send(.window(window))
        foreground.windowWasSent(toplevel.id)
    }

    private func window(_ toplevel: WaylandToplevel) -> DesktopWindow {
        let known = toplevel.container.flatMap { tree?.window($0) }
        var window = DesktopWindow(id: toplevel.id)
        window.title = toplevel.title
        window.windowClass = toplevel.appID
        window.pid = known?.pid
        window.frame = known?.content
        window.outputs = outputs(of: toplevel, known).map(\.desktopOutput.name)
        window.isMinimized = toplevel.isMinimized || known?.isHidden == true
        window.isFullscreen = toplevel.isFullscreen || known?.isFullscreen == true
        window.isShown = known?.isVisible ?? !window.isMinimized
        return window
    }

    private func outputs(of toplevel: WaylandToplevel, _ known: TreeWindow?) -> [WaylandOutput] {
        guard let known else { return toplevel.outputs.compactMap { outputs[$0] } }
        guard !known.isHidden else { return [] }
        return outputs.outputs.filter { $0.frame.intersection(known.content) != nil }
    }

    private func outputsDidChange() {
        guard isReady else { return }
        // A monitor without a known frame is not reported yet.
        let now = outputs.outputs.map(\.desktopOutput).filter { !$0.frame.isEmpty }
        if now != sentOutputs {
            sentOutputs = now
            send(.outputs(now))
        }
        for toplevel in toplevels.toplevels { update(toplevel) }
        link?.refresh()
        panes?.layOutAll()
    }

    // MARK: - The link

    private func attach(_ link: any CompositorLink) {
        self.link = link
        link.onTree = { [weak self] in self?.apply($0, at: $1) }
        link.onFocus = { [weak self] in self?.focusDidMove($0, at: $1) }
        link.onEnd = { [weak self] in self?.linkDidEnd() }
    }

    private func linkDidEnd() {
        if let why = link?.fallbackWarning { return handleLoss(why) }
        link = nil
        tree = nil
        for toplevel in toplevels.toplevels where toplevel.lastSent != nil { send(.windowGone(toplevel.id)) }
        foreground.reset()
        beginWindows()
        connection.sync { [weak self] in
            guard let self else { return }
            toplevels.isLoadingInitialWindows = false
            if isReady { send(.ready(abilities)) } else { ready() }
            panes?.layOutAll()
        }
        flush()
    }

    private func apply(_ tree: WindowTree, at moment: BootTime) {
        isMoving = self.tree?.windows != tree.windows || self.tree?.floating != tree.floating
        self.tree = tree
        toplevels.update(tree)
        if !isReady { ready() }
        for toplevel in toplevels.toplevels { update(toplevel) }
        updateForeground(at: moment)
        panes?.layOutAll()
        flush()
    }

    // MARK: - Foreground

    /// Determines the foreground window: the one that the compositor reports as activated.
    ///
    /// While a layer surface has the keyboard, such as a cover or a launcher, sway 1.7 reports no window as activated. Its focus
    /// order still names the foreground window, and it changes when the user switches windows with the desktop's keys.
    private func updateForeground(at moment: BootTime) {
        guard isReady else { return }
        if link != nil {
            guard let container = tree?.foreground else { return foreground.set(nil, at: moment) }
            return focusDidMove(container, at: moment)
        }
        let active = toplevels.toplevels.filter { $0.isActivated && $0.isComplete }
        if let first = active.first {
            // Each of several seats can have an activated window. The current foreground window stays.
            guard active.contains(where: { $0.id == foreground.window }) else {
                return setForeground(first, at: moment)
            }
            return foreground.cancelPending()
        }
        // A cover has the keyboard, so the window beneath it stays in the foreground.
        if seat?.keySheet == nil { foreground.set(nil, at: moment) }
    }

    /// Finds the window by its number in the link's tree. An unknown window follows with the next tree.
    private func focusDidMove(_ container: Int64, at moment: BootTime) {
        guard isReady, let toplevel = toplevels.toplevels.first(where: { $0.container == container }) else {
            return
        }
        setForeground(toplevel, at: moment)
    }

    private func setForeground(_ toplevel: WaylandToplevel, at moment: BootTime) {
        foreground.setForeground(toplevel.id, isKnown: toplevel.lastSent != nil, at: moment)
    }
}

/// Acts that wait because the compositor does not read.
package struct PendingActions {
    /// Upper bound on acts. Further acts are dropped, except for `closePane`, because the pane would otherwise stay forever.
    package static let actionsMax = 1_000
    /// Upper bound on acts that close panes. No correct agent exceeds it.
    package static let closingMax = 10_000

    private var actions: [DesktopAction] = []
    private var closing: Set<PaneID> = []

    package init() {}

    package mutating func add(_ more: [DesktopAction]) {
        for act in more {
            if case .closePane(let id) = act {
                guard closing.count < Self.closingMax, closing.insert(id).inserted else { continue }
                actions.append(act)
            } else if actions.count < Self.actionsMax {
                // The pane is opened again, so it may also be closed again.
                if case .openPane(let order) = act { closing.remove(order.id) }
                actions.append(act)
            }
        }
    }

    package mutating func takeAll() -> [DesktopAction] {
        defer { self = PendingActions() }
        return actions
    }
}
