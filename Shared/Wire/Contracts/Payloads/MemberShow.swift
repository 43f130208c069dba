/// One kind of thing that is recorded about a member, in plain words.
package struct MemberRecord: WireBody, Codable, Equatable {
    package var service: String
    package var what: String
    package var kept: String
    package var seenBy: String

    package init(service: String, what: String, kept: String, seenBy: String) {
        self.service = service
        self.what = what
        self.kept = kept
        self.seenBy = seenBy
    }
}

/// A wrong passcode: when, and what it would have allowed.
package struct PasscodeAttempt: WireBody, Codable, Equatable {
    package var at: String
    package var purpose: String

    package init(at: String, purpose: String) {
        self.at = at
        self.purpose = purpose
    }
}

/// What is known of a member's passcode, which is never the passcode.
package struct PasscodeView: WireBody, Codable, Equatable {
    package var isSet: Bool
    package var changedAt: String?
    /// Wrong ones since the last right one.
    package var wrong: Int64
    /// How long none is taken; nil when one is.
    package var lockedForMs: Int64?
    /// The latest wrong ones, the newest last.
    package var attempts: [PasscodeAttempt]

    package init(
        isSet: Bool,
        changedAt: String? = nil,
        wrong: Int64 = 0,
        lockedForMs: Int64? = nil,
        attempts: [PasscodeAttempt] = []
    ) {
        self.isSet = isSet
        self.changedAt = changedAt
        self.wrong = wrong
        self.lockedForMs = lockedForMs
        self.attempts = attempts
    }
}

package enum MemberShow: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Nil is the owner of this account.
        package var member: String?

        package init(member: String? = nil) {
            self.member = member
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var member: Member
        package var passcode: PasscodeView
        package var records: [MemberRecord]
        package var authorizations: [Authorization]
        /// About this member, the newest last.
        package var notices: [AuthorizationNotice]

        package init(
            member: Member,
            passcode: PasscodeView,
            records: [MemberRecord],
            authorizations: [Authorization],
            notices: [AuthorizationNotice]
        ) {
            self.member = member
            self.passcode = passcode
            self.records = records
            self.authorizations = authorizations
            self.notices = notices
        }
    }

    package static let name = "member.show"
    package static let kind = RouteKind.query
    package static let summary = "A member: what is recorded about them, for how long, and who sees it."
}
