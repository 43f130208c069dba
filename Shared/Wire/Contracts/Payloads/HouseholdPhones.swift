/// Creates a link with which one phone becomes a guardian's phone.
package enum HouseholdPhone: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The name of the phone, such as `mum's phone`.
        package var name: String
        /// The people whom the phone manages, by the household's names. `nil` means the children, or all people if there are no
        /// children.
        package var members: [String]?
        /// The address at which phones reach this machine, such as `192.168.1.7:7467`. `nil` means the household's host, with the
        /// previous port or `portDefault`.
        package var address: String?
        /// If set, the phone becomes a teacher's phone, which can only give lessons.
        package var lessons: HouseholdLessons?
        package var proof: Proof?

        package init(
            name: String,
            members: [String]? = nil,
            address: String? = nil,
            lessons: HouseholdLessons? = nil,
            proof: Proof? = nil
        ) {
            self.name = name
            self.members = members
            self.address = address
            self.lessons = lessons
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The link for the phone's browser, which is valid once.
        package var link: String
        package var until: String
        /// The SHA-256 fingerprint of the certificate that the phone receives, as browsers show it.
        package var fingerprint: String
        package var members: [String]

        package init(link: String, until: String, fingerprint: String, members: [String]) {
            self.link = link
            self.until = until
            self.fingerprint = fingerprint
            self.members = members
        }
    }

    package static let lastsMs: Int64 = 600_000
    package static let portDefault: UInt16 = 7467
    package static let name = "household.phone"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let discardsReply = true
    package static let summary =
        "Creates a link, valid for ten minutes, that makes one phone a guardian's or a teacher's phone. "
        + "On a child's machine, requires a guardian's passcode if one is set."
}

/// The class of a teacher, and the hours in which the teacher may give lessons.
package struct HouseholdLessons: WireBody, Codable, Equatable {
    /// The group of accounts on the household's hub that forms the class. `nil` means the people who were named.
    package var group: String?
    package var window: RuleWindow
    /// The days of the week. 1 is Sunday. `nil` means every day.
    package var days: [Int]?

    package init(group: String? = nil, window: RuleWindow, days: [Int]? = nil) {
        self.group = group
        self.window = window
        self.days = days
    }
}

/// A guardian's answer from a phone to a request of a machine.
package struct HouseholdAnswer: WireBody, Codable, Equatable {
    /// The name under which the machine shares the request.
    package var request: String
    /// The granted time. `nil` denies the request.
    package var forMs: Int64?
    package var because: String?
    package var by: String

    package init(request: String, forMs: Int64? = nil, because: String? = nil, by: String) {
        self.request = request
        self.forMs = forMs
        self.because = because
        self.by = by
    }
}
