import STDesktop

/// Our own windows on the screen, as far as they may have the keyboard.
struct OwnPanes {
    private var ordered: Set<PaneID> = []
    private var shown: Set<PaneID> = []

    /// How many can be seen and take keys.
    var takingKeys: Int { shown.count }

    mutating func take(_ act: DesktopAct) {
        switch act {
        case .openPane(let order) where order.takesKeys: ordered.insert(order.id)
        case .closePane(let id):
            ordered.remove(id)
            shown.remove(id)
        default: break
        }
    }

    mutating func take(_ event: DesktopEvent) {
        guard case .pane(let id, let news) = event, ordered.contains(id) else { return }
        switch news {
        case .shown: shown.insert(id)
        case .hidden, .failed: shown.remove(id)
        case .hovered, .pressed, .key, .held: break
        }
    }
}
