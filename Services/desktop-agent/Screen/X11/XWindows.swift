import Glibc
import STCScreen
import STDesktop
import STPlatform

/// The windows of apps, their properties, and the foreground window.
///
/// Events only mark changes. `refresh` reads the marked values in as few round trips as possible. However many windows open and
/// close, a round costs no more than the windows that exist at its end.
final class XWindows {
    /// Upper bound on windows with pending requests.
    private static let batch = 64
    /// Upper bound on windows between an app's window and the root. No program nests them deeper.
    private static let depthMax = 8
    /// Time after a request to minimise or close, during which the window is not brought to the foreground.
    private static let leavingTime = Duration.seconds(2)
    /// Values that window managers expect in requests: the source is a pager, and the state is iconic.
    private static let pager: UInt32 = 2
    private static let iconic: UInt32 = 3

    private let connection: XConnection
    private let manager: XWindowManagerWatch
    private let hasOwners: Bool
    private let onEvent: (DesktopEvent) -> Void
    private var windows: [UInt32: XWindow] = [:]
    /// Windows by their frame, which the window manager draws around them.
    private var clients: [UInt32: UInt32] = [:]
    private var dirty: [UInt32: XWindow.Parts] = [:]
    private var wantsList = true
    /// Existing windows that were an app's and are not listed now.
    private var formerApps: Set<UInt32> = []
    /// Windows that were requested to minimise or close, with the moment. They are not brought to the foreground meanwhile.
    private var leaving: [UInt32: Duration] = [:]
    /// Windows whose support for pings is hidden from the manager.
    private var unpinged: Set<UInt32> = []
    /// The foreground window, and the server time at which it came to the foreground. 0 if that is unknown.
    private(set) var foreground: UInt32?
    private(set) var foregroundSinceServerMs: UInt32 = 0

    /// Returns true for a pane, which does not count as a window.
    var isPane: (UInt32) -> Bool = { _ in false }
    /// Called when a window's properties or position changed, or when it is gone.
    var onChange: (UInt32) -> Void = { _ in }
    /// Called when a window has a different frame.
    var onNewFrame: (UInt32) -> Void = { _ in }
    var onForegroundGone: () -> Void = {}

    init(
        _ connection: XConnection,
        _ manager: XWindowManagerWatch,
        hasOwners: Bool,
        heard: @escaping (DesktopEvent) -> Void
    ) {
        self.connection = connection
        self.manager = manager
        self.hasOwners = hasOwners
        self.onEvent = heard
    }

    subscript(_ id: UInt32) -> XWindow? { windows[id] }

    /// Returns the window inside this frame.
    func client(ofFrame id: UInt32) -> UInt32? { clients[id] }

    var isStale: Bool { wantsList || !dirty.isEmpty }

    func setForeground(_ id: UInt32?, serverMs: UInt32) {
        foreground = id
        foregroundSinceServerMs = serverMs
    }

    // MARK: - Marks

    func markList() { wantsList = true }

    func mark(_ id: UInt32, _ parts: XWindow.Parts) {
        guard windows[id] != nil else { return }
        dirty[id, default: []].insert(parts)
    }

    /// Marks all windows after a change of the workspace, because they may be on another one now.
    func markWorkspaces() {
        for id in windows.keys { mark(id, [.mapping, .desktop]) }
    }

    func markProperty(_ id: UInt32, _ atom: UInt32) {
        if let part = part(atom) { mark(id, part) }
    }

    private func part(_ atom: UInt32) -> XWindow.Parts? {
        let atoms = connection.atoms
        return switch atom {
        case 0: nil
        case atoms[.name], XCB_ATOM_WM_NAME.rawValue: .title
        case XCB_ATOM_WM_CLASS.rawValue: .windowClass
        case atoms[.pid], atoms[.gtkApplication], atoms[.kdeDesktopFile]: .claims
        case atoms[.state], atoms[.wmState]: [.state, .mapping]
        case atoms[.desktop]: [.desktop, .mapping]
        case atoms[.type]: .kind
        default: nil
        }
    }

    func destroyed(_ id: UInt32) {
        remove(id)
        formerApps.remove(id)
        clients[id] = nil
    }

    // MARK: - Appearing and disappearing

    /// Reads the list of windows, if it is marked.
    func readList() {
        guard wantsList else { return }
        wantsList = false
        let listed = (manager.current.maintainsHints ? listedClients() : foundClients()).prefix(
            DesktopModel.windowsMax
        )
        let now = Set(listed)
        for (id, window) in windows where !now.contains(id) && !window.isUnmanaged { remove(id) }
        for id in listed {
            if windows[id] == nil { adopt(id) } else { windows[id]?.isUnmanaged = false }
        }
    }

