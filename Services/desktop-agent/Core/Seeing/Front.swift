package import STDesktop

/// Which app is in front of the person, judged from what the screen says.
///
/// A panel or a menu that takes the focus for a moment does not take the person away from the app beside it, and a
/// window of our own stands for the app that it covers. So the window that was in front before stays so as long as it
/// can be seen. The bare desktop is not an app.
///
/// If a child on a protected computer keeps the focus in a small window while another app fills half of the monitor, the other
/// app is the foreground app.
package struct Front: Sendable, Equatable {
    /// The window that was in front last and belongs to an app.
    package private(set) var window: WindowID?

    /// Whether a child on a protected computer uses the session.
    package var isGuarded: Bool
    /// The windows that had the focus, the last one at the end.
    private var focused: [WindowID] = []
    private static let focusedMax = 64

    package init(isGuarded: Bool = false) { self.isGuarded = isGuarded }

    /// `panes` are our own windows that can be seen and take keys; what lies beneath such a one loses the focus to it.
    package mutating func app(in scene: DesktopScene, panes: Int) -> String? {
        if let focus = scene.focus, let seen = scene.windows[focus] {
            if !seen.window.isChrome {
                remember(focus)
                window = isGuarded ? largeWindow(beside: seen, in: scene) ?? focus : focus
                return window.flatMap { scene.windows[$0]?.app?.id }
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

    private mutating func remember(_ id: WindowID) {
        guard focused.last != id else { return }
        focused.removeAll { $0 == id }
        focused.append(id)
        if focused.count > Self.focusedMax { focused.removeFirst() }
    }

    /// A window of another app that fills half of a monitor, if the focused window fills less than a quarter of the same monitor.
    ///
    /// Not every display reports which window is on top. If several windows qualify, a full-screen window is preferred, then the window that had the focus most recently.
    private func largeWindow(beside focus: SeenWindow, in scene: DesktopScene) -> WindowID? {
        guard let small = focus.window.frame,
            let output = scene.outputs.max(by: { $0.frame.shared(with: small) < $1.frame.shared(with: small) }
            )?.frame,
            small.shared(with: output) * 4 < output.area
        else { return nil }
        let large = scene.windows.values.filter { seen in
            seen.window.isShown && !seen.window.isMinimized && !seen.window.isChrome
                && seen.window.id != focus.window.id
                && (seen.window.frame.map { $0.shared(with: output) * 2 >= output.area } ?? false)
        }
        // The focused window may be a dialog of the large one.
        let winner = large.max { one, other in rank(one) < rank(other) }
        return winner?.app?.id == focus.app?.id ? nil : winner?.window.id
    }

    private func rank(_ seen: SeenWindow) -> (Int, Int, String) {
        (
            seen.window.isFullscreen ? 1 : 0, focused.firstIndex(of: seen.window.id) ?? -1,
            seen.window.id.rawValue
        )
    }
}
