import STCScreen
package import STDesktop
import STPlatform

/// The adapter's event loop; all of it on the loop's thread.
///
/// Its parts know windows, monitors, the seat and what is in front; a link to sway or KWin tells where windows are, where
/// there is one. The thread sleeps until the compositor or the link says something.
final class WaylandDesk {
    /// How long a link may take for its first tree.
    private static let patienceMs: Int64 = 2_000
    /// How often frames are looked at while a cover is up, where the link does not tell of them by itself.
    ///
    /// Often while they change, seldom while they do not: each look is two wake-ups.
    private static let lookMs: (changing: Int64, still: Int64) = (250, 1_000)
    private static let hasEnded = Message(
        "desktop.lost.the-compositor-ended",
        "The compositor exited or closed the connection. Screen Time is trying again."
    )

    private let connection: WaylandConnection
    private let loop: LoopThread
    private let heard: (DesktopEvent) -> Void
    private let outputs: OutputBook
    private var toplevels = ToplevelBook()
    private var seat: SeatInput?
    private var panes: WaylandPanes?
    private var link: (any WindowLink)?
    private var idle: IdleWatch?
    private lazy var front = WaylandFront { [unowned self] id, atBootMs in
        tell(.focus(id, atBootMs: atBootMs))
        panes?.layAll()
    }
    /// The last that the link said of where things are.
    private var tree: WindowTree?
    private var toldOutputs: [DesktopOutput] = []
    private var isReady = false
    /// Whether the compositor has told all that was there at the start.
    private var hasRead = false
    private var isLost = false
    private var isLooking = false
    /// Whether the last look at frames found a change.
    private var isMoving = false
    private var waiting = WaitingActs()
    private var isRetrying = false

    init(_ connection: WaylandConnection, _ loop: LoopThread, _ heard: @escaping (DesktopEvent) -> Void) {
        self.connection = connection
        self.loop = loop
        self.heard = heard
        outputs = OutputBook(connection)
    }

    private func tell(_ event: DesktopEvent) {
        if !isLost { heard(event) }
    }

    // MARK: - The beginning and the end

    /// `makeLink` connects to what tells more than the protocols; nil where there is nothing.
    func begin(idleAfterMs: Int64, _ makeLink: (LoopThread) -> (any WindowLink)?) {
        outputs.onChange = { [weak self] in self?.outputsChanged() }
        outputs.onGone = { [weak self] output in self?.toplevels.forget(output) }
        connection.onGlobal = { [weak self] in self?.outputs.add($0) }
        connection.onGone = { [weak self] in self?.outputs.remove(global: $0) }
        let surfaces = Surfaces(connection)
        seat = SeatInput(connection, surfaces)
        if let surfaces, let seat { makePanes(surfaces, seat) }
        if let link = makeLink(loop) { join(link) }
        if let seat {
            idle = IdleWatch(connection, seat: seat.handle, afterMs: idleAfterMs) { [weak self] in
                self?.tell($0)
                // Now and then, without a timer of our own, it is asked whether it is there still.
                self?.link?.refresh()
            }
        }
        beginWindows()
        loop.currentWaiter.watch(descriptor: connection.descriptor) { [weak self] in self?.readable() }
        connection.sync { [weak self] in self?.firstRound() }
        flush()
    }

    private func makePanes(_ surfaces: Surfaces, _ seat: SeatInput) {
        let panes = WaylandPanes(connection, surfaces, seat, loop)
        seat.panes = panes
        panes.plan = { [weak self] order, holds in
            guard let self else { return nil }
            return PanePlanner(toplevels: toplevels, outputs: outputs, tree: tree, front: front)
                .plan(order, holds: holds)
        }
        panes.output = { [weak self] number in
            self?.outputs.all.first { $0.global == number }?.handle
        }
        panes.isActivated = { [weak self] in self?.toplevels[$0]?.isActivated ?? false }
        panes.raise = { [weak self] in self?.perform(.activate($0)) }
        panes.closeMenus = { [weak self] in self?.closeMenus($0) }
        panes.heard = { [weak self] in self?.tell(.pane($0, $1)) }
        self.panes = panes
    }

