/// What would happen: for a clock that must stop at the very moment.
package enum UsagePreview: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var agent: String
        package var run: String
        package var observations: [Observation]

        package init(agent: String, run: String, observations: [Observation]) {
            self.agent = agent
            self.run = run
            self.observations = observations
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// Nil when nothing would.
        package var dueBootMs: Int64?
        package var member: String?

        package init(dueBootMs: Int64? = nil, member: String? = nil) {
            self.dueBootMs = dueBootMs
            self.member = member
        }
    }

    package static let name = "usage.preview"
    package static let kind = RouteKind.read
    package static let summary =
        "When the first thing would come true if these were observed; nothing is taken."
}
