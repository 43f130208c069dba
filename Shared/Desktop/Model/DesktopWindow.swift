/// One window as the desktop reports it. Values that the desktop does not report are `nil`.
///
/// The adapter cleans all texts first: no control characters, no invalid UTF-8, at most `textBytesMax` bytes.
package struct DesktopWindow: Sendable, Equatable {
    package static let textBytesMax = 512

    package var id: WindowID
    package var title: String?
    /// The second string of WM_CLASS, or the app_id of Wayland.
    package var windowClass: String?
    /// The first string of WM_CLASS.
    package var instance: String?
    /// The window's process, as reported by the display server.
    package var pid: Int32?
    /// The window's process, as reported by the window itself. It can be false, and process IDs differ inside a sandbox.
    package var claimedPid: Int32?
    /// The desktop file that the window itself reports: `_GTK_APPLICATION_ID`, `_KDE_NET_WM_DESKTOP_FILE`.
    package var desktopFile: String?
    /// The frame of the window's content, without the decorations of the window manager.
    package var frame: ScreenRect?
    /// The names of the window's outputs, if the desktop does not report frames.
    package var outputs: [String]
    package var isMinimized: Bool
    package var isFullscreen: Bool
    /// True if the window is on a visible workspace and not minimised. Other windows may still cover it.
    package var isShown: Bool
    /// True for a panel, a desktop, a notification or a splash screen, which is not an app that a person uses.
    package var isChrome: Bool

    package init(
        id: WindowID,
        title: String? = nil,
        windowClass: String? = nil,
        instance: String? = nil,
        pid: Int32? = nil,
        claimedPid: Int32? = nil,
        desktopFile: String? = nil,
        frame: ScreenRect? = nil,
        outputs: [String] = [],
        isMinimized: Bool = false,
        isFullscreen: Bool = false,
        isShown: Bool = true,
        isChrome: Bool = false
    ) {
        self.id = id
        self.title = title
        self.windowClass = windowClass
        self.instance = instance
        self.pid = pid
        self.claimedPid = claimedPid
        self.desktopFile = desktopFile
        self.frame = frame
        self.outputs = outputs
        self.isMinimized = isMinimized
        self.isFullscreen = isFullscreen
        self.isShown = isShown
        self.isChrome = isChrome
    }
}

/// The ID of one window, valid as long as its display: `x11:0x1a00003`, `wl:12`.
package struct WindowID: Sendable, Hashable, Codable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package var description: String { rawValue }
}
