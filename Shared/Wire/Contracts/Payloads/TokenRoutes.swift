/// What a token stands for.
package enum TokenKind: String, WireEnum {
    case application
    case category
    case domain
    case unknown
}

/// A thing that can be chosen.
package struct TokenItem: WireBody, Codable, Equatable, Hashable {
    package var kind: TokenKind
    /// The canonical name: an app id, a category or a domain.
    package var id: String

    package init(kind: TokenKind, id: String) {
        self.kind = kind
        self.id = id
    }
}

package enum TokenIssue: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var items: [TokenItem]

        package init(app: String, member: String? = nil, items: [TokenItem]) {
            self.app = app
            self.member = member
            self.items = items
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// Base64, in the order of the items.
        package var tokens: [String]

        package init(tokens: [String]) {
            self.tokens = tokens
        }
    }

    package static let name = "token.issue"
    package static let kind = RouteKind.query
    package static let summary = "Opaque tokens for things chosen, the same ones each time."
}

package enum TokenResolve: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var tokens: [String]

        package init(app: String, member: String? = nil, tokens: [String]) {
            self.app = app
            self.member = member
            self.tokens = tokens
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var items: [TokenItem]

        package init(items: [TokenItem]) {
            self.items = items
        }
    }

    package static let name = "token.resolve"
    package static let kind = RouteKind.query
    package static let summary = "What tokens of an app stand for."
}

package enum TokenRekey: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var keyVersion: Int64

        package init(keyVersion: Int64) {
            self.keyVersion = keyVersion
        }
    }

    package static let name = "token.rekey"
    package static let kind = RouteKind.write
    package static let summary = "New tokens are sealed with a new key; those given out stay readable."
}

package struct TokensRekeyedBody: WireBody, Codable, Equatable {
    package var keyVersion: Int64

    package init(keyVersion: Int64) {
        self.keyVersion = keyVersion
    }
}

package enum TokensRekeyed: EventType {
    package typealias Body = TokensRekeyedBody

    package static let stream = StreamName.authorization
    package static let type = "authorization.tokens.rekeyed"
    package static let summary = "Tokens given out from now on are sealed with this key."
}
