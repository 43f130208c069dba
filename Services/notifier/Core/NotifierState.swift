package import STContracts
import STPlatform

/// Who can be told something; the history itself is asked for rarely and stays in the database.
package struct NotifierState: Sendable, Equatable {
    /// In the order in which they joined.
    package var members: [Member] = []

    /// For whom a notification is, by the name that everybody else uses too.
    ///
    /// Nobody named means the owner of this computer, who was its first member.
    func recipient(_ name: String?) throws(Problem) -> String {
        guard let owner = members.first(where: { $0.role == .individual }) ?? members.first else {
            throw Problem(
                "unavailable",
                "auth-service has not said yet who belongs to the household.",
                retryable: true,
                help: "screentime status"
            )
        }
        guard let name else { return owner.name }
        guard members.contains(where: { $0.name == name }) else {
            throw Problem(
                "member.unknown",
                "Nobody of the household is called \(name).",
                field: "/member",
                help: "screentime member list"
            )
        }
        return name
    }
}
