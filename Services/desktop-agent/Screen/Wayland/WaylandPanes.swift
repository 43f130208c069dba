import STCScreen
import STDesktop
import STPlatform

/// All panes on the screen.
final class WaylandPanes {
    /// One pane for every possible window, and some that cover no window.
    static let panesMax = DesktopModel.windowsMax + 64
    private static let retiredMax = 32

    let connection: WaylandConnection
    let surfaces: SurfaceFactory
    let seat: SeatInput
    let loop: LoopThread
    private var panes: [PaneID: WaylandPane] = [:]
    /// Replaced pictures that the compositor may still read.
    private var retired: [PaneBuffer] = []
    /// True if something changed. Handled after all pending events were read, because sway removes the keyboard and returns it in
    /// one batch.
    private var isDirty = false
    /// Plans the position of a pane. Returns `nil` if the window beneath is gone.
    var plan: (PaneRequest, _ holds: Bool) -> PaneLayout? = { _, _ in nil }
    /// Returns the monitor with this number.
    var output: (UInt32) -> OpaquePointer? = { _ in nil }
    /// Returns true if the compositor reports that the window has the keyboard.
    var isActivated: (WindowID) -> Bool = { _ in false }
    /// Brings a window to the foreground, because its cover was pressed.
    var raise: (WindowID) -> Void = { _ in }
    /// Requests the compositor to close the open menus of a window.
    var closeMenus: (WindowID) -> Void = { _ in }
    var onEvent: (PaneID, PaneEvent) -> Void = { _, _ in }

    init(_ connection: WaylandConnection, surfaces: SurfaceFactory, seat: SeatInput, loop: LoopThread) {
        self.connection = connection
        self.surfaces = surfaces
        self.seat = seat
        self.loop = loop
    }

    var isEmpty: Bool { panes.isEmpty }

    func contains(_ pane: WaylandPane) -> Bool { panes[pane.order.id] === pane }

    var sheets: some Sequence<OverlaySurface> { panes.values.lazy.flatMap(\.sheets) }

    func open(_ order: PaneRequest) {
        close(order.id)
        guard panes.count < Self.panesMax, let pane = WaylandPane(order, like: panes.values, self) else {
            return onEvent(
                order.id,
                .failed(
                    Message(
                        "agent.no-room-for-cover",
                        """
                        Screen Time cannot show another window: it already shows too many \
                        (\(panes.count, "count")), or has no memory left.
                        """
                    )
                )
            )
        }
        panes[order.id] = pane
        seat.isKeyboardWanted = true
        pane.layOut()
    }

    func paint(_ id: PaneID, _ picture: PanePicture) {
        // A picture that is unreadable or too small is ignored. The pane has not failed: it still covers, and keeps its previous
        // pixels.
        guard let pane = panes[id], let buffer = PaneBuffer.picture(picture, surfaces.memory) else { return }
        retire(pane.paint(picture, buffer))
        pane.layOut()
    }

    func close(_ id: PaneID) {
        guard let pane = panes.removeValue(forKey: id) else { return }
        pane.hide()
        seat.isKeyboardWanted = !panes.isEmpty
    }

    func closeAll() {
        for id in Array(panes.keys) { close(id) }
    }

    func holdInput(_ id: PaneID) { panes[id]?.holdInput() }

    /// Marks the panes as outdated. They are updated after all pending events were read.
    func setNeedsLayout() { isDirty = true }

    func layOutIfNeeded() {
        if isDirty { layOutAll() }
    }

    func layOutAll() {
        isDirty = false
        for pane in panes.values {
            pane.layOut()
            pane.reconcile()
        }
    }

    /// Closes all panes and also releases pictures that the compositor may still read.
    func removeAll() {
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
