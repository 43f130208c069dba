import STCScreen
import STDesktop
import STPlatform

/// All panes on the screen.
final class WaylandPanes {
    /// One pane for every possible window, and some that cover no window.
    static let panesMax = DesktopScene.windowsMax + 64
    private static let retiredMax = 32

    let connection: WaylandConnection
    let surfaces: Surfaces
    let seat: SeatInput
    let loop: LoopThread
    private var all: [PaneID: WaylandPane] = [:]
    /// Replaced pictures that the compositor may still read.
    private var retired: [PaneBuffer] = []
    /// True if something changed. Handled after all pending events were read, because sway removes the keyboard and returns it in
    /// one batch.
    private var isDirty = false
    /// Plans the position of a pane. Returns `nil` if the window beneath is gone.
    var plan: (PaneOrder, _ holds: Bool) -> PanePlan? = { _, _ in nil }
    /// Returns the monitor with this number.
    var output: (UInt32) -> OpaquePointer? = { _ in nil }
    /// Returns true if the compositor reports that the window has the keyboard.
    var isActivated: (WindowID) -> Bool = { _ in false }
    /// Brings a window to the foreground, because its cover was pressed.
    var raise: (WindowID) -> Void = { _ in }
    /// Requests the compositor to close the open menus of a window.
    var closeMenus: (WindowID) -> Void = { _ in }
    var heard: (PaneID, PaneEvent) -> Void = { _, _ in }

    init(_ connection: WaylandConnection, _ surfaces: Surfaces, _ seat: SeatInput, _ loop: LoopThread) {
        self.connection = connection
        self.surfaces = surfaces
        self.seat = seat
        self.loop = loop
    }

    var isEmpty: Bool { all.isEmpty }

    func contains(_ pane: WaylandPane) -> Bool { all[pane.order.id] === pane }

    var sheets: some Sequence<Sheet> { all.values.lazy.flatMap(\.sheets) }

    func open(_ order: PaneOrder) {
        close(order.id)
        guard all.count < Self.panesMax, let pane = WaylandPane(order, like: all.values, self) else {
            return heard(
                order.id,
                .failed(
                    Message(
                        "agent.no-room-for-cover",
                        """
                        Screen Time cannot show another window: it already shows too many \
                        (\(all.count, "count")), or has no memory left.
                        """
                    )
                )
            )
        }
        all[order.id] = pane
        seat.isWanted = true
        pane.lay()
    }

    func paint(_ id: PaneID, _ picture: PanePicture) {
        // A picture that is unreadable or too small is ignored. The pane has not failed: it still covers, and keeps its previous
        // pixels.
        guard let pane = all[id], let buffer = PaneBuffer.picture(picture, surfaces.memory) else { return }
        retire(pane.paint(picture, buffer))
        pane.lay()
    }

    func close(_ id: PaneID) {
        guard let pane = all.removeValue(forKey: id) else { return }
        pane.takeAway()
        seat.isWanted = !all.isEmpty
    }

    func closeAll() {
        for id in Array(all.keys) { close(id) }
    }

    func hold(_ id: PaneID) { all[id]?.hold() }

    /// Marks the panes as outdated. They are updated after all pending events were read.
    func mark() { isDirty = true }

    func layIfMarked() {
        if isDirty { layAll() }
    }

    func layAll() {
        isDirty = false
        for pane in all.values {
            pane.lay()
            pane.settle()
        }
    }

    /// Closes all panes and also releases pictures that the compositor may still read.
    func forgetAll() {
        closeAll()
        retired = []
    }

    private func retire(_ buffer: PaneBuffer?) {
        guard let buffer, buffer.isInUse else { return }
        if retired.count >= Self.retiredMax { retired.removeFirst() }
        retired.append(buffer)
        buffer.onRelease = { [weak self] done in
            // Not immediately, because one of the buffer's own listeners is running.
            let keep = done
            self?.retired.removeAll { $0 === keep }
        }
    }
}
