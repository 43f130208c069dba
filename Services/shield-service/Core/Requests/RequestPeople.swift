import STContracts
import STPlatform

/// The household as auth-service tells it.
enum RequestPeople {
    static func member(_ name: String?, _ household: MemberList.Reply?) throws(Problem) -> Member {
        let members = household?.members ?? []
        let found = name == nil ? members.first : members.first { $0.name == name }
        if let found { return found }
        let near = name.flatMap { TextFormat.closest(to: $0, in: members.map(\.name)) }
        throw Problem(
            "member.not_found",
            "Nobody of the household is called “\((name ?? "").prefix(64))”"
                + (near.map { "; did you mean \($0)?" } ?? "."),
            field: "/member",
            help: "screentime member list"
        )
    }

    static func guardians(_ household: MemberList.Reply?, besides member: String) -> [String] {
        (household?.members ?? []).filter { $0.role == .guardian && $0.name != member }.map(\.name)
    }
}
