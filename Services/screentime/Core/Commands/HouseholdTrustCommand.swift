import STContracts
import STPlatform
import STZeroMQ

/// `screentime household trust`.
enum HouseholdTrustCommand {
    static let command = Command(
        ["household", "trust"],
        "Trusts a machine: guardians can loosen children's rules there for all machines",
        subjects: [.init("MACHINE", "the machine's name; `household show` lists all machines")],
        options: [
            .init(
                "--end",
                value: nil,
                summary: "ends the trust; loosening a rule there no longer affects other machines",
                key: "help.--end.ends-the-trust-rules-loosened"
            ),
            ProofPrompt.option, .json,
        ],
        example: "screentime household trust laptop"
    ) { try await trust($0) }

    static func untrusted(_ device: HouseholdDevice) -> [String] {
        guard device.isTrusted == false else { return [] }
        let name = DisplayWidth.sanitized(device.name)
        return [
            Speech.say(
                "household.runs-in-personal-mode",
                """
                The household does not trust \(name, "name"), so loosening a child's rule there does not \
                affect other machines.
                """
            ),
            Speech.say(
                "household.if-no-child-uses",
                """
                If no child uses that machine, you can trust it: screentime household trust \
                \(ShellText.quote(name), "name")
                """
            ),
        ]
    }

    private static func trust(_ invocation: Invocation) async throws -> ExitCode {
        let prompt = ProofPrompt(invocation)
        let isTrusted = !invocation.has("--end")
        let reply = try await HouseholdCommand.with(.household, isWanted: false, invocation: invocation) {
            clients in
            try await prompt.run { proof in
                try await clients.call(
                    HouseholdTrust.self,
                    .init(device: invocation.subjects[0], isTrusted: isTrusted, proof: proof)
                )
            }
        }
        let name = DisplayWidth.sanitized(reply.device.name)
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            [
                isTrusted
                    ? Speech.say(
                        "household.guardians-can-loosen-childrens",
                        """
                        Guardians can loosen children's rules on \(name, "name") for all machines. No child \
                        may use the account that runs Screen Time on that machine.
                        """
                    )
                    : Speech.say(
                        "household.childrens-rules-that-are",
                        "Loosening a child's rule on \(name, "name") no longer affects other machines."
                    )
            ]
        }
    }
}
