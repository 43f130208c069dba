package import STContracts
package import STPlatform

/// A request of a program of the account.
package struct DoorRequest: Sendable {
    private let route: String
    private let isAgent: Bool

    /// `agentGroup`: nil if the computer has no group for agents. Every program of the account may then be the agent.
    package init(_ route: String, group: UInt32, agentGroup: UInt32?) {
        self.route = route
        isAgent = agentGroup.map { $0 == group } ?? true
    }

    /// True if the agent reports that it lives.
    package var isPing: Bool { isAgent && route == HealthPing.name }

    /// True if desktop-agent requests a notification. It may notify guardians even though it runs in the child's account.
    private var warnsGuardians: Bool { isAgent && route == NotifyPost.name }

    /// The body to forward.
    package func forwarded(_ body: [UInt8], for person: DoorPerson) throws(Problem) -> [UInt8] {
        guard isAgent || !DoorRules.isAgents(route) else {
            throw Problem(
                "access.agent_only",
                "Only the program that looks at this screen may say what it sees: desktop-agent of the package."
            )
        }
        var asking = person
        if warnsGuardians { asking.role = .guardian }
        return try DoorRules.pass(route, body, for: asking)
    }

    /// The member to whose things the service limits the request. Nil for no limit.
    package func behalf(of person: DoorPerson) -> String? {
        person.role == .guardian || warnsGuardians ? nil : person.member
    }

    /// The body of the reply as the person may receive it.
    package func shown(_ reply: [UInt8], to person: DoorPerson) throws -> [UInt8] {
        guard [EventsSince.name, EventsSnapshot.name].contains(route) else { return reply }
        return try DoorEvents.shown(EventPage.decodedBody(reply), to: person).encodedBody()
    }
}
