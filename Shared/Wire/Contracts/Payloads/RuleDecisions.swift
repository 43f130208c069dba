/// The shield of one built-in rule from now on.
package struct RuleDecision: WireBody, Codable, Equatable {
    package var member: String
    /// The id of the rule, which is also the name of its store.
    package var rule: String
    /// The settings of the rule's store, as in `settings.set`. `nil` while the rule shields nothing.
    package var settings: [String: JSONValue]?
    /// True if the rule no longer exists.
    package var isRemoved: Bool?
    /// The id of the delivery, request or event that caused the decision.
    package var cause: String?

    package init(
        member: String,
        rule: String,
        settings: [String: JSONValue]? = nil,
        isRemoved: Bool? = nil,
        cause: String? = nil
    ) {
        self.member = member
        self.rule = rule
        self.settings = settings
        self.isRemoved = isRemoved
        self.cause = cause
    }
}

package enum RuleDecided: EventType {
    package typealias Body = RuleDecision

    package static let stream = StreamName.decision
    package static let type = "decision.rule"
    package static let summary =
        "The apps and sites that a rule shields changed. The subject is `rule/<member>/<rule>`."
}

/// The apps, sites and categories that rules always allow one member from now on.
package struct RuleAllowance: WireBody, Codable, Equatable {
    package var member: String
    package var items: [TokenItem]
    /// The id of the request or event that caused the change.
    package var cause: String?

    package init(member: String, items: [TokenItem], cause: String? = nil) {
        self.member = member
        self.items = items
        self.cause = cause
    }
}

package enum RuleAllowed: EventType {
    package typealias Body = RuleAllowance

    package static let stream = StreamName.decision
    package static let type = "decision.allowed"
    package static let summary = "The always-allowed list of a member has changed."
}
