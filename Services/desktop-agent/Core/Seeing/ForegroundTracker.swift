package import STDesktop

/// Determines the foreground app from the windows on the screen.
///
/// A panel or a menu that takes the focus for a moment does not replace the app beside it. A pane of Screen Time that takes the
/// focus does not replace the app that it covers. So the previous foreground window remains the foreground window while it is
/// visible. The bare desktop is not an app.
///
/// If a child on a protected computer keeps the focus in a small window while another app fills half of the monitor, the other
/// app is the foreground app.
package struct ForegroundTracker: Sendable, Equatable {
    /// The last foreground window that belongs to an app.
    package private(set) var window: WindowID?

    /// True if a child on a protected computer uses the session.
    package var isGuarded: Bool
    /// The windows that had the focus, the most recent one last.
    private var recentFocus: [WindowID] = []
    private static let focusedMax = 64

    package init(isGuarded: Bool = false) { self.isGuarded = isGuarded }

    /// Returns the foreground app. `panes` is the number of visible panes of Screen Time that take keys. Such a pane takes the
    /// focus from the window under it.
    package mutating func app(in scene: DesktopModel, panes: Int) -> String? {
        if let focus = scene.focusedWindow, let seen = scene.windows[focus] {
            if !seen.window.isChrome {
                recordFocus(focus)
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

    private mutating func recordFocus(_ id: WindowID) {
        guard recentFocus.last != id else { return }
        recentFocus.removeAll { $0 == id }
        recentFocus.append(id)
        if recentFocus.count > Self.focusedMax { recentFocus.removeFirst() }
    }

    /// Returns a window of another app that fills half of a monitor, if the focused window fills less than a quarter of the
    /// same monitor.
    ///
    /// Not every display reports which window is on top. If several windows qualify, the function prefers a full-screen window,
    /// then the window that had the focus most recently.
    private func largeWindow(beside focus: IdentifiedWindow, in scene: DesktopModel) -> WindowID? {
        guard let small = focus.window.frame,
            let output = scene.outputs.max(by: {
                $0.frame.overlapArea(with: small) < $1.frame.overlapArea(with: small)
            }
            )?.frame,
            small.overlapArea(with: output) * 4 < output.area
        else { return nil }
        let large = scene.windows.values.filter { seen in
            seen.window.isShown && !seen.window.isMinimized && !seen.window.isChrome
                && seen.window.id != focus.window.id
                && (seen.window.frame.map { $0.overlapArea(with: output) * 2 >= output.area } ?? false)
        }
        // The focused window may be a dialog of the large one.
        let winner = large.max { one, other in rank(one) < rank(other) }
        return winner?.app?.id == focus.app?.id ? nil : winner?.window.id
    }

    private func rank(_ seen: IdentifiedWindow) -> (Int, Int, String) {
        (
            seen.window.isFullscreen ? 1 : 0, recentFocus.firstIndex(of: seen.window.id) ?? -1,
            seen.window.id.rawValue
        )
    }
}
