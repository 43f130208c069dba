/// What one member lets one app do; Apple's three words.
package enum AuthorizationStatus: String, WireEnum {
    case notDetermined = "not_determined"
    case denied
    case approved
    case unknown
}

/// For whom an app asks: the person themself, or a child whose guardian answers.
package enum AuthorizationScope: String, WireEnum {
    case individual
    case child
    case unknown
}

/// The word of one member about one app.
package struct Authorization: WireBody, Codable, Equatable {
    package var app: String
    package var member: String
    package var status: AuthorizationStatus
    package var scope: AuthorizationScope
    /// The first switch: whether the app may read and watch at all.
    package var access: Bool
    /// The second: whether what it sets is in force.
    package var enforce: Bool
    /// Raised by each revocation; tokens of an earlier one are void.
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
        /// Nil is the owner of this account.
        package var member: String?

        package init(app: String, member: String? = nil) {
            self.app = app
            self.member = member
        }
    }

    package typealias Reply = Authorization

    package static let name = "auth.status"
    package static let kind = RouteKind.read
    package static let summary = "What a member has said to an app so far."
}

/// How a question to a person stands.
package enum AuthRequestState: String, WireEnum {
    case pending
    case approved
    case denied
    case canceled
    case unknown
}

/// A question to a person: who asks, for what, and whose proof counts.
package struct AuthQuestion: WireBody, Codable, Equatable {
    package var request: String
    package var app: String
    package var appName: String
    package var member: String
    package var scope: AuthorizationScope
    /// What the app will be able to do, in plain words.
    package var reasons: [String]
    /// Whose passcode is proof: the member, or any guardian.
    package var provers: [String]
    package var state: AuthRequestState
    package var expiresAt: String

    package init(
        request: String,
        app: String,
        appName: String,
        member: String,
        scope: AuthorizationScope,
        reasons: [String],
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
        /// Asks although it was refused before: for a person who has changed their mind, not for apps.
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
        /// Nil when there is nothing to ask.
        package var question: AuthQuestion?

        package init(authorization: Authorization, question: AuthQuestion? = nil) {
            self.authorization = authorization
            self.question = question
        }
    }

    package static let name = "auth.request"
    package static let kind = RouteKind.write
    package static let summary = "Asks a person for permission; answered at once when it was given before."
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
    package static let summary = "How a question stands; without an id, the latest one open for the app."
}
