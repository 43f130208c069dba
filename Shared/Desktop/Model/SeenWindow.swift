/// A window and the app that it belongs to.
package struct SeenWindow: Sendable, Equatable {
    package var window: DesktopWindow
    /// Nil for what is no app: a panel, the desktop itself.
    package var app: AppIdentity?

    package init(window: DesktopWindow, app: AppIdentity? = nil) {
        self.window = window
        self.app = app
    }
}
