package import STPlatform

package enum AuthAnswer: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var request: String
        package var allow: Bool
        /// Who answers; nil is the member asked, or a child's only guardian.
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
        /// Why the answer did not count.
        ///
        /// Not a refused request, because it is written down: a wrong passcode is one try less, however
        /// often the same request is repeated.
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
    package static let summary = "A person's answer to a question, with proof of who it is."
}

package enum AuthQuestionChanged: EventType {
    package typealias Body = AuthQuestion

    package static let stream = StreamName.authorization
    package static let type = "authorization.question.changed"
    package static let summary = "A person is asked something, or has answered, or did not answer in time."
}
