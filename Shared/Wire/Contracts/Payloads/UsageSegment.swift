/// One stretch of the ledger, with the observation that opened it.
package enum UsageSegment: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var segment: String?
        package var member: String?
        package var wallMs: Int64?

        package init(segment: String? = nil, member: String? = nil, wallMs: Int64? = nil) {
            self.segment = segment
            self.member = member
            self.wallMs = wallMs
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// Nil where nothing is known, or was forgotten.
        package var segment: Segment?
        /// Whether it is still going on.
        package var isOpen: Bool

        package init(segment: Segment? = nil, isOpen: Bool) {
            self.segment = segment
            self.isOpen = isOpen
        }
    }

    package static let name = "usage.segment"
    package static let kind = RouteKind.query
    package static let summary = "A stretch of time by its id, or the one that a member was in at a moment."
}
