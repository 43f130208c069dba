package import STDomain

/// The current content of one store, and whether it is in force.
package struct PolicyStore: WireBody, Codable, Equatable {
    /// The number of policy changes on this computer up to this one.
    package var policy: Int64
    package var app: String
    package var member: String
    package var store: String
    /// The number of changes of this store. 0 if the store was deleted.
    package var version: Int64
    /// True if the app has permission and has not switched the store off.
    package var isInForce: Bool
    /// The reason why the store is not in force, as a code such as `revoked`, `inactive`, `not_enforced`, `deleted`.
    package var reason: String?
    package var shields: StoreShieldsBody
    /// All other settings by name, in canonical form.
    package var settings: [String: JSONValue]
    package var wallMs: Int64
    /// The id of the delivery or request that caused the change.
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
    package static let summary =
        "The content or the state of a store changed. The subject is `store/<member>/<app>/<store>`."
}

/// The items that are never shielded for one member.
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
    package static let summary = "The list of items that are never shielded for a member changed."
}

/// A grant of more time, or the end of one.
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
    package static let summary = "More time was granted, or a grant ended."
}

// Subscribers of the stream `policy` apply its events with these methods.

extension Policies {
    package mutating func apply(_ word: PolicyStore) {
        advance(word.policy)
        let name = StoreName(app: word.app, member: word.member, store: word.store)
        guard word.isInForce else { return set(name, nil) }
        // A newer version wrote the shields, and this version cannot read them. The previous shields remain in force.
        guard let shields = word.shields.shields else { return }
        set(name, shields)
    }

    package mutating func apply(_ word: PolicyAllowed) {
        advance(word.policy)
        allow(SubjectSet(word.items), member: word.member)
    }

    package mutating func apply(_ word: PolicyGrant) {
        advance(word.policy)
        let request = word.request
        guard request.state == .granted else {
            return removeGrant(grant: request.request, member: request.member)
        }
        set(
            TimeGrant(
                request: request.request,
                member: request.member,
                things: SubjectSet(request.items),
                untilMs: request.untilWallMs
            )
        )
    }
}

extension SubjectSet {
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
