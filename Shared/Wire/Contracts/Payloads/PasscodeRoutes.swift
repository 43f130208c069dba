package import STPlatform

package enum MemberPasscode: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String
        /// The new one.
        package var passcode: String
        /// Whose proof it is: nil is the member, or a child's only guardian.
        package var by: String?
        /// The passcode of that person until now; not needed for the first one.
        package var proof: String?
        /// Without proof, for the machine's root alone; everybody is told.
        package var reset: Bool?

        package init(
            member: String,
            passcode: String,
            by: String? = nil,
            proof: String? = nil,
            reset: Bool? = nil
        ) {
            self.member = member
            self.passcode = passcode
            self.by = by
            self.proof = proof
            self.reset = reset
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var member: String
        /// Why it stays as it was; a try with a wrong passcode is written down.
        package var refusal: Problem?

        package init(member: String, refusal: Problem? = nil) {
            self.member = member
            self.refusal = refusal
        }
    }

    package static let name = "member.passcode"
    package static let kind = RouteKind.write
    package static let access: Access = [.owner, .root]
    package static let isConfidential = true
    package static let summary = "Sets a member's passcode; a forgotten one is reset by the machine's root."
}

/// What happened to somebody's proof that everybody should know.
package enum NoticeKind: String, WireEnum {
    case passcodeSet = "passcode_set"
    case passcodeChanged = "passcode_changed"
    case passcodeReset = "passcode_reset"
    case passcodeLocked = "passcode_locked"
    case unknown
}

/// Something about permissions that is told to all, so that it cannot be done in secret.
package struct AuthorizationNotice: WireBody, Codable, Equatable {
    package var id: String
    package var at: String
    package var kind: NoticeKind
    package var member: String
    /// In plain words.
    package var text: String

    package init(id: String, at: String, kind: NoticeKind, member: String, text: String) {
        self.id = id
        self.at = at
        self.kind = kind
        self.member = member
        self.text = text
    }
}

package enum AuthNotices: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        /// The newest last.
        package var notices: [AuthorizationNotice]

        package init(notices: [AuthorizationNotice]) {
            self.notices = notices
        }
    }

    package static let name = "auth.notices"
    package static let kind = RouteKind.read
    package static let summary = "What happened to passcodes lately."
}

package enum AuthorizationNoticed: EventType {
    package typealias Body = AuthorizationNotice

    package static let stream = StreamName.authorization
    package static let type = "authorization.notice"
    package static let summary = "A passcode was set, changed, reset or locked; everybody is told."
}
