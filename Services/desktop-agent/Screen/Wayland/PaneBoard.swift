import STCScreen
import STDesktop
import STPlatform

/// The panes on the screen.
final class PaneBoard {
    /// One over every window that there can be, and some that lie over none.
    static let panesMax = DesktopScene.windowsMax + 64
    /// How long what lies beneath a cover may have the keyboard before that is told.
    static let doubtMs: Int64 = 300
    private static let retiredMax = 32

    let connection: WaylandConnection
    let surfaces: Surfaces
    let seat: SeatInput
    private let loop: LoopThread
    private(set) var panes: [PaneID: Pane] = [:]
    /// Pictures that were replaced and may still be read.
    private var retired: [PaneBuffer] = []
    /// Something changed; looked at when all that came with it has been read, because sway takes the keyboard away and
    /// gives it back in one go.
    var isDirty = false
    /// Where a pane has to be; nil when what it lies over is gone.
    var plan: ((PaneOrder, _ holds: Bool) -> PanePlan?)?
    /// The monitor of that number.
    var output: ((UInt32) -> OpaquePointer?)?
    /// Whether the window has the keyboard, as the compositor says.
    var isActivated: ((WindowID) -> Bool)?
    /// Brings a window in front, because its cover was pressed.
    var raise: ((WindowID) -> Void)?
    /// Asks the compositor to close menus that are open over a window.
    var closeMenus: ((WindowID) -> Void)?
    var heard: ((PaneID, PaneEvent) -> Void)?

    init(_ connection: WaylandConnection, _ surfaces: Surfaces, _ seat: SeatInput, _ loop: LoopThread) {
        self.connection = connection
        self.surfaces = surfaces
        self.seat = seat
        self.loop = loop
    }

    func open(_ order: PaneOrder) {
        close(order.id)
        guard panes.count < Self.panesMax, let pane = Pane(order, like: panes.values, self)
        else {
            heard?(
                order.id,
                .failed("There are \(panes.count) panes already, or no memory for another one; close some.")
            )
            return
        }
        panes[order.id] = pane
        seat.isWanted = true
        lay(pane)
    }

    func paint(_ id: PaneID, _ picture: PanePicture) {
        guard let pane = panes[id] else { return }
        // One that cannot be read, or is smaller than it says, is passed over: the pane itself is there and covers, so
        // it keeps what it shows, and has not failed.
        guard let buffer = PaneBuffer.picture(picture, surfaces.memory) else { return }
        retire(pane.painted)
        pane.painted = buffer
        pane.picture = picture
        lay(pane)
    }

    func close(_ id: PaneID) {
        guard let pane = panes.removeValue(forKey: id) else { return }
        for sheet in pane.sheets { destroy(sheet) }
        seat.isWanted = !panes.isEmpty
    }

    func forgetAll() {
        for id in Array(panes.keys) { close(id) }
        retired = []
    }

    func hold(_ id: PaneID) {
        guard let pane = panes[id] else { return }
        pane.wantsHold = true
        pane.toldHeld = nil
        lay(pane)
        settle(pane)
    }

    /// Something changed that panes depend on.
    func layAll() {
        isDirty = false
        for pane in panes.values {
            lay(pane)
            settle(pane)
        }
    }

    private func lay(_ pane: Pane) {
        switch plan?(pane.order, pane.wantsHold) {
        // What it lies over is gone: until it is closed it takes neither room nor keys.
        case nil, .hidden?:
            guard !pane.isHidden else { return }
            pane.isHidden = true
            for sheet in pane.sheets { destroy(sheet) }
            pane.sheets = []
            pane.toldShown = nil
            heard?(pane.order.id, .hidden)
        case .shown(let plans)?:
            pane.isHidden = false
            lay(pane, plans)
        }
    }

