import STDesktop

/// Where cases put their windows.
enum DeskPlace {
    static let here = ScreenRect(x: 220, y: 140, width: 480, height: 360)
    static let elsewhere = ScreenRect(x: 640, y: 300, width: 480, height: 360)
    /// On the monitor beside the first.
    static let beyond = ScreenRect(x: 1_540, y: 160, width: 480, height: 360)
    static let large = ScreenRect(x: 100, y: 100, width: 700, height: 500)
    /// On a tall monitor of Wayland.
    static let whole = ScreenRect(x: 0, y: 40, width: 1_280, height: 768)
}
