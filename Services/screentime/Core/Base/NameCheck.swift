import STContracts
package import STPlatform

/// Checks the names of people and of installed apps in a command line.
///
/// Without this check, a mistyped name would look like a person or an app without usage. If the services do not reply, every name
/// is accepted.
package enum NameCheck {
    private static let timeout: Duration = .milliseconds(1_500)

    package static func checkApp(_ app: String?, _ clients: ServiceClients) async throws {
        guard let app, app != BuiltInRules.app,
            let apps = try? await clients.installedApps(timeout: timeout)
        else { return }
        let ids = apps.map(\.manifest.id)
        guard !ids.contains(app) else { return }
        let near = TextFormat.closest(to: app, in: ids)
        throw Problem(
            "app.not_found",
            text: near.map {
                Message(
                    "app.not_found.did-you-mean",
                    "No app “\(app, "text")” is installed. Did you mean \($0, "near")?"
                )
            } ?? Message("app.not_found", "No app “\(app, "text")” is installed."),
            help: "screentime app list",
            details: ProblemText.retyping(app, near)
        )
    }

    package static func checkMember(_ name: String?, _ clients: ServiceClients) async throws {
        guard let name, let list = try? await clients.call(MemberList.self, Empty(), timeout: timeout)
        else {
            return
        }
        try checkMember(name, among: list.members.map(\.name))
    }

    package static func checkMember(_ name: String, among names: [String]) throws(Problem) {
        guard !names.contains(name) else { return }
        let near = TextFormat.closest(to: name, in: names)
        throw Problem(
            "member.not_found",
            text: near.map {
                Message(
                    "member.not_found.is-called-did-you-mean",
                    "There is no member “\(name, "name")”. Did you mean \($0, "near")?"
                )
            } ?? Message("member.not_found.is-called", "There is no member “\(name, "name")”."),
            help: "screentime member list",
            details: ProblemText.retyping(name, near)
        )
    }
}
