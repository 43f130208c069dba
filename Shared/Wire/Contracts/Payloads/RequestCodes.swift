package import STPlatform

package enum RequestCode: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var request: String
        package var code: String

        package init(request: String, code: String) {
            self.request = request
            self.code = code
        }
    }

    package typealias Reply = RequestAnswered

    package static let name = "request.code"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary = "Answers a request with a code from the guardian's phone."
}

package enum RequestCodeSetup: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String
        package var by: String?
        package var passcode: String?

        package init(member: String, by: String? = nil, passcode: String? = nil) {
            self.member = member
            self.by = by
            self.passcode = passcode
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// For an authenticator app; shown this once.
        package var uri: String?
        package var secret: String?
        package var refusal: Problem?

        package init(uri: String? = nil, secret: String? = nil, refusal: Problem? = nil) {
            self.uri = uri
            self.secret = secret
            self.refusal = refusal
        }
    }

    package static let name = "request.code.setup"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let keepsNoReply = true
    package static let summary = "Makes a new secret for codes on a guardian's phone; the one before is void."
}
