package import STPlatform

package enum RequestRuleSet: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var rule: RequestRule
        package var by: String?
        package var passcode: String?

        package init(rule: RequestRule, by: String? = nil, passcode: String? = nil) {
            self.rule = rule
            self.by = by
            self.passcode = passcode
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var rule: RequestRule
        /// When it holds; a looser rule may have to wait.
        package var fromWallMs: Int64?
        package var refusal: Problem?

        package init(rule: RequestRule, fromWallMs: Int64? = nil, refusal: Problem? = nil) {
            self.rule = rule
            self.fromWallMs = fromWallMs
            self.refusal = refusal
        }
    }

    package static let name = "request.rule.set"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary = "Changes how own requests are answered; a child's needs a guardian."
}

package enum RequestRuleShow: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?

        package init(member: String? = nil) {
            self.member = member
        }
    }

    package typealias Reply = RequestRuleState

    package static let name = "request.rule"
    package static let kind = RouteKind.read
    package static let summary = "How own requests are answered."
}
