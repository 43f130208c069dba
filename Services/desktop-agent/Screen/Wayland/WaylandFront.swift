import STDesktop

/// The foreground window, and the order of earlier ones. Reports each change once.
final class WaylandFront {
    /// The reported foreground window.
    private(set) var window: WindowID?
    /// Windows in the order of their last time in the foreground, the most recent first.
    private(set) var recent: [WindowID] = []
    private var hasTold = false
    /// A foreground window that is not reported yet, because its `window` event has not been sent.
    private var coming: (window: WindowID, atBootMs: Int64)?
    private let onChange: (WindowID?, Int64) -> Void

    init(onChange: @escaping (WindowID?, Int64) -> Void) { self.onChange = onChange }

    /// Reports that no window is in the foreground, unless one was reported or is pending.
    func begin(atBootMs: Int64) {
        if !hasTold, coming == nil { set(nil, atBootMs: atBootMs) }
    }

    /// Sets the foreground window. If the window itself was not reported yet (`isKnown`), the change waits until it is.
    func bring(_ id: WindowID, isKnown: Bool, atBootMs: Int64) {
        guard window != id else { return coming = nil }
        guard isKnown else {
            if coming?.window != id { coming = (id, atBootMs) }
            return
        }
        set(id, atBootMs: atBootMs)
    }

    /// Cancels the pending change. The current foreground window stays.
    func stay() { coming = nil }

    /// Handles that a window was reported. If its change was pending, reports it with its original moment.
    func told(_ id: WindowID) {
        if let coming, coming.window == id { set(id, atBootMs: coming.atBootMs) }
    }

    func set(_ id: WindowID?, atBootMs: Int64) {
        coming = nil
        guard window != id || !hasTold else { return }
        window = id
        hasTold = true
        if let id {
            recent.removeAll { $0 == id }
            recent.insert(id, at: 0)
        }
        onChange(id, atBootMs)
    }

    func gone(_ id: WindowID) {
        if coming?.window == id { coming = nil }
        recent.removeAll { $0 == id }
        guard window == id else { return }
        window = nil
        hasTold = false
    }

    func forgetAll() { (window, hasTold, coming, recent) = (nil, false, nil, []) }
}
