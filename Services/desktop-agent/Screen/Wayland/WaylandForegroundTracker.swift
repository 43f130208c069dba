import STDesktop
import STPlatform

/// The foreground window, and the order of earlier ones. Reports each change once.
final class WaylandForegroundTracker {
    /// The reported foreground window.
    private(set) var window: WindowID?
    /// Windows in the order of their last time in the foreground, the most recent first.
    private(set) var recent: [WindowID] = []
    private var hasSent = false
    /// A foreground window that is not reported yet, because its `window` event has not been sent.
    private var pending: (window: WindowID, at: BootTime)?
    private let onChange: (WindowID?, BootTime) -> Void

    init(onChange: @escaping (WindowID?, BootTime) -> Void) { self.onChange = onChange }

    /// Reports that no window is in the foreground, unless one was reported or is pending.
    func begin(at moment: BootTime) {
        if !hasSent, pending == nil { set(nil, at: moment) }
    }

    /// Sets the foreground window. If the window itself was not reported yet (`isKnown`), the change waits until it is.
    func setForeground(_ id: WindowID, isKnown: Bool, at moment: BootTime) {
        guard window != id else { return pending = nil }
        guard isKnown else {
            if pending?.window != id { pending = (id, moment) }
            return
        }
        set(id, at: moment)
    }

    /// Cancels the pending change. The current foreground window stays.
    func cancelPending() { pending = nil }

    /// Handles that a window was reported. If its change was pending, reports it with its original moment.
    func windowWasSent(_ id: WindowID) {
        if let pending, pending.window == id { set(id, at: pending.at) }
    }

    func set(_ id: WindowID?, at moment: BootTime) {
        pending = nil
        guard window != id || !hasSent else { return }
        window = id
        hasSent = true
        if let id {
            recent.removeAll { $0 == id }
            recent.insert(id, at: 0)
        }
        onChange(id, moment)
    }

    func windowDidClose(_ id: WindowID) {
        if pending?.window == id { pending = nil }
        recent.removeAll { $0 == id }
        guard window == id else { return }
        window = nil
        hasSent = false
    }

    func reset() { (window, hasSent, pending, recent) = (nil, false, nil, []) }
}
