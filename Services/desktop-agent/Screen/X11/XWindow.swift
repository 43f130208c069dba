import Glibc
import STCScreen
import STDesktop

/// One window of an app, with the state that the adapter keeps.
struct XWindow {
    /// The values of a window that must be read again.
    struct Parts: OptionSet {
        let rawValue: Int
        static let title = Parts(rawValue: 1)
        static let windowClass = Parts(rawValue: 2)
        static let claims = Parts(rawValue: 4)
        static let state = Parts(rawValue: 8)
        static let desktop = Parts(rawValue: 16)
        static let kind = Parts(rawValue: 32)
        static let geometry = Parts(rawValue: 64)
        static let mapping = Parts(rawValue: 128)
        static let owner = Parts(rawValue: 256)
        static let parents = Parts(rawValue: 512)
        static let all = Parts(rawValue: 1023)
    }

    let id: UInt32
    /// The ancestor directly below the root: the window manager's frame, or the window itself.
    var frame: UInt32
    /// The current value, and the last reported one.
    var current: DesktopWindow
    var lastSent: DesktopWindow?
    /// The workspace. `nil` if the window is on all workspaces or its workspace is unknown.
    var desktop: UInt32?
    var isViewable = false
    var isHidden = false
    var isIconic = false
    /// True if the window belonged to an app once. A later claim to be a panel is ignored, because any client can make it.
    var wasApp = false
    /// True if the window declares itself the desktop, behind all others.
    var isDesktopBackground = false
    /// True for a foreground window that is not in the window manager's list.
    var isUnmanaged = false

    init(id: UInt32) {
        self.id = id
        frame = id
        current = DesktopWindow(id: XWindow.name(id))
    }

    static func name(_ id: UInt32) -> WindowID { WindowID("x11:0x" + String(id, radix: 16)) }

    static func number(_ id: WindowID) -> UInt32? {
        guard id.rawValue.hasPrefix("x11:0x") else { return nil }
        return UInt32(id.rawValue.dropFirst(6), radix: 16)
    }

    mutating func applyChrome(isNamedChrome: Bool) {
        if !isNamedChrome { wasApp = true }
        current.isChrome = isNamedChrome && !wasApp
    }

    /// Derives the visibility from several properties.
    ///
    /// The window itself can write all of them except the map state. So only the map state counts if the manager unmaps invisible
    /// windows.
    mutating func updateVisibility(workspace: UInt32?, manager: XWindowManager, isInFront: Bool) {
        // Some window managers unmap windows on other workspaces, others only mark them.
        let saysMinimized = isHidden || (isIconic && desktop == nil)
        let isHere = desktop == nil || workspace == nil || desktop == workspace
        let mayHide = manager.keepsHiddenMapped && !isInFront
        current.isShown = isViewable && (!mayHide || !saysMinimized && isHere)
        current.isMinimized = saysMinimized && !current.isShown
    }
}

/// Requests about one window. All of them are sent before the first reply is read.
struct XWindowQuery {
    private typealias Property = xcb_get_property_cookie_t

    let id: UInt32
    private let connection: XConnection
    private var name: Property?
    private var oldName: Property?
    private var windowClass: Property?
    private var pid: Property?
    private var gtk: Property?
    private var kde: Property?
    private var state: Property?
    private var oldState: Property?
    private var desktop: Property?
    private var kind: Property?
    private var attributes: xcb_get_window_attributes_cookie_t?
    private var geometry: xcb_get_geometry_cookie_t?
    private var place: xcb_translate_coordinates_cookie_t?
    private var owner: xcb_res_query_client_ids_cookie_t?