    func adopt(_ id: UInt32, isExtra: Bool = false) {
        guard !isPane(id), id != connection.root, id != 0 else { return }
        // Events are selected before the properties are read, so that no change is missed.
        connection.select(
            id,
            XCB_EVENT_MASK_PROPERTY_CHANGE,
            XCB_EVENT_MASK_STRUCTURE_NOTIFY,
            XCB_EVENT_MASK_FOCUS_CHANGE
        )
        var window = XWindow(id: id)
        window.isUnmanaged = isExtra
        window.wasApp = formerApps.contains(id)
        windows[id] = window
        dirty[id] = .all
    }

    private func remove(_ id: UInt32) {
        guard let window = windows.removeValue(forKey: id) else { return }
        if clients[window.frame] == id { clients[window.frame] = nil }
        // The window may only have been unmapped, and may return with another name.
        if window.wasApp, formerApps.count < DesktopModel.windowsMax { formerApps.insert(id) }
        dirty[id] = nil
        leaving[id] = nil
        unpinged.remove(id)
        if window.lastSent != nil { onEvent(.windowGone(window.current.id)) }
        onChange(id)
        // Called even if the next foreground window has the same number, because it is a different window.
        if foreground == id { onForegroundGone() }
    }

    private func listedClients() -> [UInt32] {
        connection.property(
            connection.root,
            connection.atoms[.clientList],
            words: UInt32(DesktopModel.windowsMax)
        )?.words ?? []
    }

