/// A change of a rule that waits, because it makes the rule looser.
package struct PendingChange: WireBody, Codable, Equatable {
    /// `edit`, `remove` or `pause`, or `add` for something always allowed.
    package var change: String
    package var text: String
    package var askedAt: String
    package var takesEffectWallMs: Int64

    package init(change: String, text: String, askedAt: String, takesEffectWallMs: Int64) {
        self.change = change
        self.text = text
        self.askedAt = askedAt
        self.takesEffectWallMs = takesEffectWallMs
    }
}

package enum RuleDelay: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var delayMs: Int64?

        package init(member: String? = nil, delayMs: Int64? = nil) {
            self.member = member
            self.delayMs = delayMs
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var member: String
        package var delayMs: Int64
        /// A shorter one waits as well: until then the one above holds.
        package var nextDelayMs: Int64?
        package var nextFromWallMs: Int64?

        package init(
            member: String,
            delayMs: Int64,
            nextDelayMs: Int64? = nil,
            nextFromWallMs: Int64? = nil
        ) {
            self.member = member
            self.delayMs = delayMs
            self.nextDelayMs = nextDelayMs
            self.nextFromWallMs = nextFromWallMs
        }
    }

    package static let name = "rule.delay"
    package static let kind = RouteKind.write
    package static let summary =
        "How long a change that loosens a rule waits; without a length, says how long it is."
}
