import STDesktop

/// One pane of ours: its order, its pixels, and its sheets on the monitors.
final class Pane {
    let order: PaneOrder
    /// One pixel of nothing, and some of the background.
    let clear: PaneBuffer
    private let background: PaneBuffer
    var picture: PanePicture?
    /// Of the picture.
    var painted: PaneBuffer?
    var sheets: [Sheet] = []
    var isHidden = false
    var wantsHold = false
    /// Keys have come to it since it is held: whatever kept them before, such as an open menu, is over.
    var hasHadKeys = false
    var toldHeld: Bool?
    /// Since when what beneath it may get input although it should not.
    var doubtSinceMs: Int64?
    /// Whether the compositor was asked, for this doubt, to close what may keep the keyboard.
    var hasAsked = false
    var toldShown: Shown?
    var hovered: String?
    var pressed: String?
    unowned let board: PaneBoard

    struct Shown: Equatable {
        var width: Int
        var height: Int
        var scale: Double
    }

    /// Shares the pixels of others of that colour: there may be as many panes as windows.
    init?(_ order: PaneOrder, like others: some Collection<Pane>, _ board: PaneBoard) {
        let twin = others.first { $0.order.background == order.background }
        let memory = board.surfaces.memory
        guard let clear = others.first?.clear ?? PaneBuffer.colour(0, side: 1, memory),
            let background = twin?.background ?? PaneBuffer.colour(order.background, side: 256, memory)
        else { return nil }
        self.order = order
        self.clear = clear
        self.background = background
        self.board = board
    }

    /// What is to be seen of it now.
    var pixels: PaneBuffer { painted ?? background }

    var isSettled: Bool { !sheets.isEmpty && sheets.allSatisfy(\.isSettled) }

    /// The sheet that its size and keys are taken from.
    var main: Sheet? { sheets.first }
}
