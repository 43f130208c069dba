import STContracts
import STPlatform

/// Whose passcode counts, and what is said when there is none.
extension Passcodes {
    /// Those guardians who can prove who they are.
    static func guardians(_ state: AuthState) -> [String] {
        state.members.filter { $0.role == .guardian && state.passcodes[$0.name] != nil }.map(\.name)
    }

    /// The one of the guardians who gives proof: named, or the only one.
    static func prover(of guardians: [String], by: String?, what: String) throws -> String {
        guard !guardians.isEmpty else { throw noGuardian() }
        guard let by else {
            if guardians.count == 1 { return guardians[0] }
            throw Problem(
                "auth.who_proves",
                "\(what) is a guardian's decision. Say which of them answers: "
                    + "\(guardians.joined(separator: ", ")).",
                field: "/by",
                // No name has a slash.
                details: ["provers": guardians.joined(separator: "/")]
            )
        }
        guard guardians.contains(by) else {
            throw Problem(
                "auth.not_a_prover",
                "\(what) is a guardian's decision, and \(TextLimit.shown(by)) is none with a passcode. "
                    + "There is: \(guardians.joined(separator: ", ")).",
                field: "/by"
            )
        }
        return by
    }

    static func noGuardian() -> Problem {
        Problem(
            "auth.no_method",
            "No guardian has a passcode, so nobody can answer for a child. Add a guardian and set a passcode first.",
            help: "screentime member add NAME --role guardian && screentime member passcode NAME"
        )
    }

    static func noPasscode(of members: [String]) -> Problem {
        let name = members.first ?? "NAME"
        return Problem(
            "auth.no_method",
            "\(name) has no passcode, so there is no way to prove that it is \(name) who answers. Set one first.",
            help: "screentime member passcode \(name)"
        )
    }

    static func locked(_ member: String, _ restMs: Int64) -> Problem {
        Problem(
            "auth.locked",
            "The passcode of \(member) was wrong too often. None is taken for another "
                + "\(TextFormat.duration(ms: restMs)).",
            retryable: true,
            help: "screentime member show \(member)",
            details: ["retry_after_ms": String(restMs)]
        )
    }
}
