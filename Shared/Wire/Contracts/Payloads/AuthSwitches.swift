package import STPlatform

package enum AuthRevoke: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?

        package init(app: String, member: String? = nil) {
            self.app = app
            self.member = member
        }
    }

    package typealias Reply = Authorization

    package static let name = "auth.revoke"
    package static let kind = RouteKind.write
    package static let summary = "Takes a permission back; no effect where it was refused."
}

package enum AuthSwitch: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var access: Bool?
        package var enforce: Bool?
        /// A guardian and their passcode, where a child's app is switched.
        package var by: String?
        package var passcode: String?

        package init(
            app: String,
            member: String? = nil,
            access: Bool? = nil,
            enforce: Bool? = nil,
            by: String? = nil,
            passcode: String? = nil
        ) {
            self.app = app
            self.member = member
            self.access = access
            self.enforce = enforce
            self.by = by
            self.passcode = passcode
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var authorization: Authorization
        /// Why nothing was switched; a try with a wrong passcode is written down.
        package var refusal: Problem?

        package init(authorization: Authorization, refusal: Problem? = nil) {
            self.authorization = authorization
            self.refusal = refusal
        }
    }

    package static let name = "auth.switch"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary = "Turns an app's access or its enforcement on or off."
}

package enum AuthCheck: Route {
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
        package var authorization: Authorization
        /// In the order of the tokens; none unless the app is approved.
        package var items: [TokenItem]
        /// Whether the app has a monitor extension to call.
        package var hasMonitor: Bool

        package init(authorization: Authorization, items: [TokenItem], hasMonitor: Bool) {
            self.authorization = authorization
            self.items = items
            self.hasMonitor = hasMonitor
        }
    }

    package static let name = "auth.check"
    package static let kind = RouteKind.query
    package static let summary = "For services: the permission of an app, and what its tokens mean."
}

package enum AuthorizationList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var next: String?

        package init(next: String? = nil) {
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var authorizations: [Authorization]
        package var next: String?

        package init(authorizations: [Authorization], next: String? = nil) {
            self.authorizations = authorizations
            self.next = next
        }
    }

    package static let name = "auth.list"
    package static let kind = RouteKind.read
    package static let summary = "Every permission asked for so far."
}

package enum AuthorizationChanged: EventType {
    package typealias Body = Authorization

    package static let stream = StreamName.authorization
    package static let type = "authorization.changed"
    package static let summary = "A member's word about an app is this from now on."
}
