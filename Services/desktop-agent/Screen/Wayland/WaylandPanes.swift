import STCScreen
import STDesktop
import STPlatform

/// All panes on the screen.
final class WaylandPanes {
    /// One over every window that there can be, and some that lie over none.
    static let panesMax = DesktopScene.windowsMax + 64
    private static let retiredMax = 32

    let connection: WaylandConnection
    let surfaces: Surfaces
    let seat: SeatInput
    let loop: LoopThread
    private var all: [PaneID: WaylandPane] = [:]
    /// Pictures that were replaced and may still be read.
    private var retired: [PaneBuffer] = []
    /// Something changed; looked at when all that came with it has been read, because sway takes the keyboard away and
    /// gives it back in one go.
    private var isDirty = false
    /// Where a pane has to be; nil when what it lies over is gone.
    var plan: (PaneOrder, _ holds: Bool) -> PanePlan? = { _, _ in nil }
    /// The monitor of that number.
    var output: (UInt32) -> OpaquePointer? = { _ in nil }
    /// Whether the window has the keyboard, as the compositor says.
    var isActivated: (WindowID) -> Bool = { _ in false }
    /// Brings a window in front, because its cover was pressed.
    var raise: (WindowID) -> Void = { _ in }
    /// Asks the compositor to close menus that are open over a window.
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
        // One that cannot be read, or is smaller than it says, is passed over: the pane itself is there and covers, so
        // it keeps what it shows, and has not failed.
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

    /// Something changed that panes depend on; it is looked at when all that has come is read.
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

    /// Also lets go of the pictures that the compositor may still read.
    func forgetAll() {
        closeAll()
        retired = []
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
}
