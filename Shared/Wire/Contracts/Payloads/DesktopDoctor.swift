/// What a finding of the doctor is about.
package enum DoctorTopic: String, WireEnum {
    case system
    case session
    case adapter
    case sight
    case presence
    case apps
    case notifications
    case shields
    case pausing
    case never
    case unknown
}

package enum DoctorState: String, WireEnum {
    case fine
    /// Works in part.
    case limited
    case missing
    /// Nobody can say.
    case unknown
}

/// One thing that works here, or does not.
package struct DoctorFinding: WireBody, Codable, Equatable {
    package var topic: DoctorTopic
    package var state: DoctorState
    package var text: String
    /// What to do about it: a command where there is one.
    package var mend: String?

    package init(topic: DoctorTopic, state: DoctorState, text: String, mend: String? = nil) {
        self.topic = topic
        self.state = state
        self.text = text
        self.mend = mend
    }
}

package enum DesktopDoctor: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var adapter: AdapterKind
        /// Why this one, in one sentence.
        package var reason: String
        /// Nothing can be seen here: time is `unobserved`.
        package var isBlind: Bool
        /// Where it is blind: what would help.
        package var wayOut: String?
        package var findings: [DoctorFinding]

        package init(
            adapter: AdapterKind,
            reason: String,
            isBlind: Bool,
            wayOut: String? = nil,
            findings: [DoctorFinding]
        ) {
            self.adapter = adapter
            self.reason = reason
            self.isBlind = isBlind
            self.wayOut = wayOut
            self.findings = findings
        }
    }

    package static let name = "desktop.doctor"
    package static let kind = RouteKind.read
    package static let summary =
        "What can be seen and enforced on this desktop, what cannot, and what would mend it."
}
