package import STContracts
package import STPlatform

// Steps that the service takes by itself. Nobody may call them over the bus: they have no role at all.

/// When the next change comes that waits.
package enum RuleWaitingDue: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable {
        /// Whether it is time already.
        package var isDue: Bool
        package var wallMs: Int64?
        package var bootMs: Int64?
    }

    package static let name = "rule.waiting.due"
    package static let kind = RouteKind.read
    package static let access: Access = []
    package static let summary = "When the next change of a rule comes that waits."
}

package enum RuleWaitingApply: Route {
    package typealias Request = Empty

    /// A change that could not be made any more.
    package struct Dropped: WireBody, Codable {
        package var rule: String
        package var problem: Problem
    }

    package struct Reply: WireBody, Codable {
        package var dropped: [Dropped]
    }

    package static let name = "rule.waiting.apply"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Makes the changes of rules whose moment has come."
}