    private func lay(_ pane: Pane, _ plans: [SheetPlan]) {
        var before = pane.sheets
        pane.sheets = plans.compactMap { plan in
            if let index = before.firstIndex(where: { $0.plan.place == plan.place }) {
                let sheet = before.remove(at: index)
                sheet.update(plan)
                return sheet
            }
            var handle: OpaquePointer?
            if case .monitor(let number) = plan.place {
                handle = output?(number)
                if handle == nil { return nil }
            }
            return Sheet(pane, plan, surfaces, output: handle)
        }
        for sheet in before { destroy(sheet) }
    }

    private func destroy(_ sheet: Sheet) {
        seat.forget(sheet)
        sheet.destroy()
    }

    /// The compositor took a sheet away, because its monitor is gone; with the next plan it comes again elsewhere.
    func closed(_ sheet: Sheet) {
        let pane = sheet.pane
        pane.sheets.removeAll { $0 === sheet }
        destroy(sheet)
        loop.after(milliseconds: 0) { [weak self] in self?.layAll() }
    }

    private func retire(_ buffer: PaneBuffer?) {
        guard let buffer, buffer.isInUse else { return }
        if retired.count >= Self.retiredMax { retired.removeFirst() }
        retired.append(buffer)
        buffer.onRelease = { [weak self] done in
            // Not at once: it is one of its own listeners that says so.
            let keep = done
            self?.retired.removeAll { $0 === keep }
        }
    }

    // MARK: - What became of it

    /// Tells what has come true of a pane.
    func settle(_ pane: Pane) {
        guard panes[pane.order.id] === pane else { return }
        if pane.isSettled, let main = pane.main, !main.frame.isEmpty {
            let scale = main.plan.scale
            let shown = Pane.Shown(
                width: Int((Double(main.frame.width) * scale).rounded(.up)),
                height: Int((Double(main.frame.height) * scale).rounded(.up)),
                scale: scale
            )
            if shown != pane.toldShown {
                pane.toldShown = shown
                let now = Stopwatch.bootMilliseconds()
                let event = PaneEvent.shown(
                    width: shown.width,
                    height: shown.height,
                    scale: scale,
                    atBootMs: now
                )
                heard?(pane.order.id, event)
            }
        }
        settleHold(pane)
    }

    private func settleHold(_ pane: Pane) {
        guard pane.wantsHold else { return }
        if holds(pane) {
            pane.doubtSinceMs = nil
            pane.hasAsked = false
            tell(pane, true, nil)
            return
        }
        // The keyboard comes to a cover before the compositor says that it is done, unless a menu keeps it.
        if case .over(let window) = pane.order.place, pane.isSettled, !pane.hasHadKeys, !pane.hasAsked {
            pane.hasAsked = true
            closeMenus?(window)
        }
        let now = Stopwatch.milliseconds()
        guard let since = pane.doubtSinceMs else {
            pane.doubtSinceMs = now
            loop.after(milliseconds: Self.doubtMs) { [weak self, weak pane] in
                guard let self, let pane else { return }
                self.settle(pane)
            }
            return
        }
        guard now - since >= Self.doubtMs else { return }
        tell(pane, false, "Another window keeps the keyboard, such as an open menu; close it.")
    }

    /// Whether no input reaches what lies beneath.
    private func holds(_ pane: Pane) -> Bool {
        if pane.isHidden { return true }
        guard pane.isSettled else { return false }
        // Keys go elsewhere, and the pointer finds the cover.
        guard pane.sheets.contains(where: \.plan.takesKeys), seat.hasKeyboard else { return true }
        if seat.keySheet != nil {
            pane.hasHadKeys = true
            return true
        }
        // Another layer took the keyboard, such as a launcher or a lock: that is not what lies beneath.
        guard pane.hasHadKeys, case .over(let window) = pane.order.place else { return false }
        return isActivated?(window) == false
    }

    private func tell(_ pane: Pane, _ isHeld: Bool, _ why: String?) {
        guard pane.toldHeld != isHeld else { return }
        pane.toldHeld = isHeld
        heard?(pane.order.id, .held(isHeld, why))
    }
}
