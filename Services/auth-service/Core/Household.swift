import STContracts
import STEngine
import STPlatform

/// Who belongs to the household.
enum Household {
    private static let membersMax = 100
    private static let nameBytesMax = 64

    static func list(_ state: AuthState) throws -> MemberList.Reply {
        guard let device = state.device else {
            throw Problem("unavailable", "This computer is not registered yet.", retryable: true)
        }
        return MemberList.Reply(device: device, members: state.members)
    }

    static func add(
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
        try AuthTables.insert(member, change.database)
        try change.emit(MemberAdded.self, subject: "member/\(member.name)", member)
        try change.remember(HistoryLine(.member, about: member.name, after: member.role.rawValue))
        state.members.append(member)
        return MemberAdd.Reply(member: member, added: true)
    }

    /// The member of that name; without one, the owner of this account.
    static func member(_ name: String?, _ state: AuthState, field: String = "/member") throws -> Member {
        guard let name else {
            guard let owner = state.members.first else {
                throw Problem("unavailable", "There are no members yet.", retryable: true)
            }
            return owner
        }
        if let known = state.members.first(where: { $0.name == name }) { return known }
        let near = TextFormat.closest(to: name, in: state.members.map(\.name))
        throw Problem(
            "member.not_found",
            "There is no member \(TextLimit.shown(name))." + (near.map { " Did you mean \($0)?" } ?? ""),
            field: field,
            help: near.map { "screentime member show \($0)" } ?? "screentime member list"
        )
    }

    private static func checkName(_ name: String) throws {
        guard !name.isEmpty, name.utf8.count <= nameBytesMax, TextLimit.isPlain(name), !name.contains("/")
        else {
            throw Problem(
                "member.bad_name",
                "A name has 1 to \(nameBytesMax) bytes, no slash and no control characters.",
                field: "/name"
            )
        }
    }
}

/// Texts from outside, before they are kept or repeated.
enum TextLimit {
    private static let shownMax = 80

    /// Whether it has no control characters, which would do something to a terminal.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Short enough for a sentence that quotes it.
    static func shown(_ text: String) -> String {
        let plain =
            isPlain(text) ? text : String(text.unicodeScalars.filter { $0.value >= 32 }.map(Character.init))
        return plain.count > shownMax ? "“\(plain.prefix(shownMax))…”" : "“\(plain)”"
    }
}
