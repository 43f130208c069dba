/// The stores of one member that are in force, and an index of what they name.
///
/// A subject is looked up by what it is called, so the time to decide grows with the stores that shield it and not
/// with those that there are. One store's change costs as much as that store is large.
package struct ShieldRules: Sendable {
    package private(set) var stores: [StoreName: StoreShields] = [:]
    private var index = ShieldIndex()

    package init() {}

    /// Nil takes the store out of force.
    package mutating func set(_ name: StoreName, _ shields: StoreShields?) {
        if let old = stores[name] {
            guard old != shields else { return }
            index.remove(name, old)
        }
        stores[name] = shields
        if let shields { index.add(name, shields) }
    }

    /// All that shields it, by the app and the name of the store.
    package func causes(of thing: ShieldThing) -> ShieldIndex.Found { index.find(thing) }
}

extension ShieldRules: Equatable {
    /// The index follows from the stores.
    package static func == (left: ShieldRules, right: ShieldRules) -> Bool { left.stores == right.stores }
}
