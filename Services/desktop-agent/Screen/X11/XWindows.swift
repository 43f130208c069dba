import Glibc
import STCScreen
import STDesktop
import STPlatform

/// The windows of apps: which ones there are, what they say of themselves, and which one is in front.
///
/// Events only mark; `refresh` asks for what was marked, in as few turns as possible. However wildly windows come and
/// go, a round costs no more than what is there at its end.
final class XWindows {
    /// For how many windows questions may be under way at the same time.
    private static let batch = 64
    /// Windows between one of an app's and the root; no program nests them deeper.
    private static let depthMax = 8
    /// A window that was asked to go is not brought back for so long.
    private static let leavingMs: Int64 = 2_000
    /// What window managers expect in requests: a pager sends them, and the state is the iconic one.
    private static let pager: UInt32 = 2
    private static let iconic: UInt32 = 3

    private let connection: XConnection
    private let manager: XManagerWatch
    private let hasOwners: Bool
    private let heard: (DesktopEvent) -> Void
    private var all: [UInt32: XWindow] = [:]
    /// From what the window manager draws around a window to the window.
    private var clients: [UInt32: UInt32] = [:]
    private var dirty: [UInt32: XWindow.Parts] = [:]
    private var wantsList = true
    /// Windows that are not there now and were an app's; until they are destroyed.
    private var formerApps: Set<UInt32> = []
    /// Windows that were asked to go, and when: they are not brought to the front meanwhile.
    private var leaving: [UInt32: Int64] = [:]
    /// Windows that answered pings, and do not say so any more.
    private var unpinged: Set<UInt32> = []
    /// The window in front, and the server's time at which it came there; 0: unknown.
    private(set) var front: UInt32?
    private(set) var frontSinceServerMs: UInt32 = 0

    /// Whether a window is a pane of ours, which counts as no window.
    var isPane: (UInt32) -> Bool = { _ in false }
    /// A window has other words or another place than before, or is no more.
    var onChange: (UInt32) -> Void = { _ in }
    /// What is drawn around a window is another window now.
    var onNewFrame: (UInt32) -> Void = { _ in }
    var onFrontGone: () -> Void = {}

    init(
        _ connection: XConnection,
        _ manager: XManagerWatch,
        hasOwners: Bool,
        heard: @escaping (DesktopEvent) -> Void
    ) {
        self.connection = connection
        self.manager = manager
        self.hasOwners = hasOwners
        self.heard = heard
    }

    subscript(_ id: UInt32) -> XWindow? { all[id] }

    /// The window that this is the frame of.
    func client(ofFrame id: UInt32) -> UInt32? { clients[id] }

    var isStale: Bool { wantsList || !dirty.isEmpty }

    func setFront(_ id: UInt32?, serverMs: UInt32) {
        front = id
        frontSinceServerMs = serverMs
    }

    // MARK: - What events mark

    func markList() { wantsList = true }

    func mark(_ id: UInt32, _ parts: XWindow.Parts) {
        guard all[id] != nil else { return }
        dirty[id, default: []].insert(parts)
    }

    /// The manager shows another workspace: mapped or not, windows may be on another one now.
    func markWorkspaces() {
        for id in all.keys { mark(id, [.mapping, .desktop]) }
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
        forget(id)
        formerApps.remove(id)
        clients[id] = nil
    }

    // MARK: - Coming and going

    /// Asks which windows there are, if that was marked.
    func readList() {
        guard wantsList else { return }
        wantsList = false
        let listed = (manager.now.keepsHints ? listedClients() : foundClients()).prefix(
            DesktopScene.windowsMax
        )
        let now = Set(listed)
        for (id, window) in all where !now.contains(id) && !window.isExtra { forget(id) }
        for id in listed {
            if all[id] == nil { adopt(id) } else { all[id]?.isExtra = false }
        }
    }

    func adopt(_ id: UInt32, isExtra: Bool = false) {
        guard !isPane(id), id != connection.root, id != 0 else { return }
        // Its changes are asked for first, and then how it is: nothing is missed in between.
        connection.select(
            id,
            XCB_EVENT_MASK_PROPERTY_CHANGE,
            XCB_EVENT_MASK_STRUCTURE_NOTIFY,
            XCB_EVENT_MASK_FOCUS_CHANGE
        )
        var window = XWindow(id: id)
        window.isExtra = isExtra
        window.wasApp = formerApps.contains(id)
        all[id] = window
        dirty[id] = .all
    }

    private func forget(_ id: UInt32) {
        guard let window = all.removeValue(forKey: id) else { return }
        if clients[window.frame] == id { clients[window.frame] = nil }
        // It may only have been taken off the screen, and come back with another name.
        if window.wasApp, formerApps.count < DesktopScene.windowsMax { formerApps.insert(id) }
        dirty[id] = nil
        leaving[id] = nil
        unpinged.remove(id)
        if window.told != nil { heard(.windowGone(window.now.id)) }
        onChange(id)
        // Whether the same number is in front next or not: a window that takes it is another one.
        if front == id { onFrontGone() }
    }

    private func listedClients() -> [UInt32] {
        connection.property(
            connection.root,
            connection.atoms[.clientList],
            words: UInt32(DesktopScene.windowsMax)
        )?.words ?? []
    }

