import STDesktop

/// The frames that tests give to their windows.
enum DeskPlace {
    static let here = ScreenRect(x: 220, y: 140, width: 480, height: 360)
    static let elsewhere = ScreenRect(x: 640, y: 300, width: 480, height: 360)
    /// A frame on the second monitor.
    static let beyond = ScreenRect(x: 1_540, y: 160, width: 480, height: 360)
    static let large = ScreenRect(x: 100, y: 100, width: 700, height: 500)
    /// A frame as wide as the screen, for a tall monitor of Wayland.
    static let whole = ScreenRect(x: 0, y: 40, width: 1_280, height: 768)
}
