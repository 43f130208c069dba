package import STContracts
package import STPlatform

/// What shield-service was last asked for the rules: a store for each that shields, a list for each member.
package struct ShieldBook: Sendable, Equatable {
    package enum Place: Sendable, Hashable, Comparable {
        /// The list of what is always allowed; before the stores, so that nothing is shielded that is on it.
        case allowed(member: String)
        case store(member: String, rule: String)

        package var member: String {
            switch self {
            case .allowed(let member), .store(let member, _): member
            }
        }

        package static func < (left: Place, right: Place) -> Bool { left.order < right.order }

        private var order: (Int, String, String) {
            switch self {
            case .allowed(let member): (0, member, "")
            case .store(let member, let rule): (1, member, rule)
            }
        }
    }

    package struct Asked: Sendable, Equatable {
        package var want: ShieldWant
        /// Makes a repeat harmless.
        package var key: String
        /// The delivery or the request that led to it.
        package var cause: String?
        package var isConfirmed = false
        /// Why it was refused for good.
        package var problem: Problem?
    }

    package var asked: [Place: Asked] = [:]

    package init() {}

    /// Takes over what shield-service has, where it was confirmed: what somebody else changed is put right.
    package mutating func compare(stores: [SettingsGet.Reply], allowed: [ShieldAllowedSet.Reply]) {
        var actual: [Place: ShieldWant] = [:]
        for store in stores where store.app == BuiltInRules.app {
            let want: ShieldWant = store.settings.isEmpty ? .clear : .storing(store.settings)
            actual[.store(member: store.member, rule: store.store)] = want
        }
        for list in allowed where !list.items.isEmpty {
            actual[.allowed(member: list.member)] = .allowing(list.items)
        }
        for place in Set(actual.keys).union(asked.keys) {
            let has = actual[place]
            switch (asked[place], has) {
            case (let known?, _) where !known.isConfirmed && known.problem == nil: break
            case (let known?, let has?) where known.want == has && known.problem == nil: break
            case (_, let has?): asked[place] = Asked(want: has, key: "", cause: nil, isConfirmed: true)
            case (_, nil): asked[place] = nil
            }
        }
    }
}