    /// Without hints: what carries a WM_STATE, at most two levels below the root, and what is bare and mapped.
    private func foundClients() -> [UInt32] {
        let isManaged = manager.now.isThere
        let tops = connection.children(of: connection.root).prefix(DesktopScene.windowsMax)
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

    // MARK: - What they say of themselves

    /// Asks for what was marked of each window, and tells what is different from before.
    func refresh() {
        while !dirty.isEmpty, !connection.hasEnded {
            let part = Array(dirty.prefix(Self.batch))
            for (id, _) in part { dirty[id] = nil }
            for (id, parts) in part where parts.contains(.parents) { findFrame(id) }
            let inquiries = part.map { XInquiry(connection, $0.key, $0.value, hasOwners: hasOwners) }
            for inquiry in inquiries {
                // All answers have to be taken, also those about windows that are forgotten meanwhile.
                var window = all[inquiry.id] ?? XWindow(id: inquiry.id)
                let isAlive = inquiry.take(into: &window)
                guard all[inquiry.id] != nil else { continue }
                // No list tells that a window which is in none has been taken off the screen.
                if isAlive, window.isViewable || !window.isExtra {
                    all[inquiry.id] = window
                    tell(inquiry.id)
                } else if !connection.hasEnded {
                    forget(inquiry.id)
                }
            }
        }
    }

    private func tell(_ id: UInt32) {
        guard var window = all[id] else { return }
        window.conclude(workspace: manager.workspace, manager: manager.now, isInFront: id == front)
        let isNew = window.told != window.now
        window.told = window.now
        all[id] = window
        guard isNew else { return }
        heard(.window(window.now))
        onChange(id)
    }

    /// Tells a window anew if that is due: it has come to the front, or left it.
    func tellAgain(_ id: UInt32) {
        if all[id]?.told != nil { tell(id) }
    }

    /// A window that calls itself a panel or a menu is worked in like an app's.
    func takeForApp(_ id: UInt32) {
        all[id]?.take(isNamedChrome: false)
        tell(id)
    }

    private func findFrame(_ id: UInt32) {
        guard let window = all[id] else { return }
        var frame = id
        for _ in 0..<Self.depthMax {
            guard let parent = connection.parent(of: frame), parent != 0, parent != connection.root else {
                break
            }
            frame = parent
        }
        if clients[window.frame] == id { clients[window.frame] = nil }
        all[id]?.frame = frame
        clients[frame] = id
        if frame != window.frame { onNewFrame(id) }
    }

    // MARK: - What is asked of the window manager, in the words of a pager

    func minimize(_ id: WindowID) {
        guard let number = XWindow.number(id), all[number] != nil else { return }
        leaving[number] = Stopwatch.milliseconds()
        connection.tellManager(number, connection.atoms[.changeState], [Self.iconic])
    }

    func activate(_ id: UInt32) {
        guard all[id] != nil else { return }
        guard !manager.now.keepsHints else {
            return connection.tellManager(id, connection.atoms[.activeWindow], [Self.pager, 0, 0])
        }
        var above = XCB_STACK_MODE_ABOVE.rawValue
        let mask = UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue)
        xcb_configure_window(connection.raw, id, mask, &above)
        xcb_set_input_focus(connection.raw, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), id, 0)
    }

    /// The highest window that can be used; a covered one only where there is no other.
    func activateNext(covered: Set<UInt32>) {
        let nowMs = Stopwatch.milliseconds()
        leaving = leaving.filter { nowMs - $0.value < Self.leavingMs }
        let highest = Array(stacking().reversed()).filter { id in
            guard let window = all[id]?.now, window.isShown, !window.isChrome else { return false }
            return id != front && leaving[id] == nil
        }
        if let next = highest.first(where: { !covered.contains($0) }) ?? highest.first { activate(next) }
    }

    private func stacking() -> [UInt32] {
        let atom = connection.atoms[.stacking]
        if let list = connection.property(connection.root, atom, words: UInt32(DesktopScene.windowsMax)) {
            return list.words
        }
        return connection.children(of: connection.root).compactMap { id in
            clients[id] ?? (all[id] == nil ? nil : id)
        }
    }

    /// A window whose app may stand still gets no pings: the manager would take it for hung, and offer to end it.
    func setPinged(_ id: UInt32?, _ isPinged: Bool) {
        let (protocols, ping) = (connection.atoms[.protocols], connection.atoms[.ping])
        guard let id, all[id] != nil, unpinged.contains(id) == isPinged,
            let known = connection.property(id, protocols, words: 32)?.words,
            isPinged || known.contains(ping)
        else { return }
        let others = known.filter { $0 != ping }
        let wanted = isPinged ? others + [ping] : others
        connection.set(id, protocols, type: XCB_ATOM_ATOM.rawValue, words: wanted)
        if isPinged { unpinged.remove(id) } else { unpinged.insert(id) }
    }

    /// What a program shows past the window manager beside this window of its: menus, lists, hints.
    func menus(of id: UInt32?) -> [UInt32] {
        guard let id else { return [] }
        let program = ~connection.idMask
        let own = connection.children(of: connection.root).filter {
            $0 & program == id & program && all[$0] == nil && clients[$0] == nil && !isPane($0)
        }
        let cookies = own.map { ($0, xcb_get_window_attributes(connection.raw, $0)) }
        return cookies.compactMap { window, cookie in
            guard let reply = xcb_get_window_attributes_reply(connection.raw, cookie, nil) else { return nil }
            defer { free(reply) }
            let isSeen = reply.pointee.map_state == UInt8(XCB_MAP_STATE_VIEWABLE.rawValue)
            return isSeen && reply.pointee.override_redirect != 0 ? window : nil
        }
    }

    func askToClose(_ id: WindowID) {
        guard let number = XWindow.number(id), all[number] != nil else { return }
        leaving[number] = Stopwatch.milliseconds()
        guard !manager.now.keepsHints else {
            return connection.tellManager(number, connection.atoms[.closeWindow], [0, Self.pager])
        }
        let atoms = connection.atoms
        let words: [UInt32] = [atoms[.deleteWindow], 0, 0, 0, 0]
        st_tell_manager(connection.raw, connection.root, number, atoms[.protocols], words, false)
    }
}
