import STDesktop

/// Which window is in front, and the order in which windows were; each change is reported once.
final class WaylandFront {
    /// In front as told.
    private(set) var window: WindowID?
    /// Windows in the order in which they were in front, the last one first.
    private(set) var recent: [WindowID] = []
    private var hasTold = false
    /// In front and not told yet, because its window was not.
    private var coming: (window: WindowID, atBootMs: Int64)?
    private let onChange: (WindowID?, Int64) -> Void

    init(onChange: @escaping (WindowID?, Int64) -> Void) { self.onChange = onChange }

    /// Nothing is in front, unless a window has been told already or will be.
    func begin(atBootMs: Int64) {
        if !hasTold, coming == nil { set(nil, atBootMs: atBootMs) }
    }

    /// A window came in front; one that has not been told (`isKnown`) waits until it is.
    func bring(_ id: WindowID, isKnown: Bool, atBootMs: Int64) {
        guard window != id else { return coming = nil }
        guard isKnown else {
            if coming?.window != id { coming = (id, atBootMs) }
            return
        }
        set(id, atBootMs: atBootMs)
    }

    /// What was coming does not come: the one in front stays.
    func stay() { coming = nil }

    /// A window is known now: if it was waited for, it is in front since it came.
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
