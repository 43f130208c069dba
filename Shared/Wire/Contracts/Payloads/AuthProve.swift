package import STPlatform

package enum AuthProve: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// About whom.
        package var member: String
        /// Who decides: nil is the member, or a child's only guardian.
        package var by: String?
        package var passcode: String?
        /// What it is for, in the words of the record.
        package var purpose: String

        package init(member: String, by: String? = nil, passcode: String? = nil, purpose: String) {
            self.member = member
            self.by = by
            self.passcode = passcode
            self.purpose = purpose
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// Who it was.
        package var by: String?
        /// Why they may not; a try with a wrong passcode is written down.
        package var refusal: Problem?

        package init(by: String? = nil, refusal: Problem? = nil) {
            self.by = by
            self.refusal = refusal
        }
    }

    package static let name = "auth.prove"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary = "For services: whether somebody may decide for a member, by their passcode."
}
