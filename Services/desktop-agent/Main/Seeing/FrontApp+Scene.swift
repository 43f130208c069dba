import STDesktop
import STScreen

extension FrontApp {
    /// By the windows that an app has on the screen.
    init(_ app: String, in scene: DesktopScene) {
        let windows = scene.windows(of: app).map(\.window)
        self.init(
            id: app,
            pids: Set(windows.compactMap { $0.pid ?? $0.claimedPid }),
            isFullscreen: windows.contains { $0.id == scene.focus && $0.isFullscreen },
            others: Set(
                scene.windows.values.compactMap { seen in
                    seen.app?.id == app || seen.app == nil ? nil : seen.window.pid
                }
            )
        )
    }
}
