/// One window as the desktop reports it; what it does not report is nil.
///
/// An adapter makes the texts safe first: no control characters, no broken UTF-8, no text longer than
/// `textBytesMax`.
package struct DesktopWindow: Sendable, Equatable {
    package static let textBytesMax = 512

    package var id: WindowID
    package var title: String?
    /// WM_CLASS's second word, or Wayland's app_id.
    package var windowClass: String?
    /// WM_CLASS's first word.
    package var instance: String?
    /// The process behind it as the display server knows it.
    package var pid: Int32?
    /// The process behind it as the window itself says: it may lie, and in a sandbox it counts differently.
    package var claimedPid: Int32?
    /// What the window says of itself: `_GTK_APPLICATION_ID`, `_KDE_NET_WM_DESKTOP_FILE`.
    package var desktopFile: String?
    /// Where its content is, without what the window manager draws around it.
    package var frame: ScreenRect?
    /// Names of the outputs that it is on, where the desktop does not report frames.
    package var outputs: [String]
    package var isMinimized: Bool
    package var isFullscreen: Bool
    /// Whether a person could see it now, were nothing in front of it: on the workspace shown, and not minimised.
    package var isShown: Bool
    /// A panel, a desktop, a notification, a splash screen: not an app that a person uses.
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

/// One window of one display, for as long as that display lives: `x11:0x1a00003`, `wl:12`.
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
