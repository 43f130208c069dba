import STContracts
import STPlatform

/// The names that `--member` can have.
enum KnownMembers {
    /// A mistyped name would otherwise look like somebody who did nothing all day.
    ///
    /// `line` is the command that was typed, without the name.
    static func check(_ name: String?, _ line: String, _ clients: ServiceClients) async throws {
        guard let name, let list = try? await clients.call(MemberList.self, Empty(), timeoutMs: 1_500) else {
            return
        }
        let names = list.members.map(\.name)
        guard !names.contains(name) else { return }
        let near = TextFormat.closest(to: name, in: names)
        throw Problem(
            "member.not_found",
            "Nobody here is called “\(name)”" + (near.map { "; did you mean \($0)?" } ?? "."),
            help: near.map { "screentime \(line) --member \($0)" } ?? "screentime member list"
        )
    }
}