    /// The link tells all that the protocol does, and more; so where there is one, the protocol is left alone.
    ///
    /// That is not only simpler: a title of an X11 app may be longer than a Wayland message, and sway 1.7 then tells a
    /// client that listens to titles nothing any more.
    private func beginWindows() {
        do {
            let book = link == nil ? try ToplevelBook(connection) : ToplevelBook()
            book.onChange = { [weak self] in self?.changed($0) }
            book.onGone = { [weak self] in self?.gone($0) }
            book.onFinished = { [weak self] in
                self?.lose(
                    Message(
                        "desktop.lost.the-compositor-stopped",
                        "The compositor stopped reporting its windows; log out and in again."
                    )
                )
            }
            toplevels = book
        } catch {
            lose(error.text)
        }
    }

    /// All that was there at the start has been told to us, but for what the link says.
    private func firstRound() {
        toplevels.isBeginning = false
        hasRead = true
        guard link != nil else { return ready() }
        // What it has said meanwhile may be older than the windows.
        tree = nil
        link?.refresh()
        loop.after(milliseconds: Self.patienceMs) { [weak self] in
            guard let self, !isReady else { return }
            // It does not answer there: the protocol has to do.
            link?.close()
            linkGone()
        }
    }

    /// Told once: all windows first, then what is in front.
    private func ready() {
        guard !isReady, !isLost, hasRead else { return }
        isReady = true
        outputsChanged()
        for toplevel in toplevels.all { update(toplevel) }
        decideFront(atBootMs: Stopwatch.bootMilliseconds())
        front.begin(atBootMs: Stopwatch.bootMilliseconds())
        tell(.ready(abilities))
    }

    private var abilities: ScreenAbilities {
        var abilities = ScreenAbilities()
        abilities.seesProcesses = link != nil
        abilities.seesFrames = link != nil
        abilities.cutsToFrames = false
        abilities.waitsForClients = true
        abilities.seesIdle = idle != nil
        abilities.covers = panes != nil
        abilities.holdsInput = panes != nil
        abilities.minimizes = true
        abilities.activates = seat != nil
        abilities.asksToClose = true
        return abilities
    }

    /// The compositor tells only that nothing has been touched for a while, and then since when.
    var lastInputBootMs: Int64? { idle?.sinceBootMs }

    private func lose(_ why: Message) {
        guard !isLost else { return }
        tell(.lost(Problem("desktop.lost", text: why, retryable: true)))
        isLost = true
        loop.currentWaiter.unwatch(descriptor: connection.descriptor)
        link?.close()
    }

    /// Takes everything of ours away.
    func end() {
        if let panes, !isLost {
            panes.closeAll()
            // Not more than a moment: what is not read goes with the connection anyway.
            _ = connection.wait(withinMs: 200)
        }
        if !isLost { loop.currentWaiter.unwatch(descriptor: connection.descriptor) }
        link?.close()
        isLost = true
        // All that the library has made goes before its connection does.
        panes?.forgetAll()
        panes = nil
        seat = nil
        idle = nil
    }

    // MARK: - Reading and sending

    private func readable() {
        guard connection.read() else { return lose(Self.hasEnded) }
        panes?.layIfMarked()
        flush()
    }

    private func flush() {
        switch connection.flush() {
        case .all: break
        case .lost: lose(Self.hasEnded)
        case .part: retryLater()
        }
    }

    /// The compositor does not read: what is left goes out a little later, and nothing new is added meanwhile,
    /// because the library ends the process when its buffer is full.
    private func retryLater() {
        guard !isRetrying else { return }
        isRetrying = true
        loop.after(milliseconds: 100) { [weak self] in
            guard let self, !isLost else { return }
            isRetrying = false
            flush()
            guard !isRetrying else { return }
            perform(waiting.take())
        }
    }

    // MARK: - What the agent asks

    func perform(_ acts: [DesktopAct]) {
        guard !isLost else { return }
        guard !isRetrying else { return waiting.add(acts) }
        for act in acts { perform(act) }
        lookWhileNeeded()
        flush()
    }

