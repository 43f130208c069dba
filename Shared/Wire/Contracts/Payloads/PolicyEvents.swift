package import STDomain

/// What one store says from now on, and whether it counts.
package struct PolicyStore: WireBody, Codable, Equatable {
    /// Counts every change of policy on this computer.
    package var policy: Int64
    package var app: String
    package var member: String
    package var store: String
    /// Counts the changes of this store; 0 when it is gone.
    package var version: Int64
    /// Whether it has a say: its app may, and has not put it out of action.
    package var isInForce: Bool
    /// Why it has none, in a code such as `revoked`, `inactive`, `not_enforced`, `deleted`.
    package var reason: String?
    package var shields: StoreShieldsBody
    /// All other settings, by name, in canonical form.
    package var settings: [String: JSONValue]
    package var wallMs: Int64
    /// The id of what led to it: a delivery, or a request.
    package var cause: String?

    package init(
        policy: Int64,
        app: String,
        member: String,
        store: String,
        version: Int64,
        isInForce: Bool,
        reason: String? = nil,
        shields: StoreShieldsBody,
        settings: [String: JSONValue],
        wallMs: Int64,
        cause: String? = nil
    ) {
        self.policy = policy
        self.app = app
        self.member = member
        self.store = store
        self.version = version
        self.isInForce = isInForce
        self.reason = reason
        self.shields = shields
        self.settings = settings
        self.wallMs = wallMs
        self.cause = cause
    }
}

package enum PolicyStoreChanged: EventType {
    package typealias Body = PolicyStore

    package static let stream = StreamName.policy
    package static let type = "policy.store.changed"
    package static let summary = "A store says this from now on; a subject is `store/<member>/<app>/<store>`."
}

/// What is never shielded for one member.
package struct PolicyAllowed: WireBody, Codable, Equatable {
    package var policy: Int64
    package var member: String
    package var items: [TokenItem]
    package var wallMs: Int64
    package var cause: String?

    package init(policy: Int64, member: String, items: [TokenItem], wallMs: Int64, cause: String? = nil) {
        self.policy = policy
        self.member = member
        self.items = items
        self.wallMs = wallMs
        self.cause = cause
    }
}

package enum PolicyAllowedChanged: EventType {
    package typealias Body = PolicyAllowed

    package static let stream = StreamName.policy
    package static let type = "policy.allowed.changed"
    package static let summary = "This is always allowed for a member, even where it is shielded."
}

/// More time that was granted, or is over.
package struct PolicyGrant: WireBody, Codable, Equatable {
    package var policy: Int64
    package var request: RequestView
    package var wallMs: Int64
    package var cause: String?

    package init(policy: Int64, request: RequestView, wallMs: Int64, cause: String? = nil) {
        self.policy = policy
        self.request = request
        self.wallMs = wallMs
        self.cause = cause
    }
}

package enum PolicyGrantChanged: EventType {
    package typealias Body = PolicyGrant

    package static let stream = StreamName.policy
    package static let type = "policy.grant.changed"
    package static let summary = "More time was granted, or a grant has ended before its time."
}

// What a subscriber of the stream of policy does with what it hears.

extension PolicyBook {
    package mutating func apply(_ word: PolicyStore) {
        reach(word.policy)
        let name = StoreName(app: word.app, member: word.member, store: word.store)
        guard word.isInForce else { return set(name, nil) }
        // Written by a newer version, and not understood: what held before goes on.
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
