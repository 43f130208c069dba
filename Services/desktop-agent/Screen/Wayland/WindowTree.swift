import STDesktop
import STPlatform

/// What a desktop's own interface tells beyond Wayland's protocols: processes, places, and what is in front.
protocol WindowLink: AnyObject {
    /// All windows as they are, and when the event came that this was asked for because of.
    var onTree: ((WindowTree, Int64) -> Void)? { get set }
    /// A window came in front, at that moment.
    var onFocus: ((_ container: Int64, Int64) -> Void)? { get set }
    var onEnd: (() -> Void)? { get set }
    /// Whether frames have to be asked for while a cover is up.
    var looksForFrames: Bool { get }
    /// What is wrong once it has ended; nil where the protocols tell of windows, too.
    var withoutIt: Message? { get }
    /// A tree of what there is now will come.
    func refresh()
    func close()
    /// In front, also from where it was put away.
    func bring(_ container: Int64)
    func putAway(_ container: Int64)
    func askToClose(_ container: Int64)
    /// Menus that are open over it close.
    func closeMenus(of container: Int64)
}

/// All windows of a desktop at one moment.
struct WindowTree {
    static let windowsMax = DesktopScene.windowsMax

    /// In the order in which they opened.
    var windows: [TreeWindow] = []
    /// Floating windows with all around them, the lowest first; empty where they cannot be seen.
    var floating: [ScreenRect] = []
    /// The window that keys go to, or would go to were it not for a cover.
    var front: Int64?
    /// The window that keys do go to.
    var keyed: Int64?

    func window(_ container: Int64) -> TreeWindow? { windows.first { $0.container == container } }

    /// Coordinates beyond any desktop are cut, so that adding them up cannot overflow.
    static func bounded(_ number: Int64?) -> Int { Int(min(max(number ?? 0, -1_000_000), 1_000_000)) }
}

struct TreeWindow: Equatable {
    /// The number of it; windows that opened earlier have lower ones.
    var container: Int64
    var appID: String?
    var title: String?
    var pid: Int32?
    /// The frame of what a cover has to lie over.
    var content: ScreenRect
    /// Whether it is on a workspace that is shown, and not behind a tab or a fullscreen window.
    var isVisible: Bool
    var isFullscreen: Bool
    /// Put away, or minimised.
    var isAway: Bool
    /// The floating container that it is in, counted from the lowest of all; nil for a tiled one.
    var floating: Int?
    /// What the title of a cover names it by, where the desktop itself keeps covers over windows.
    var coverTitle: String?
}
