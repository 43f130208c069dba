import STContracts
package import STEngine
import STPlatform
import STStore

/// Members of the household and this computer.
package enum AuthService {
    private static let membersMax = 100
    private static let nameBytesMax = 64

    /// `owner` is the account this system runs for: the first member.
    package static func definition(owner: String, deviceName: String) -> ServiceDefinition<AuthState> {
        ServiceDefinition(
            name: .auth,
            migrations: AuthStore.migrations,
            streams: [.authorization],
            load: { try AuthStore.load($0) },
            begin: { try begin(&$0, $1, owner: owner, deviceName: deviceName) },
            routes: [
                .read(MemberList.self) { state, _, _ in
                    guard let device = state.device else {
                        throw Problem("unavailable", "This computer is not registered yet.", retryable: true)
                    }
                    return MemberList.Reply(device: device, members: state.members)
                },
                .write(MemberAdd.self) { state, member, _, change in try add(member, to: &state, change) },
            ]
        )
    }

    private static func begin(
        _ state: inout AuthState,
        _ change: StoreTransaction,
        owner: String,
        deviceName: String
    ) throws {
        if state.device == nil {
            let device = Device(id: Identifier.make(wallMs: change.now.wallMs), name: deviceName)
            try AuthStore.insert(device, change.database)
            try change.emit(DeviceRegistered.self, subject: "device/\(device.id)", device)
            state.device = device
        }
        if state.members.isEmpty {
            _ = try add(Member(name: owner, role: .individual), to: &state, change)
        }
    }

    private static func add(
        _ member: Member,
        to state: inout AuthState,
        _ change: StoreTransaction
    ) throws -> MemberAdd.Reply {
        _ = try member.role.required("/role")
        try checkName(member.name)
        if let known = state.members.first(where: { $0.name == member.name }) {
            guard known == member else {
                throw Problem(
                    "member.exists",
                    "\(member.name) is a member already, as \(known.role.rawValue). Choose another name.",
                    field: "/name"
                )
            }
            return MemberAdd.Reply(member: known, added: false)
        }
        guard state.members.count < membersMax else {
            throw Problem("member.too_many", "A household has at most \(membersMax) members.")
        }
        try AuthStore.insert(member, change.database)
        try change.emit(MemberAdded.self, subject: "member/\(member.name)", member)
        state.members.append(member)
        return MemberAdd.Reply(member: member, added: true)
    }

    private static func checkName(_ name: String) throws {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control && $0 != "/"
        }
        guard !name.isEmpty, name.utf8.count <= nameBytesMax, isPlain else {
            throw Problem(
                "member.bad_name",
                "A name has 1 to \(nameBytesMax) bytes, no slash and no control characters.",
                field: "/name"
            )
        }
    }
}
