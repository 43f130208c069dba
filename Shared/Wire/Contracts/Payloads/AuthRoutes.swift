package import STPlatform

/// The permission that one member has given to one app, by Apple's three values.
package enum AuthorizationStatus: String, WireEnum {
    case notDetermined = "not_determined"
    case denied
    case approved
    case unknown
}

/// The person for whom an app requests permission: an individual, or a child whose guardian answers.
package enum AuthorizationScope: String, WireEnum {
    case individual
    case child
    case unknown
}

/// The decision of one member about one app.
package struct Authorization: WireBody, Codable, Equatable {
    package var app: String
    package var member: String
    package var status: AuthorizationStatus
    package var scope: AuthorizationScope
    /// The first switch: true if the app may read and monitor usage.
    package var access: Bool
    /// The second switch: true if the app's settings are in force.
    package var enforce: Bool
    /// A number that each revocation increases. Tokens of an earlier generation are invalid.
    package var generation: Int64

    package init(
        app: String,
        member: String,
        status: AuthorizationStatus,
        scope: AuthorizationScope,
        access: Bool,
        enforce: Bool,
        generation: Int64
    ) {
        self.app = app
        self.member = member
        self.status = status
        self.scope = scope
        self.access = access
        self.enforce = enforce
        self.generation = generation
    }
}

package enum AuthStatus: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        /// The member. `nil` means the owner of this account.
        package var member: String?

        package init(app: String, member: String? = nil) {
            self.app = app
            self.member = member
        }
    }

    package typealias Reply = Authorization

    package static let name = "auth.status"
    package static let kind = RouteKind.read
    package static let summary = "Returns a member's permission for an app."
}

/// The state of an app's permission request to a person.
package enum AuthRequestState: String, WireEnum {
    case pending
    case approved
    case denied
    case canceled
    case unknown

    package var label: Message {
        switch self {
        case .pending: Message("question.state-pending", "pending")
        case .approved: Message("question.state-approved", "approved")
        case .denied: Message("question.state-denied", "denied")
        case .canceled: Message("question.state-canceled", "cancelled")
        case .unknown: Message("question.state-unknown", "unknown")
        }
    }
}

/// An app's permission request to a person, and the people whose passcode is accepted.
package struct AuthQuestion: WireBody, Codable, Equatable {
    package var request: String
    package var app: String
    package var appName: String
    package var member: String
    package var scope: AuthorizationScope
    /// The abilities that the app will have, in plain words.
    package var reasons: [Message]
    /// The people whose passcode is accepted: the member, or any guardian.
    package var provers: [String]
    package var state: AuthRequestState
    package var expiresAt: String

    package init(
        request: String,
        app: String,
        appName: String,
        member: String,
        scope: AuthorizationScope,
        reasons: [Message],
        provers: [String],
        state: AuthRequestState,
        expiresAt: String
    ) {
        self.request = request
        self.app = app
        self.appName = appName
        self.member = member
        self.scope = scope
        self.reasons = reasons
        self.provers = provers
        self.state = state
        self.expiresAt = expiresAt
    }
}

package enum AuthRequest: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var scope: AuthorizationScope
        /// True to request permission even if it was refused before. For a person who has changed their mind, not for apps.
        package var again: Bool?

        package init(app: String, member: String? = nil, scope: AuthorizationScope, again: Bool? = nil) {
            self.app = app
            self.member = member
            self.scope = scope
            self.again = again
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var authorization: Authorization
        /// The question to the person. `nil` if permission was given before.
        package var question: AuthQuestion?

        package init(authorization: Authorization, question: AuthQuestion? = nil) {
            self.authorization = authorization
            self.question = question
        }
    }

    package static let name = "auth.request"
    package static let kind = RouteKind.write
    package static let summary =
        "Requests permission for an app from a person, unless the permission was already given."
}

package enum AuthQuestionShow: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var request: String?
        package var app: String?

        package init(request: String? = nil, app: String? = nil) {
            self.request = request
            self.app = app
        }
    }

    package typealias Reply = AuthQuestion

    package static let name = "auth.question"
    package static let kind = RouteKind.read
    package static let summary =
        "Returns the state of a permission request. Without an id, returns the app's latest open request."
}

