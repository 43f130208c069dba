package import STDesktop

/// What can be said about an X display by looking at it once; nothing of it is ever thrown.
package struct X11Facts: Sendable, Equatable {
    /// As the environment names it; nil: it names none.
    package var display: String?
    package var isReachable = false
    /// Why not.
    package var problem: String?
    package var vendor: String?
    package var release: Int64?
    /// It shows the windows of X programs on somebody else's desktop, and is none itself.
    package var isXWayland = false
    /// What says so, as a sentence.
    package var xWaylandSign: String?
    /// As it calls itself.
    package var windowManager: String?
    /// Somebody manages windows at all.
    package var hasManager = false
    /// The manager tells which windows there are and which one is in front.
    package var keepsHints = false
    package var extensions: [String] = []
    /// The process behind a window can be asked of the server.
    package var tellsProcesses = false
    /// The server tells by itself when nobody is there; without that it can at most be asked.
    package var tellsIdle = false
    package var knowsIdle = false
    package var outputs: [DesktopOutput] = []
    /// The process that listens at the display.
    package var serverPid: Int32?
    /// The process of the window by which the manager shows that it is alive.
    package var windowManagerPid: Int32?

    package init() {}
}