    init(_ connection: XConnection, id: UInt32, parts: XWindow.Parts, hasOwners: Bool) {
        self.id = id
        self.connection = connection
        let atoms = connection.atoms
        func ask(_ atom: UInt32, _ words: UInt32) -> Property {
            connection.requestProperty(id, atom, words: words)
        }
        if parts.contains(.title) {
            name = ask(atoms[.name], XProperty.textWords)
            oldName = ask(XCB_ATOM_WM_NAME.rawValue, XProperty.textWords)
        }
        if parts.contains(.windowClass) { windowClass = ask(XCB_ATOM_WM_CLASS.rawValue, XProperty.textWords) }
        if parts.contains(.claims) {
            pid = ask(atoms[.pid], 1)
            gtk = ask(atoms[.gtkApplication], XProperty.textWords)
            kde = ask(atoms[.kdeDesktopFile], XProperty.textWords)
        }
        if parts.contains(.state) {
            state = ask(atoms[.state], 64)
            oldState = ask(atoms[.wmState], 1)
        }
        if parts.contains(.desktop) { desktop = ask(atoms[.desktop], 1) }
        if parts.contains(.kind) { kind = ask(atoms[.type], 64) }
        if parts.contains(.mapping) { attributes = xcb_get_window_attributes(connection.raw, id) }
        if parts.contains(.geometry) {
            geometry = xcb_get_geometry(connection.raw, id)
            place = xcb_translate_coordinates(connection.raw, id, connection.root, 0, 0)
        }
        if parts.contains(.owner), hasOwners { owner = st_ask_client_pid(connection.raw, id) }
    }

    /// Reads the replies. Returns false if the window no longer exists.
    func apply(into window: inout XWindow) -> Bool {
        applyTexts(&window)
        applyClaims(&window)
        applyState(&window)
        let isAlive = applyMapping(&window)
        return applyGeometry(&window) && isAlive
    }

    private func applyTexts(_ window: inout XWindow) {
        if let name, let oldName {
            let modern = connection.readProperty(name)?.text
            let old = connection.readProperty(oldName)?.text
            window.current.title = modern ?? old
        }
        if let windowClass {
            let pair = connection.readProperty(windowClass)?.pair
            window.current.instance = pair?.0
            window.current.windowClass = pair?.1
        }
    }

    private func applyClaims(_ window: inout XWindow) {
        if let pid, let gtk, let kde {
            let number = connection.readProperty(pid)?.words.first
            window.current.claimedPid = number.flatMap { $0 == 0 ? nil : Int32(exactly: $0) }
            let first = connection.readProperty(gtk)?.text
            let second = connection.readProperty(kde)?.text
            window.current.desktopFile = first ?? second
        }
        if let owner, let reply = xcb_res_query_client_ids_reply(connection.raw, owner, nil) {
            defer { free(reply) }
            let number = st_client_pid(reply)
            window.current.pid = number > 0 ? number : nil
        }
    }

    private func applyState(_ window: inout XWindow) {
        let atoms = connection.atoms
        if let state, let oldState {
            let words = connection.readProperty(state)?.words ?? []
            window.isHidden = words.contains(atoms[.stateHidden])
            window.current.isFullscreen = words.contains(atoms[.stateFullscreen])
            // 3 is IconicState.
            window.isIconic = connection.readProperty(oldState)?.words.first == 3
        }
        if let desktop {
            let number = connection.readProperty(desktop)?.words.first
            window.desktop = number == UInt32.max ? nil : number
        }
        if let kind {
            let words = connection.readProperty(kind)?.words ?? []
            // The first known type counts.
            let chrome = atoms.chrome
            let ordinary = atoms.ordinary
            let known = words.first { chrome.contains($0) || ordinary.contains($0) }
            window.isDesktopBackground = known == atoms[.typeDesktop]
            window.applyChrome(isNamedChrome: known.map(chrome.contains) ?? false)
        }
    }

    private func applyMapping(_ window: inout XWindow) -> Bool {
        guard let attributes else { return true }
        guard let reply = xcb_get_window_attributes_reply(connection.raw, attributes, nil) else {
            window.isViewable = false
            return false
        }
        window.isViewable = reply.pointee.map_state == UInt8(XCB_MAP_STATE_VIEWABLE.rawValue)
        free(reply)
        return true
    }

    private func applyGeometry(_ window: inout XWindow) -> Bool {
        guard let geometry, let place else { return true }
        let size = xcb_get_geometry_reply(connection.raw, geometry, nil)
        let origin = xcb_translate_coordinates_reply(connection.raw, place, nil)
        defer {
            free(size)
            free(origin)
        }
        guard let size, let origin else { return false }
        window.current.frame = ScreenRect(
            x: Int(origin.pointee.dst_x),
            y: Int(origin.pointee.dst_y),
            width: Int(size.pointee.width),
            height: Int(size.pointee.height)
        )
        return true
    }
}
