import Foundation

/// Holds a value that lives as long as its view has a place.
///
/// Each time a view is made anew, so is a box; `keep` leads it to the one that was there before.
final class StateBox<Value>: @unchecked Sendable {
    // @unchecked: everything is read and written under the lock.
    private let lock = NSLock()
    private let first: () -> Value
    private var value: Value?
    private var kept: StateBox?
    private weak var home: ViewPlace?

    init(_ first: @escaping () -> Value) { self.first = first }

    /// The one that counts.
    var real: StateBox { lock.withLock { kept } ?? self }

    var current: Value {
        get {
            let real = real
            if let value = real.lock.withLock({ real.value }) { return value }
            let made = real.first()
            return real.lock.withLock {
                if let value = real.value { return value }
                real.value = made
                return made
            }
        }
        set {
            let real = real
            real.lock.withLock { real.value = newValue }
        }
    }

    /// Leads to the box of that place, which is this one when nobody was there before.
    @MainActor
    func keep(at place: ViewPlace, _ number: Int) {
        let box = place.slot(number) { home == nil ? self : StateBox(first) }
        if box === self { home = place }
        lock.withLock { kept = box === self ? nil : box }
    }

    var binding: Binding<Value> {
        let real = real
        return Binding(
            identity: BindingIdentity(object: ObjectIdentifier(real)),
            get: { real.current },
            set: { real.current = $0 }
        )
    }
}
