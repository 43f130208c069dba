import STCScreen
import STDesktop
import STPlatform

/// The adapter's inside; all of it on the loop's thread.
final class WaylandDesk {
    /// How long sway may take for its first tree.
    static let patienceMs: Int64 = 2_000
    /// How often frames are looked at while a cover is up: sway does not tell when the mouse resizes a tiled window.
    ///
    /// Often while they change, seldom while they do not: each look is two wake-ups.
    static let lookMs: (changing: Int64, still: Int64) = (250, 1_000)
    let connection: WaylandConnection
    let loop: LoopThread
    private let heard: (DesktopEvent) -> Void
    var toplevels: ToplevelBook?
    var outputs: OutputBook?
    var seat: SeatInput?
    var board: PaneBoard?
    var sway: SwayLink?
    /// The last that sway said of where things are.
    var tree: SwayTree?
    private var idle: IdleWatch?
    private var idleAfterMs: Int64 = 0
    private var idleSinceBootMs: Int64?
    var toldOutputs: [DesktopOutput] = []
    /// In front as told; and whether anything was.
    var focus: WindowID?
    var hasToldFocus = false
    /// In front and not told yet, because its window was not.
    var coming: (id: WindowID, atBootMs: Int64)?
    /// Windows in the order in which they were in front, the last one first.
    var recent: [WindowID] = []
    var isReady = false
    /// Whether the compositor has told all that was there at the start.
    private var hasRead = false
    private var isLost = false
    private var isLooking = false
    /// Whether the last look at frames found others than the one before.
    var isMoving = false
    private var waiting = WaitingActs()
    private var isRetrying = false

    init(_ connection: WaylandConnection, _ loop: LoopThread, _ heard: @escaping (DesktopEvent) -> Void) {
        self.connection = connection
        self.loop = loop
        self.heard = heard
    }

    func tell(_ event: DesktopEvent) {
        if !isLost { heard(event) }
    }

    func begin(idleAfterMs: Int64, swaySocket: String?) {
        self.idleAfterMs = idleAfterMs
        let surfaces = Surfaces(connection)
        outputs = OutputBook(connection)
        outputs?.onChange = { [weak self] in self?.outputsChanged() }
        outputs?.onGone = { [weak self] output in
            for toplevel in self?.toplevels?.all ?? [] { toplevel.outputs.removeAll { $0 == output.handle } }
        }
        connection.onGlobal = { [weak self] in self?.outputs?.add($0) }
        connection.onGone = { [weak self] in self?.outputs?.remove(global: $0) }
        seat = SeatInput(connection, surfaces)
        if let surfaces, let seat { makeBoard(surfaces, seat) }
        if let path = swaySocket, !path.isEmpty, let link = SwayLink(path, loop) { join(link) }
        beginIdle()
        beginWindows()
        loop.currentWaiter.watch(descriptor: connection.descriptor) { [weak self] in self?.readable() }
        connection.sync { [weak self] in self?.firstRound() }
        flush()
    }

    /// Sway's tree tells all that the protocol does, and more; so where there is sway, the protocol is left alone.
    ///
    /// That is not only simpler: a title of an X11 app may be longer than a Wayland message, and sway 1.7 then tells a
    /// client that listens to titles nothing any more.
    func beginWindows() {
        guard sway == nil else {
            let book = ToplevelBook()
            book.onGone = { [weak self] in self?.gone($0) }
            toplevels = book
            return
        }
        do {
            let book = try ToplevelBook(connection)
            book.onChange = { [weak self] in self?.changed($0) }
            book.onGone = { [weak self] in self?.gone($0) }
            book.onFinished = { [weak self] in
                self?.lose("The compositor has stopped telling of its windows; start the session anew.")
            }
            toplevels = book
        } catch {
            lose(error.message)
        }
    }

    private func beginIdle() {
        guard let seat else { return }
        // At least a moment, so that a mistake in a setting does not wake anybody without end.
        let afterMs = UInt32(clamping: max(50, idleAfterMs))
        idle = IdleWatch(connection, seat: seat.handle, afterMs: afterMs)
        idle?.onIdle = { [weak self] in
            guard let self else { return }
            let since = Stopwatch.bootMilliseconds() - Int64(afterMs)
            self.idleSinceBootMs = since
            self.tell(.idle(sinceBootMs: since))
        }
        idle?.onTouched = { [weak self] in
            self?.idleSinceBootMs = nil
            self?.tell(.touched(atBootMs: Stopwatch.bootMilliseconds()))
        }
    }