    /// Finds windows without hints: those with WM_STATE, at most two levels below the root, and unmanaged mapped ones.
    private func foundClients() -> [UInt32] {
        let isManaged = manager.current.isRunning
        let tops = connection.children(of: connection.root).prefix(DesktopModel.windowsMax)
        return tops.compactMap { top in
            guard !isPane(top) else { return nil }
            let cookie = xcb_get_window_attributes(connection.raw, top)
            guard let reply = xcb_get_window_attributes_reply(connection.raw, cookie, nil) else { return nil }
            defer { free(reply) }
            if hasState(top) { return top }
            let inside = isManaged ? connection.children(of: top) : []
            if let found = inside.first(where: hasState) { return found }
            for child in inside {
                if let found = connection.children(of: child).first(where: hasState) { return found }
            }
            let isBare =
                reply.pointee.override_redirect == 0
                && reply.pointee._class == UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue)
            let isMapped = reply.pointee.map_state == UInt8(XCB_MAP_STATE_VIEWABLE.rawValue)
            return isBare && isMapped && !isManaged ? top : nil
        }
    }

    private func hasState(_ id: UInt32) -> Bool {
        connection.property(id, connection.atoms[.wmState], words: 1) != nil
    }

    // MARK: - Properties

    /// Reads the marked values of each window, and reports the windows that changed.
    func refresh() {
        while !dirty.isEmpty, !connection.hasEnded {
            let part = Array(dirty.prefix(Self.batch))
            for (id, _) in part { dirty[id] = nil }
            for (id, parts) in part where parts.contains(.parents) { findFrame(id) }
            let inquiries = part.map {
                XWindowQuery(connection, id: $0.key, parts: $0.value, hasOwners: hasOwners)
            }
            for inquiry in inquiries {
                // All replies must be read, including those about windows that were removed meanwhile.
                var window = windows[inquiry.id] ?? XWindow(id: inquiry.id)
                let isAlive = inquiry.apply(into: &window)
                guard windows[inquiry.id] != nil else { continue }
                // No list reports that an unlisted window was unmapped.
                if isAlive, window.isViewable || !window.isUnmanaged {
                    windows[inquiry.id] = window
                    send(inquiry.id)
                } else if !connection.hasEnded {
                    remove(inquiry.id)
                }
            }
        }
    }

    private func send(_ id: UInt32) {
        guard var window = windows[id] else { return }
        window.updateVisibility(
            workspace: manager.workspace,
            manager: manager.current,
            isInFront: id == foreground
        )
        let isNew = window.lastSent != window.current
        window.lastSent = window.current
        windows[id] = window
        guard isNew else { return }
        onEvent(.window(window.current))
        onChange(id)
    }

    /// Reports a window again if its values changed, because it entered or left the foreground.
    func resend(_ id: UInt32) {
        if windows[id]?.lastSent != nil { send(id) }
    }

    /// Treats a window as an app's, although it declares itself a panel or a menu.
    func markAsApp(_ id: UInt32) {
        windows[id]?.applyChrome(isNamedChrome: false)
        send(id)
    }

    private func findFrame(_ id: UInt32) {
        guard let window = windows[id] else { return }
        var frame = id
        for _ in 0..<Self.depthMax {
            guard let parent = connection.parent(of: frame), parent != 0, parent != connection.root else {
                break
            }
            frame = parent
        }
        if clients[window.frame] == id { clients[window.frame] = nil }
        windows[id]?.frame = frame
        clients[frame] = id
        if frame != window.frame { onNewFrame(id) }
    }

    // MARK: - Requests to the window manager, in the role of a pager

    func minimize(_ id: WindowID) {
        guard let number = XWindow.number(id), windows[number] != nil else { return }
        leaving[number] = Stopwatch.reading()
        connection.tellManager(number, type: connection.atoms[.changeState], words: [Self.iconic])
    }

    func activate(_ id: UInt32) {
        guard windows[id] != nil else { return }
        guard !manager.current.maintainsHints else {
            return connection.tellManager(
                id,
                type: connection.atoms[.activeWindow],
                words: [Self.pager, 0, 0]
            )
        }
        var above = XCB_STACK_MODE_ABOVE.rawValue
        let mask = UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue)
        xcb_configure_window(connection.raw, id, mask, &above)
        xcb_set_input_focus(connection.raw, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), id, 0)
    }

    /// Activates the highest usable window. Covered windows are used only if there is no other.
    func activateNext(covered: Set<UInt32>) {
        let now = Stopwatch.reading()
        leaving = leaving.filter { now - $0.value < Self.leavingTime }
        let highest = Array(stacking().reversed()).filter { id in
            guard let window = windows[id]?.current, window.isShown, !window.isChrome else { return false }
            return id != foreground && leaving[id] == nil
        }
        if let next = highest.first(where: { !covered.contains($0) }) ?? highest.first { activate(next) }
    }

    private func stacking() -> [UInt32] {
        let atom = connection.atoms[.stacking]
        if let list = connection.property(connection.root, atom, words: UInt32(DesktopModel.windowsMax)) {
            return list.words
        }
        return connection.children(of: connection.root).compactMap { id in
            clients[id] ?? (windows[id] == nil ? nil : id)
        }
    }

    /// Hides or restores a window's support for pings. Without pings, the manager does not report a paused app as hung and offer to
    /// end it.
    func setPinged(_ id: UInt32?, _ isPinged: Bool) {
        let (protocols, ping) = (connection.atoms[.protocols], connection.atoms[.ping])
        guard let id, windows[id] != nil, unpinged.contains(id) == isPinged,
            let known = connection.property(id, protocols, words: 32)?.words,
            isPinged || known.contains(ping)
        else { return }
        let others = known.filter { $0 != ping }
        let wanted = isPinged ? others + [ping] : others
        connection.set(id, protocols, type: XCB_ATOM_ATOM.rawValue, words: wanted)
        if isPinged { unpinged.remove(id) } else { unpinged.insert(id) }
    }

    /// Returns the menus, lists and hints that a window's program shows without the window manager.
    func menus(of id: UInt32?) -> [UInt32] {
        guard let id else { return [] }
        let program = ~connection.idMask
        let own = connection.children(of: connection.root).filter {
            $0 & program == id & program && windows[$0] == nil && clients[$0] == nil && !isPane($0)
        }
        let cookies = own.map { ($0, xcb_get_window_attributes(connection.raw, $0)) }
        return cookies.compactMap { window, cookie in
            guard let reply = xcb_get_window_attributes_reply(connection.raw, cookie, nil) else { return nil }
            defer { free(reply) }
            let isSeen = reply.pointee.map_state == UInt8(XCB_MAP_STATE_VIEWABLE.rawValue)
            return isSeen && reply.pointee.override_redirect != 0 ? window : nil
        }
    }

    func requestClose(_ id: WindowID) {
        guard let number = XWindow.number(id), windows[number] != nil else { return }
        leaving[number] = Stopwatch.reading()
        guard !manager.current.maintainsHints else {
            return connection.tellManager(
                number,
                type: connection.atoms[.closeWindow],
                words: [0, Self.pager]
            )
        }
        let atoms = connection.atoms
        let words: [UInt32] = [atoms[.deleteWindow], 0, 0, 0, 0]
        st_tell_manager(connection.raw, connection.root, number, atoms[.protocols], words, false)
    }
}
