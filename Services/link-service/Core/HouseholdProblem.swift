package import STPlatform

/// Problems of the connection to the household.
package enum HouseholdProblem {
    package static let unreached = Problem(
        "household.not_reached",
        """
        The household's hub does not answer. Check that it is on, that it is on the same network, and that \
        its firewall allows connections to its port.
        """,
        retryable: true,
        help: "screentime household show"
    )

    package static let refused = Problem(
        "household.refused",
        """
        The household rejects this machine: the machine was removed, or its invitation has expired. Join \
        with a new code.
        """,
        help: "screentime household join CODE"
    )

    /// The problem to report for a failed request. Without a reply from the household, the cause is unknown.
    package static func reported(_ problem: Problem, isRefused: Bool) -> Problem {
        if isRefused { return refused }
        let silent = ["deadline.exceeded", "request.cancelled", "service.not_running"]
        return silent.contains(problem.code) ? unreached : problem
    }

    /// True if the household has ended the invitation with which a machine requests to join.
    package static func endsInvitation(_ problem: Problem) -> Bool {
        problem.code.hasPrefix("household.") && problem.code != unreached.code
    }
}
