/// What an X display says of itself, or why it says nothing.
package struct X11Sign: Sendable, Equatable {
    /// As DISPLAY has it.
    package var display: String
    /// Why it cannot be reached; nil when it can.
    package var problem: String?
    /// It belongs to a Wayland compositor, and shows only what speaks no Wayland.
    package var isXWayland = false
    package var windowManager: String?
    /// Whether it tells which window is in front.
    package var tellsFocus = false
    /// Which process a window belongs to, as the server knows it.
    package var tellsProcesses = false
    package var tellsIdle = false
    package var serverPid: Int32?
    package var windowManagerPid: Int32?

    package init(display: String, problem: String? = nil) {
        self.display = display
        self.problem = problem
    }

    package var isReachable: Bool { problem == nil }
}
