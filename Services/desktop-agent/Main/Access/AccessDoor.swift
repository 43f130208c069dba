import STDBus
import STPlatform
import STScreen

/// Where assistive technology finds our panes: the session's bus, as the environment names it.
enum AccessDoor {
    /// Nil where the session has no bus; then nobody could ask.
    static func open(
        _ thread: LoopThread,
        _ environment: [String: String],
        _ hub: DesktopHub
    ) -> AccessiblePanes? {
        guard let address = try? DBusAddress.session(environment) else { return nil }
        return AccessiblePanes(thread: thread, sessionBus: address) { [weak hub] pane, spot in
            thread.post { [weak hub] in hub?.assumeIsolated { $0.press(pane, spot) } }
        }
    }
}
