package enum ShieldAllowedSet: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var items: [TokenItem]

        package init(member: String? = nil, items: [TokenItem]) {
            self.member = member
            self.items = items
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var policy: Int64
        package var member: String
        package var items: [TokenItem]

        package init(policy: Int64, member: String, items: [TokenItem]) {
            self.policy = policy
            self.member = member
            self.items = items
        }
    }

    package static let name = "shield.allowed.set"
    package static let kind = RouteKind.write
    package static let summary = "Replaces the list of what is never shielded for a member."
}

package enum ShieldAllowed: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?

        package init(member: String? = nil) {
            self.member = member
        }
    }

    package typealias Reply = ShieldAllowedSet.Reply

    package static let name = "shield.allowed"
    package static let kind = RouteKind.read
    package static let summary = "What is never shielded for a member."
}
