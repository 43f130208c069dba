/// What somebody is in the household.
package enum MemberRole: String, WireEnum {
    case individual, guardian, child, unknown
}

/// One person of the household.
package struct Member: WireBody, Codable, Equatable, Hashable {
    package var name: String
    package var role: MemberRole

    package init(name: String, role: MemberRole) {
        self.name = name
        self.role = role
    }
}

/// This computer.
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

        package init(device: Device, members: [Member]) {
            self.device = device
            self.members = members
        }
    }

    package static let name = "member.list"
    package static let kind = RouteKind.read
    package static let summary = "The people of this household and this computer."
}

package enum MemberAdd: Route {
    package typealias Request = Member

    package struct Reply: WireBody, Codable, Equatable {
        package var member: Member
        /// False when that very member was there already.
        package var added: Bool

        package init(member: Member, added: Bool) {
            self.member = member
            self.added = added
        }
    }

    package static let name = "member.add"
    package static let kind = RouteKind.write
    package static let summary = "Adds a person; adding the same one again changes nothing."
}

package enum MemberAdded: EventType {
    package typealias Body = Member

    package static let stream = StreamName.authorization
    package static let type = "authorization.member.added"
    package static let summary = "A person belongs to the household from now on."
}

package enum DeviceRegistered: EventType {
    package typealias Body = Device

    package static let stream = StreamName.authorization
    package static let type = "authorization.device.registered"
    package static let summary = "This computer has its id and name."
}
