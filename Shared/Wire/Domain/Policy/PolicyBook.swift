/// All that is in force, by member: folded from the stream of policy, and asked without asking anybody.
package struct PolicyBook: Sendable, Equatable {
    /// Counts the changes of policy; the last one that this knows of.
    package private(set) var number: Int64 = 0
    package private(set) var members: [String: MemberPolicy] = [:]

    package init() {}

    /// Nil takes the store out of force.
    package mutating func set(_ name: StoreName, _ shields: StoreShields?) {
        guard shields != nil || members[name.member] != nil else { return }
        members[name.member, default: MemberPolicy()].rules.set(name, shields)
    }

    package mutating func allow(_ things: ThingSet, member: String) {
        members[member, default: MemberPolicy()].allowed = things
    }

    package mutating func set(_ grant: TimeGrant) {
        members[grant.member, default: MemberPolicy()].grants[grant.request] = grant
    }

    package mutating func end(grant request: String, member: String) {
        members[member]?.grants[request] = nil
    }

    /// Numbers only grow; a late word of an older one changes nothing.
    package mutating func reach(_ number: Int64) { self.number = max(self.number, number) }

    package func decide(_ thing: ShieldThing, member: String, wallMs: Int64) -> ShieldDecision {
        members[member]?.decide(thing, wallMs: wallMs) ?? .allowed
    }
}
