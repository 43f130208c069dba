import STDBus
import STDesktop
import STPlatform
import STScreen

/// Reports the panes of one stage to assistive technology. Each call sends only the changes.
struct AccessibilityPublisher {
    private let panes: AccessiblePanes?
    private var published: [PaneID: AccessiblePane] = [:]
    private var focus: AccessibleFocus?

    init(_ panes: AccessiblePanes?) { self.panes = panes }

    /// Opens the interface for assistive technology on the session bus. Returns nil if the session has no bus.
    static func open(
        _ thread: LoopThread,
        environment: [String: String],
        hub: DesktopHub
    ) -> AccessiblePanes? {
        guard let address = try? DBusAddress.session(environment) else { return nil }
        return AccessiblePanes(thread: thread, sessionBus: address) { [weak hub] pane, spot in
            thread.post { [weak hub] in hub?.assumeIsolated { $0.press(pane, spot) } }
        }
    }

    mutating func publish(
        _ now: @autoclosure () -> [AccessiblePane],
        _ focus: @autoclosure () -> AccessibleFocus?
    ) {
        guard let panes else { return }
        let now = now()
        if now.isEmpty && published.isEmpty { return }
        let shown = Set(now.map(\.id))
        for id in published.keys.sorted(by: { $0.rawValue < $1.rawValue }) where !shown.contains(id) {
            published[id] = nil
            panes.close(id)
        }
        for pane in now where published[pane.id] != pane {
            published[pane.id] = pane
            panes.show(pane)
        }
        let before = self.focus
        let after = focus()
        guard before != after else { return }
        self.focus = after
        if let after {
            panes.focus(after.pane, after.spot)
        } else if let before, shown.contains(before.pane) {
            panes.focus(before.pane, nil)
        }
    }
}
