package import STContracts
package import STPlatform

/// A request that a program of the account sends to a service.
package struct DoorRequest: Sendable {
    private let route: String
    private let isAgent: Bool

    /// Creates a request. If `agentGroup` is `nil`, the computer has no group for agents, and every program of the account counts
    /// as the agent.
    package init(_ route: String, group: UInt32, agentGroup: UInt32?) {
        self.route = route
        isAgent = agentGroup.map { $0 == group } ?? true
    }

    /// True if the agent reports that it is running.
    package var isPing: Bool { isAgent && route == HealthPing.name }

    /// True if desktop-agent requests a notification. desktop-agent may notify guardians even though it runs
    /// in the child's account.
    private var warnsGuardians: Bool { isAgent && route == NotifyPost.name }

    /// Returns the body to forward. Throws if only the agent may send the request.
    package func forwarded(_ body: [UInt8], for person: DoorPerson) throws(Problem) -> [UInt8] {
        guard isAgent || !DoorRules.isAgents(route) else {
            throw Problem(
                "access.agent_only",
                """
                Only the desktop-agent program of the installed Screen Time package can report what is on \
                this screen.
                """
            )
        }
        var asking = person
        if warnsGuardians { asking.role = .guardian }
        return try DoorRules.admit(route, body, for: asking)
    }

    /// Returns the member whose data the request may access. Returns `nil` if the request may access all data.
    package func behalf(of person: DoorPerson) -> String? {
        person.role == .guardian || warnsGuardians ? nil : person.member
    }

    /// Returns the reply's body without the events that the person may not receive.
    package func filtered(_ reply: [UInt8], to person: DoorPerson) throws -> [UInt8] {
        guard [EventsSince.name, EventsSnapshot.name].contains(route) else { return reply }
        return try DoorEvents.filtered(EventPage.decodedBody(reply), to: person).encodedBody()
    }
}
