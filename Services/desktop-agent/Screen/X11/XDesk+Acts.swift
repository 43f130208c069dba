import Glibc
import STCScreen
import STDesktop
import STPlatform

/// What is asked of the display, and of its window manager in the words of a pager.
extension XDesk {
    private static let pager: UInt32 = 2
    private static let iconic: UInt32 = 3
    /// A window that was asked to go is not brought back for so long.
    private static let leavingMs: Int64 = 2_000

    func perform(_ acts: [DesktopAct]) {
        guard !hasEnded else { return }
        for act in acts {
            switch act {
            case .openPane(let order): openPane(order)
            case .paint(let id, let picture): paint(id, picture)
            case .closePane(let id): closePane(id)
            case .holdInput(let id): holdInput(id)
            case .minimize(let ids): for id in ids { minimize(id) }
            case .activate(let id):
                if let id { XWindow.number(id).map(activate) } else { activateNext() }
            case .askToClose(let id): askToClose(id)
            }
        }
    }

    private func minimize(_ id: WindowID) {
        guard let number = XWindow.number(id), windows[number] != nil else { return }
        leaving[number] = Stopwatch.milliseconds()
        connection.tellManager(number, connection.atoms[.changeState], [Self.iconic])
    }

    func activate(_ window: UInt32) {
        guard windows[window] != nil else { return }
        guard !manager.keepsHints else {
            let words = [Self.pager, 0, 0]
            return connection.tellManager(window, connection.atoms[.activeWindow], words)
        }
        var above = XCB_STACK_MODE_ABOVE.rawValue
        let mask = UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue)
        xcb_configure_window(connection.raw, window, mask, &above)
        xcb_set_input_focus(connection.raw, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), window, 0)
    }

    /// Whatever lies highest of what can be used; what is covered only where there is nothing else.
    func activateNext() {
        let nowMs = Stopwatch.milliseconds()
        leaving = leaving.filter { nowMs - $0.value < Self.leavingMs }
        let highest = Array(stacking().reversed()).filter { id in
            guard let window = windows[id]?.now, window.isShown, !window.isChrome else { return false }
            return id != focus && leaving[id] == nil
        }
        let covered = Set(panes.values.compactMap(\.target))
        if let next = highest.first(where: { !covered.contains($0) }) ?? highest.first { activate(next) }
    }

    private func stacking() -> [UInt32] {
        let atom = connection.atoms[.stacking]
        if let list = connection.property(connection.root, atom, words: UInt32(DesktopScene.windowsMax)) {
            return list.words
        }
        return children(connection.root).compactMap { frames[$0] ?? (windows[$0] == nil ? nil : $0) }
    }

    private func askToClose(_ id: WindowID) {
        guard let number = XWindow.number(id), windows[number] != nil else { return }
        leaving[number] = Stopwatch.milliseconds()
        guard !manager.keepsHints else {
            return connection.tellManager(number, connection.atoms[.closeWindow], [0, Self.pager])
        }
        let atoms = connection.atoms
        let words: [UInt32] = [atoms[.deleteWindow], 0, 0, 0, 0]
        st_tell_manager(connection.raw, connection.root, number, atoms[.protocols], words, false)
    }

    var ownPid: UInt32 { UInt32(bitPattern: getpid()) }
}
