import STContracts
import STPlatform
import STZeroMQ

/// `screentime household trust`.
enum HouseholdTrustCommand {
    static let command = Command(
        ["household", "trust"],
        "Trusts a machine: guardians can loosen children's rules there for all machines",
        subjects: [.init("MACHINE", "its name; `household show` lists them")],
        options: [
            .init("--end", nil, "ends the trust; rules loosened there stay in force on other machines"),
            ProofPrompt.option, .json,
        ],
        example: "screentime household trust laptop"
    ) { try await trust($0) }

    static func untrusted(_ device: HouseholdDevice) -> [String] {
        guard device.isTrusted == false else { return [] }
        let name = DisplayWidth.harmless(device.name)
        return [
            Speech.say(
                "\(name) runs in personal mode, so children's rules that are loosened there stay in force on other machines.",
                "\(name)은(는) 개인 모드라서, 거기서 늦춘 아이의 규칙은 다른 컴퓨터에서 그대로입니다."
            ),
            Speech.say(
                "If no child uses it: screentime household trust \(ShellText.quoted(name))",
                "아이가 쓰지 않는 컴퓨터라면: screentime household trust \(ShellText.quoted(name))"
            ),
        ]
    }

    private static func trust(_ invocation: Invocation) async throws -> ExitCode {
        let prompt = ProofPrompt(invocation)
        let isTrusted = !invocation.has("--end")
        let reply = try await HouseholdCommand.with(.household, isWanted: false, invocation) { clients in
            try await prompt.run { proof in
                try await clients.call(
                    HouseholdTrust.self,
                    .init(device: invocation.subjects[0], isTrusted: isTrusted, proof: proof)
                )
            }
        }
        let name = DisplayWidth.harmless(reply.device.name)
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            [
                isTrusted
                    ? Speech.say(
                        "Guardians can loosen children's rules on \(name) for all machines. No child may use the account that runs Screen Time there.",
                        "보호자가 \(name)에서 아이의 규칙을 늦추면 모든 컴퓨터에서 늦춰집니다. 아이가 그 계정을 쓰면 안 됩니다."
                    )
                    : Speech.say(
                        "Children's rules that are loosened on \(name) stay in force on other machines.",
                        "\(name)에서 늦춘 아이의 규칙은 다른 컴퓨터에서 그대로입니다."
                    )
            ]
        }
    }
}
