import STDesktop
import STPlatform

/// A desktop's own interface, for facts beyond the Wayland protocols: processes, positions and the foreground window.
protocol CompositorLink: AnyObject {
    /// Receives all windows, and the moment of the event that caused the request.
    var onTree: ((WindowTree, BootTime) -> Void)? { get set }
    /// Receives a new foreground window, and the moment of the change.
    var onFocus: ((_ container: Int64, BootTime) -> Void)? { get set }
    var onEnd: (() -> Void)? { get set }
    /// True if changes of frames are not reported, so that they must be polled while a cover is shown.
    var pollsFrames: Bool { get }
    /// The problem to report if the link ends. `nil` if the Wayland protocols also report windows.
    var fallbackWarning: Message? { get }
    /// Requests a new tree.
    func refresh()
    func close()
    /// Activates the window, also if it is minimised.
    func activate(_ container: Int64)
    func minimize(_ container: Int64)
    func requestClose(_ container: Int64)
    /// Closes the open menus of the window.
    func closeMenus(of container: Int64)
}

/// All windows of a desktop at one moment.
struct WindowTree {
    static let windowsMax = DesktopModel.windowsMax

    /// Windows in the order in which they opened.
    var windows: [TreeWindow] = []
    /// The frames of floating containers with their decorations, the lowest first. Empty for an invisible one.
    var floating: [ScreenRect] = []
    /// The window with the keyboard, or the one that would have it without a cover.
    var foreground: Int64?
    /// The window that has the keyboard.
    var keyboardFocus: Int64?

    func window(_ container: Int64) -> TreeWindow? { windows.first { $0.container == container } }

    /// Clamps coordinates far beyond any desktop, so that sums cannot overflow.
    static func bounded(_ number: Int64?) -> Int { Int(min(max(number ?? 0, -1_000_000), 1_000_000)) }
}

struct TreeWindow: Equatable {
    /// The desktop's number of the window. Numbers ascend in the order of opening.
    var container: Int64
    var appID: String?
    var title: String?
    var pid: Int32?
    /// The frame that a cover must cover.
    var content: ScreenRect
    /// True if the window is on a visible workspace, and not behind a tab or a fullscreen window.
    var isVisible: Bool
    var isFullscreen: Bool
    /// True if the window is minimised or, in sway, in the scratchpad.
    var isHidden: Bool
    /// The index of the floating container of the window, from the lowest. `nil` for a tiled window.
    var floating: Int?
    /// The title that a cover must have so that the desktop keeps it over this window. `nil` if the desktop does not do that.
    var coverTitle: String?
}