    private func perform(_ act: DesktopAct) {
        switch act {
        case .openPane(let order):
            guard let panes else {
                return tell(
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
        case .holdInput(let id): panes?.hold(id)
        case .minimize(let ids): for id in ids { minimize(id) }
        case .activate(let id): activate(id ?? next())
        case .askToClose(let id):
            guard let toplevel = toplevels[id] else { return }
            if let handle = toplevel.handle { zwlr_foreign_toplevel_handle_v1_close(handle) }
            if let container = toplevel.container { link?.askToClose(container) }
        case .showItem: break
        }
    }

    /// While a cover is up, and only then, frames are looked at now and then.
    private func lookWhileNeeded() {
        guard !isLooking, let panes, let link, link.looksForFrames, !panes.isEmpty else { return }
        isLooking = true
        loop.after(milliseconds: isMoving ? Self.lookMs.changing : Self.lookMs.still) {
            [weak self, weak link] in
            guard let self, !isLost else { return }
            isLooking = false
            link?.refresh()
            lookWhileNeeded()
        }
    }

    private func minimize(_ id: WindowID) {
        guard let toplevel = toplevels[id] else { return }
        if let link, let container = toplevel.container {
            guard tree?.window(container)?.isAway != true else { return }
            link.putAway(container)
        } else if let handle = toplevel.handle {
            zwlr_foreign_toplevel_handle_v1_set_minimized(handle)
        }
    }

    private func activate(_ id: WindowID?) {
        guard let id, let toplevel = toplevels[id] else { return }
        if let container = toplevel.container { link?.bring(container) }
        guard let seat, let handle = toplevel.handle else { return }
        if toplevel.isMinimized { zwlr_foreign_toplevel_handle_v1_unset_minimized(handle) }
        zwlr_foreign_toplevel_handle_v1_activate(handle, seat.handle)
    }

    /// The one that was in front before, unless the desktop has already shown another.
    private func next() -> WindowID? {
        let current = front.window
        if let current, toplevels[current]?.told?.isShown == true { return nil }
        return front.recent.first { id in
            guard id != current, let told = toplevels[id]?.told else { return false }
            return told.isShown && !told.isMinimized
        }
    }

    private func closeMenus(_ id: WindowID) {
        guard front.window == id, let link, let container = toplevels[id]?.container else { return }
        link.closeMenus(of: container)
    }

    // MARK: - What the compositor's lists tell

    private func changed(_ toplevel: Toplevel) {
        update(toplevel)
        decideFront(atBootMs: Stopwatch.bootMilliseconds())
    }

    private func gone(_ toplevel: Toplevel) {
        if toplevel.told != nil { tell(.windowGone(toplevel.id)) }
        front.gone(toplevel.id)
        guard link == nil else { return }
        decideFront(atBootMs: Stopwatch.bootMilliseconds())
        panes?.layAll()
    }

    /// Tells a window when there is something new of it.
    private func update(_ toplevel: Toplevel) {
        guard isReady, toplevel.isComplete else { return }
        let window = window(toplevel)
        guard window != toplevel.told else { return }
        toplevel.told = window
        tell(.window(window))
        front.told(toplevel.id)
    }

    private func window(_ toplevel: Toplevel) -> DesktopWindow {
        let known = toplevel.container.flatMap { tree?.window($0) }
        var window = DesktopWindow(id: toplevel.id)
        window.title = toplevel.title
        window.windowClass = toplevel.appID
        window.pid = known?.pid
        window.frame = known?.content
        window.outputs = outputs(of: toplevel, known).map(\.desktopOutput.name)
        window.isMinimized = toplevel.isMinimized || known?.isAway == true
        window.isFullscreen = toplevel.isFullscreen || known?.isFullscreen == true
        window.isShown = known?.isVisible ?? !window.isMinimized
        return window
    }

    private func outputs(of toplevel: Toplevel, _ known: TreeWindow?) -> [Output] {
        guard let known else { return toplevel.outputs.compactMap { outputs[$0] } }
        guard !known.isAway else { return [] }
        return outputs.all.filter { $0.frame.intersection(known.content) != nil }
    }

    private func outputsChanged() {
        guard isReady else { return }
        // A monitor whose place is not known yet does not count yet.
        let now = outputs.all.map(\.desktopOutput).filter { !$0.frame.isEmpty }
        if now != toldOutputs {
            toldOutputs = now
            tell(.outputs(now))
        }
        for toplevel in toplevels.all { update(toplevel) }
        link?.refresh()
        panes?.layAll()
    }

    // MARK: - What the link tells

    private func join(_ link: any WindowLink) {
        self.link = link
        link.onTree = { [weak self] in self?.take($0, $1) }
        link.onFocus = { [weak self] in self?.came($0, atBootMs: $1) }
        link.onEnd = { [weak self] in self?.linkGone() }
    }

    private func linkGone() {
        if let why = link?.withoutIt { return lose(why) }
        link = nil
        tree = nil
        for toplevel in toplevels.all where toplevel.told != nil { tell(.windowGone(toplevel.id)) }
        front.forgetAll()
        beginWindows()
        connection.sync { [weak self] in
            guard let self else { return }
            toplevels.isBeginning = false
            if isReady { tell(.ready(abilities)) } else { ready() }
            panes?.layAll()
        }
        flush()
    }

    private func take(_ tree: WindowTree, _ bootMs: Int64) {
        isMoving = self.tree?.windows != tree.windows || self.tree?.floating != tree.floating
        self.tree = tree
        toplevels.follow(tree)
        if !isReady { ready() }
        for toplevel in toplevels.all { update(toplevel) }
        decideFront(atBootMs: bootMs)
        panes?.layAll()
        flush()
    }

    // MARK: - What is in front

    /// The window that the compositor calls activated is in front.
    ///
    /// While a layer surface of ours (or a launcher) has the keyboard, sway 1.7 calls no window activated; its order
    /// of focus still says which one is in front of the others, and changes when the user goes elsewhere with the
    /// keys of the desktop.
    private func decideFront(atBootMs: Int64) {
        guard isReady else { return }
        if link != nil {
            guard let container = tree?.front else { return front.set(nil, atBootMs: atBootMs) }
            return came(container, atBootMs: atBootMs)
        }
        let active = toplevels.all.filter { $0.isActivated && $0.isComplete }
        if let first = active.first {
            // Two seats may each have one; the one that we know stays.
            guard active.contains(where: { $0.id == front.window }) else {
                return bring(first, atBootMs: atBootMs)
            }
            return front.stay()
        }
        // Our own cover has the keyboard, and what lies beneath is still what the user is at.
        if seat?.keySheet == nil { front.set(nil, atBootMs: atBootMs) }
    }

    /// By its number in the link's tree; one that is not known yet comes with the next tree.
    private func came(_ container: Int64, atBootMs: Int64) {
        guard isReady, let toplevel = toplevels.all.first(where: { $0.container == container }) else {
            return
        }
        bring(toplevel, atBootMs: atBootMs)
    }

    private func bring(_ toplevel: Toplevel, atBootMs: Int64) {
        front.bring(toplevel.id, isKnown: toplevel.told != nil, atBootMs: atBootMs)
    }
}

/// Acts that wait for a compositor that does not read.
package struct WaitingActs {
    /// More than these are left out, but for closing: a pane that is never closed would stay for ever.
    package static let actsMax = 1_000
    /// There are never more panes than can be open; an agent that closes more is mistaken.
    package static let closingMax = 10_000

    private var acts: [DesktopAct] = []
    private var closing: Set<PaneID> = []

    package init() {}

    package mutating func add(_ more: [DesktopAct]) {
        for act in more {
            if case .closePane(let id) = act {
                guard closing.count < Self.closingMax, closing.insert(id).inserted else { continue }
                acts.append(act)
            } else if acts.count < Self.actsMax {
                // Opened anew: then it may be closed anew.
                if case .openPane(let order) = act { closing.remove(order.id) }
                acts.append(act)
            }
        }
    }

    package mutating func take() -> [DesktopAct] {
        defer { self = WaitingActs() }
        return acts
    }
}
