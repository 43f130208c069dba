/// Makes a link with which one phone becomes a guardian's.
package enum HouseholdPhone: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// What the phone is called, such as `mum's phone`.
        package var name: String
        /// Whom it is for, by the household's names; nil: the children, or all where there are none.
        package var members: [String]?
        /// How phones reach this machine, such as `192.168.1.7:7467`; nil: as before, or as machines do.
        package var address: String?
        /// Given: it becomes a teacher's, who can do nothing but lessons.
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
        /// For the phone's browser, once.
        package var link: String
        package var until: String
        /// The SHA-256 of the certificate that the phone sees there, as browsers show it.
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
    package static let keepsNoReply = true
    package static let summary = "Makes a link with which one phone becomes a guardian's, for ten minutes."
}

/// When a teacher may say what a class uses.
package struct HouseholdLessons: WireBody, Codable, Equatable {
    /// The group of accounts that is the class, on the household's machine; nil: the people who were named.
    package var group: String?
    package var window: RuleWindow
    /// 1 is Sunday; nil: every day.
    package var days: [Int]?

    package init(group: String? = nil, window: RuleWindow, days: [Int]? = nil) {
        self.group = group
        self.window = window
        self.days = days
    }
}

/// What a guardian says to a request of a machine, from a phone.
package struct HouseholdAnswer: WireBody, Codable, Equatable {
    /// The request, by its machine's name for others.
    package var request: String
    /// For how long; nil: not at all.
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