    /// The compositor tells only that nobody has touched anything for a while, and then since when.
    var lastInputBootMs: Int64? { idleSinceBootMs }

    // MARK: - The beginning and the end

    /// All that was there at the start has been told to us, but for what sway says.
    private func firstRound() {
        toplevels?.isBeginning = false
        hasRead = true
        guard sway != nil else { return ready() }
        // What sway has said meanwhile may be older than the windows.
        tree = nil
        sway?.refresh()
        loop.after(milliseconds: Self.patienceMs) { [weak self] in
            guard let self, !self.isReady else { return }
            // It does not answer there: the protocol has to do.
            self.sway?.close()
            self.swayGone()
        }
    }

    /// Told once: all windows first, then what is in front.
    func ready() {
        guard !isReady, !isLost, hasRead else { return }
        isReady = true
        outputsChanged()
        for toplevel in toplevels?.all ?? [] { update(toplevel) }
        decideFocus(atBootMs: Stopwatch.bootMilliseconds())
        if !hasToldFocus, coming == nil { setFocus(nil, atBootMs: Stopwatch.bootMilliseconds()) }
        tell(.ready(abilities))
    }

    var abilities: ScreenAbilities {
        var abilities = ScreenAbilities()
        abilities.seesFocus = true
        abilities.seesProcesses = sway != nil
        abilities.seesFrames = sway != nil
        abilities.seesIdle = idle != nil
        abilities.covers = board != nil
        abilities.holdsInput = board != nil
        abilities.minimizes = true
        abilities.activates = seat != nil
        abilities.asksToClose = true
        return abilities
    }

    private func readable() {
        guard connection.read() else {
            return lose("The compositor has ended, or closed our connection; it is tried again.")
        }
        if let board, board.isDirty { board.layAll() }
        flush()
    }

    func flush() {
        switch connection.flush() {
        case .all: break
        case .lost: lose("The compositor has ended, or closed our connection; it is tried again.")
        case .part: retryLater()
        }
    }

    /// The compositor does not read: what is left goes out a little later, and nothing new is added meanwhile,
    /// because the library ends the process when its buffer is full.
    private func retryLater() {
        guard !isRetrying else { return }
        isRetrying = true
        loop.after(milliseconds: 100) { [weak self] in
            guard let self, !self.isLost else { return }
            self.isRetrying = false
            self.flush()
            guard !self.isRetrying else { return }
            self.perform(self.waiting.take())
        }
    }

    func perform(_ acts: [DesktopAct]) {
        guard !isLost else { return }
        guard !isRetrying else {
            return waiting.add(acts)
        }
        for act in acts { perform(act) }
        lookWhileNeeded()
        flush()
    }

    /// While a cover is up, and only then, frames are looked at now and then.
    private func lookWhileNeeded() {
        guard !isLooking, let board, let sway, !board.panes.isEmpty else { return }
        isLooking = true
        loop.after(milliseconds: isMoving ? Self.lookMs.changing : Self.lookMs.still) {
            [weak self, weak sway] in
            guard let self, !self.isLost else { return }
            self.isLooking = false
            sway?.refresh()
            self.lookWhileNeeded()
        }
    }

    func lose(_ why: String) {
        guard !isLost else { return }
        tell(.lost(Problem("desktop.lost", why, retryable: true)))
        isLost = true
        loop.currentWaiter.unwatch(descriptor: connection.descriptor)
        sway?.close()
    }

    /// Takes everything of ours away.
    func end() {
        if let board, !isLost {
            for id in Array(board.panes.keys) { board.close(id) }
            // Not more than a moment: whatever is not read goes with the connection anyway.
            _ = connection.wait(withinMs: 200)
        }
        if !isLost { loop.currentWaiter.unwatch(descriptor: connection.descriptor) }
        sway?.close()
        isLost = true
        // Whatever the library has made goes before its connection does.
        board?.forgetAll()
        board = nil
        seat = nil
        idle = nil
        toplevels = nil
        outputs = nil
    }
}
