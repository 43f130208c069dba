package import STPlatform

/// The role of a person in the household.
package enum MemberRole: String, WireEnum {
    case individual, guardian, child, unknown

    package var label: Message {
        switch self {
        case .individual: Message("member.role-individual", "individual")
        case .guardian: Message("member.role-guardian", "guardian")
        case .child: Message("member.role-child", "child")
        case .unknown: Message("member.role-unknown", "unknown")
        }
    }
}

/// One person of the household.
package struct Member: WireBody, Codable, Equatable, Hashable {
    package var name: String
    package var role: MemberRole
    /// The account of this computer that belongs only to this person.
    package var account: String?

    package init(name: String, role: MemberRole, account: String? = nil) {
        self.name = name
        self.role = role
        self.account = account
    }
}

extension [Member] {
    /// The member whose usage counts in this account: the account's person, or else the first member of the household.
    package var ofThisAccount: Member? { first { $0.account == AccountName.current } ?? first }
}

/// The identity of this computer.
package struct Device: WireBody, Codable, Equatable, Hashable {
    package var id: String
    package var name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

package enum MemberList: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var device: Device
        package var members: [Member]
        /// The guardians who have a passcode. Only they can answer for others.
        package var provers: [String]?

        package init(device: Device, members: [Member], provers: [String]? = nil) {
            self.device = device
            self.members = members
            self.provers = provers
        }
    }

    package static let name = "member.list"
    package static let kind = RouteKind.read
    package static let summary =
        "Lists the members of the household, and returns the identity of this computer."
}

package enum MemberAdd: Route {
    package typealias Request = Member

    package struct Reply: WireBody, Codable, Equatable {
        package var member: Member
        /// False if the same member already existed.
        package var added: Bool

        package init(member: Member, added: Bool) {
            self.member = member
            self.added = added
        }
    }

    package static let name = "member.add"
    package static let kind = RouteKind.write
    package static let summary = "Adds a member. Has no effect if the same member already exists."
}

package enum MemberSet: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String
        /// The new role. `nil` keeps the current one.
        package var role: MemberRole?
        /// The person's new account. An empty text removes the account, and `nil` keeps it.
        package var account: String?
        package var proof: Proof?

        package init(member: String, role: MemberRole? = nil, account: String? = nil, proof: Proof? = nil) {
            self.member = member
            self.role = role
            self.account = account
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The member after the change.
        package var member: Member
        /// The reason why nothing was changed. auth-service records an attempt with a wrong passcode.
        package var refusal: Problem?

        package init(member: Member, refusal: Problem? = nil) {
            self.member = member
            self.refusal = refusal
        }
    }

    package static let name = "member.set"
    package static let kind = RouteKind.write
    package static let access: Access = [.owner, .root]
    package static let isConfidential = true
    package static let summary = "Changes a member's role or account."
}

package enum MemberRemove: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String
        package var proof: Proof?

        package init(member: String, proof: Proof? = nil) {
            self.member = member
            self.proof = proof
        }
    }

    package typealias Reply = MemberSet.Reply

    package static let name = "member.remove"
    package static let kind = RouteKind.write
    package static let access: Access = [.owner, .root]
    package static let isConfidential = true
    package static let summary =
        "Removes a member with their rules, permissions and passcode. Their recorded usage remains."
}

package enum MemberAdded: EventType {
    package typealias Body = Member

    package static let stream = StreamName.authorization
    package static let type = "authorization.member.added"
    package static let summary = "A member was added, or a member's role or account changed."
}

package enum MemberRemoved: EventType {
    package typealias Body = Member

    package static let stream = StreamName.authorization
    package static let type = "authorization.member.removed"
    package static let summary = "A member was removed. The body contains their last role and account."
}

package enum DeviceRegistered: EventType {
    package typealias Body = Device

    package static let stream = StreamName.authorization
    package static let type = "authorization.device.registered"
    package static let summary = "Announces the id and the name of this computer."
}

/// A kind of data that is recorded about a member, in plain words.
package struct MemberRecord: WireBody, Codable, Equatable {
    package var service: String
    package var what: Message
    package var kept: Message
    package var seenBy: Message

    package init(service: String, what: Message, kept: Message, seenBy: Message) {
        self.service = service
        self.what = what
        self.kept = kept
        self.seenBy = seenBy
    }
}

/// A wrong passcode: its time, and the change that it would have allowed.
package struct PasscodeAttempt: WireBody, Codable, Equatable {
    package var at: String
    package var purpose: Message

    package init(at: String, purpose: Message) {
        self.at = at
        self.purpose = purpose
    }
}

/// The state of a member's passcode, without the passcode itself.
package struct PasscodeView: WireBody, Codable, Equatable {
    package var isSet: Bool
    package var changedAt: String?
    /// The number of wrong passcodes since the last correct one.
    package var wrong: Int64
    /// The time for which no passcode is accepted. `nil` if passcodes are accepted.
    package var lockedForMs: Int64?
    /// The latest wrong passcodes, newest last.
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
        /// The member. `nil` means the owner of this account.
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
        /// The notices about this member, newest last.
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
    package static let summary =
        "Returns a member and, for each kind of recorded data, how long it is kept and who can see it."
}

package enum MemberPasscode: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String
        /// The new passcode.
        package var passcode: String
        /// The person whose passcode is the proof. `nil` means the member, or a child's only guardian.
        package var by: String?
        /// The current passcode of that person. Not needed for the first passcode.
        package var proof: String?
        /// True if root resets the passcode without a proof. All members are notified.
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
        /// The reason why the passcode was not changed. auth-service records an attempt with a wrong passcode.
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
    package static let summary = "Sets a member's passcode. Root can reset a forgotten passcode."
}

/// The kinds of passcode changes of which all members are notified.
package enum NoticeKind: String, WireEnum {
    case passcodeSet = "passcode_set"
    case passcodeChanged = "passcode_changed"
    case passcodeReset = "passcode_reset"
    case passcodeLocked = "passcode_locked"
    case unknown
}

/// A notice about a passcode that all members receive, so that a passcode cannot be changed in secret.
package struct AuthorizationNotice: WireBody, Codable, Equatable {
    package var id: String
    package var at: String
    package var kind: NoticeKind
    package var member: String
    package var text: Message

    package init(id: String, at: String, kind: NoticeKind, member: String, text: Message) {
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
        /// The notices, newest last.
        package var notices: [AuthorizationNotice]

        package init(notices: [AuthorizationNotice]) {
            self.notices = notices
        }
    }

    package static let name = "auth.notices"
    package static let kind = RouteKind.read
    package static let summary = "Returns the latest notices about passcodes."
}

package enum AuthorizationNoticed: EventType {
    package typealias Body = AuthorizationNotice

    package static let stream = StreamName.authorization
    package static let type = "authorization.notice"
    package static let summary = "A passcode was set, changed, reset or locked."
}
