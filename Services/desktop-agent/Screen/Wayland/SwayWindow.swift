import STDesktop

/// A window as sway's tree has it.
struct SwayWindow: Equatable {
    /// Of its node; windows that opened earlier have lower ones.
    var container: Int64
    var appID: String?
    var title: String?
    var pid: Int32?
    /// Of its content, without borders and title bar.
    var content: ScreenRect
    /// Whether it is on a workspace that is shown, and not behind a tab or a fullscreen window.
    var isVisible: Bool
    var isFullscreen: Bool
    /// Put away, which is what sway has instead of minimising.
    var isAway: Bool
    /// The floating container that it is in, counted from the lowest of all; nil for a tiled one.
    var floating: Int?
}
