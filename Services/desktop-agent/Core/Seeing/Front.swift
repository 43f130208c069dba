package import STDesktop

/// Which app is in front of the person, judged from what the screen says.
///
/// A panel or a menu that takes the focus for a moment does not take the person away from the app beside it, and a
/// window of our own stands for the app that it covers. So the window that was in front before stays so as long as it
/// can be seen. The bare desktop is not an app.
package struct Front: Sendable, Equatable {
    /// The window that was in front last and belongs to an app.
    package private(set) var window: WindowID?

    package init() {}

    /// `panes` are our own windows that can be seen and take keys; what lies beneath such a one loses the focus to it.
    package mutating func app(in scene: DesktopScene, panes: Int) -> String? {
        if let focus = scene.focus, let seen = scene.windows[focus] {
            if !seen.window.isChrome {
                window = focus
                return seen.app?.id
            }
        } else if panes == 0 {
            window = nil
            return nil
        }
        guard let window, let seen = scene.windows[window], seen.window.isShown, !seen.window.isMinimized
        else {
            self.window = nil
            return nil
        }
        return seen.app?.id
    }
}
