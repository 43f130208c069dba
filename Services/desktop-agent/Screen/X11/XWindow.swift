import STDesktop

/// One window of an app as this adapter keeps it.
struct XWindow {
    /// What has to be asked again.
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
    /// Its ancestor just below the root: what the window manager draws around it, or itself.
    var frame: UInt32
    /// As it is, and as it was told.
    var now: DesktopWindow
    var told: DesktopWindow?
    /// The workspace; nil: all of them, or nobody says.
    var desktop: UInt32?
    var isViewable = false
    var isHidden = false
    var isIconic = false
    /// It was an app's at some time: any client may name any window a panel, so that is not believed afterwards.
    var wasApp = false
    /// It says that it is what lies behind all others.
    var isGround = false
    /// In front without being in the window manager's list.
    var isExtra = false

    init(id: UInt32) {
        self.id = id
        frame = id
        now = DesktopWindow(id: XWindow.name(id))
    }

    static func name(_ id: UInt32) -> WindowID { WindowID("x11:0x" + String(id, radix: 16)) }

    static func number(_ id: WindowID) -> UInt32? {
        guard id.rawValue.hasPrefix("x11:0x") else { return nil }
        return UInt32(id.rawValue.dropFirst(6), radix: 16)
    }

    mutating func take(isNamedChrome: Bool) {
        if !isNamedChrome { wasApp = true }
        now.isChrome = isNamedChrome && !wasApp
    }

    /// What follows from several properties together.
    ///
    /// All but the map state may be written by the window itself, so it counts alone wherever the manager unmaps what is
    /// not to be seen.
    mutating func conclude(currentDesktop: UInt32?, manager: XManager, isInFront: Bool) {
        // Some window managers unmap what is on other workspaces, others only say so.
        let saysMinimized = isHidden || (isIconic && desktop == nil)
        let isHere = desktop == nil || currentDesktop == nil || desktop == currentDesktop
        let mayHide = manager.keepsHiddenMapped && !isInFront
        now.isShown = isViewable && (!mayHide || !saysMinimized && isHere)
        now.isMinimized = saysMinimized && !now.isShown
    }
}
