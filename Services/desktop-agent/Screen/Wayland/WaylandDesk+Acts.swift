import STCScreen
import STDesktop

extension WaylandDesk {
    func perform(_ act: DesktopAct) {
        switch act {
        case .openPane(let order):
            guard let board else {
                return tell(
                    .pane(
                        order.id,
                        .failed("This compositor has no layer shell; nothing can be put over its windows.")
                    )
                )
            }
            sway?.refresh()
            board.open(order)
        case .paint(let id, let picture): board?.paint(id, picture)
        case .closePane(let id): board?.close(id)
        case .holdInput(let id): board?.hold(id)
        case .minimize(let ids): for id in ids { minimize(id) }
        case .activate(let id): activate(id ?? next())
        case .askToClose(let id):
            guard let toplevel = toplevels?[id] else { return }
            if let handle = toplevel.handle { zwlr_foreign_toplevel_handle_v1_close(handle) }
            if let container = toplevel.container { sway?.command("[con_id=\(container)] kill") }
        }
    }

    private func minimize(_ id: WindowID) {
        guard let toplevel = toplevels?[id] else { return }
        // Sway knows no minimising and ignores the request; what it has is a place where windows are put away.
        if let sway, let container = toplevel.container {
            guard tree?.windows.first(where: { $0.container == container })?.isAway != true else { return }
            sway.command("[con_id=\(container)] move scratchpad")
            sway.refresh()
        } else if let handle = toplevel.handle {
            zwlr_foreign_toplevel_handle_v1_set_minimized(handle)
        }
    }

    private func activate(_ id: WindowID?) {
        guard let id, let toplevel = toplevels?[id] else { return }
        // Also takes it back from where it was put away.
        if let container = toplevel.container { sway?.command("[con_id=\(container)] focus") }
        guard let seat, let handle = toplevel.handle else { return }
        if toplevel.isMinimized { zwlr_foreign_toplevel_handle_v1_unset_minimized(handle) }
        zwlr_foreign_toplevel_handle_v1_activate(handle, seat.handle)
    }

    /// The one that was in front before, unless the desktop has already shown another.
    private func next() -> WindowID? {
        if let focus, toplevels?[focus]?.told?.isShown == true { return nil }
        return recent.first { id in
            guard id != focus, let told = toplevels?[id]?.told else { return false }
            return told.isShown && !told.isMinimized
        }
    }
}
