package import STDomain

// What a subscriber of the stream of policy does with what it hears.

extension PolicyBook {
    /// Events of other types change nothing.
    package mutating func apply(_ event: WireEvent) throws {
        switch event.header.type {
        case PolicyStoreChanged.type: apply(try event.decoded(PolicyStoreChanged.self))
        case PolicyAllowedChanged.type: apply(try event.decoded(PolicyAllowedChanged.self))
        case PolicyGrantChanged.type: apply(try event.decoded(PolicyGrantChanged.self))
        default: break
        }
    }

    /// Before a rebuild from a snapshot.
    package mutating func reset() { self = PolicyBook() }

    package mutating func apply(_ word: PolicyStore) {
        reach(word.policy)
        let name = StoreName(app: word.app, member: word.member, store: word.store)
        guard word.isInForce else { return set(name, nil) }
        // Of a newer version, and not understood: what held before goes on.
        guard let shields = word.shields.shields else { return }
        set(name, shields)
    }

    package mutating func apply(_ word: PolicyAllowed) {
        reach(word.policy)
        allow(ThingSet(word.items), member: word.member)
    }

    package mutating func apply(_ word: PolicyGrant) {
        reach(word.policy)
        let request = word.request
        guard request.state == .granted else { return end(grant: request.request, member: request.member) }
        set(
            TimeGrant(
                request: request.request,
                member: request.member,
                things: ThingSet(request.items),
                untilMs: request.untilWallMs
            )
        )
    }
}

extension ThingSet {
    package init(_ items: [TokenItem]) {
        self.init()
        for item in items {
            switch item.kind {
            case .application: apps.insert(item.id)
            case .category: categories.insert(item.id)
            case .domain: domains.insert(item.id)
            case .unknown: break
            }
        }
    }
}