package enum AuthAnswer: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var request: String
        package var allow: Bool
        /// The person who answers. `nil` means the member, or a child's only guardian.
        package var by: String?
        package var passcode: String?

        package init(request: String, allow: Bool, by: String? = nil, passcode: String? = nil) {
            self.request = request
            self.allow = allow
            self.by = by
            self.passcode = passcode
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var authorization: Authorization
        package var question: AuthQuestion
        /// The reason why the answer did not count.
        ///
        /// The request does not fail in this case, because the attempt must be recorded. A wrong passcode counts as one attempt,
        /// even if the same request is repeated.
        package var refusal: Problem?

        package init(authorization: Authorization, question: AuthQuestion, refusal: Problem? = nil) {
            self.authorization = authorization
            self.question = question
            self.refusal = refusal
        }
    }

    package static let name = "auth.answer"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Answers a permission request. "
        + "An approval requires the passcode of the member, or of a child's guardian."
}

package enum AuthQuestionChanged: EventType {
    package typealias Body = AuthQuestion

    package static let stream = StreamName.authorization
    package static let type = "authorization.question.changed"
    package static let summary = "A permission request was made, answered or cancelled."
}

/// The person who decides, and their passcode. Requests contain it if they loosen something for a child.
package struct Proof: WireBody, Codable, Equatable, Hashable {
    /// The guardian who decides. `nil` if there is only one guardian.
    package var by: String?
    package var passcode: String?

    package init?(by: String?, passcode: String?) {
        if by == nil, passcode == nil { return nil }
        self.by = by
        self.passcode = passcode
    }
}

package enum AuthProve: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The member whom the decision concerns.
        package var member: String
        /// The person who decides. `nil` means the member, or a child's only guardian.
        package var by: String?
        package var passcode: String?
        /// The purpose of the proof, as it is recorded.
        package var purpose: Message
        /// True if a proof is required only for a child who has a guardian with a passcode.
        package var forChild: Bool?
        /// True if a guardian decides even for a member who is not a child.
        package var byGuardian: Bool?

        package init(
            member: String,
            by: String? = nil,
            passcode: String? = nil,
            purpose: Message,
            forChild: Bool? = nil,
            byGuardian: Bool? = nil
        ) {
            self.member = member
            self.by = by
            self.passcode = passcode
            self.purpose = purpose
            self.forChild = forChild
            self.byGuardian = byGuardian
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The person who has decided.
        package var by: String?
        /// The reason why the person may not decide. auth-service records an attempt with a wrong passcode.
        package var refusal: Problem?

        package init(by: String? = nil, refusal: Problem? = nil) {
            self.by = by
            self.refusal = refusal
        }
    }

    package static let name = "auth.prove"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "For services: checks whether a person may decide for a member, usually by a passcode."
}

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
    package static let summary = "Revokes an app's permission. Has no effect unless the permission was given."
}

package enum AuthSwitch: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var access: Bool?
        package var enforce: Bool?
        /// The guardian who decides, with `passcode`. Required for a child's app.
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
        /// The reason why nothing was switched. auth-service records an attempt with a wrong passcode.
        package var refusal: Problem?

        package init(authorization: Authorization, refusal: Problem? = nil) {
            self.authorization = authorization
            self.refusal = refusal
        }
    }

    package static let name = "auth.switch"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary = "Turns an app's access off, or the enforcement of its settings on or off."
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
        /// The items in the order of the tokens. Empty unless the app is approved.
        package var items: [TokenItem]
        package var hasMonitor: Bool

        package init(authorization: Authorization, items: [TokenItem], hasMonitor: Bool) {
            self.authorization = authorization
            self.items = items
            self.hasMonitor = hasMonitor
        }
    }

    package static let name = "auth.check"
    package static let kind = RouteKind.query
    package static let summary =
        "For services: returns an app's permission, and the items that its tokens represent."
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
    package static let summary = "Lists the permissions of apps for current members."
}

package enum AuthorizationChanged: EventType {
    package typealias Body = Authorization

    package static let stream = StreamName.authorization
    package static let type = "authorization.changed"
    package static let summary = "An app's permission for a member changed."
}
