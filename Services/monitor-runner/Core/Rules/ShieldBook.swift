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
        /// Keys of what was asked of this place before and is still under way: it may come after this one.
        package var superseded: [String] = []
        /// Of a refusal that may pass: how often in a row, and from when on it is asked again.
        package var refusals = 0
        package var againWallMs: Int64?
        /// Its shield is up already, by what was asked before.
        package var isUp = false

        package init(
            want: ShieldWant,
            key: String,
            cause: String? = nil,
            isConfirmed: Bool = false,
            problem: Problem? = nil
        ) {
            self.want = want
            self.key = key
            self.cause = cause
            self.isConfirmed = isConfirmed
            self.problem = problem
        }
    }

    /// So many are remembered; more changes than that in one call's time are made by nobody.
    static let supersededMax = 8
    /// What others do not know yet they may know soon.
    static let againFirstMs: Int64 = 5_000
    static let againMostMs: Int64 = 600_000
    static let passing: Set<String> = ["member.unknown", "unavailable"]

    package var asked: [Place: Asked] = [:]
    /// How often shield-service has told of something that nobody here asked for, and of how much it was asked since.
    ///
    /// Not written down: at a start all is compared anyway.
    package var doubts: Int64 = 0
    package var settledDoubts: Int64 = 0
    /// How often shield-service has answered; not written down either.
    package var answers: Int64 = 0

    package init() {}

    package var isDoubtful: Bool { doubts != settledDoubts }

    /// What shield-service tells of a store of the rules: what is not as it was asked for must be looked at.
    package mutating func hear(_ store: PolicyStore) {
        guard store.app == BuiltInRules.app else { return }
        let want = asked[.store(member: store.member, rule: store.store)]?.want ?? .gone
        if !want.isSame(as: store) { doubts += 1 }
    }

    package mutating func hear(_ list: PolicyAllowed) {
        let want = asked[.allowed(member: list.member)]?.want ?? .items([])
        if want != .allowing(list.items) { doubts += 1 }
    }

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
