import STContracts
import STPlatform

/// `screentime member passcode`.
enum PasscodeCommand {
    static let command = Command(
        ["member", "passcode"],
        "Sets or changes a member's passcode, typed at the terminal and never in the command",
        subjects: [.init("NAME", "whose")],
        options: [
            .init("--by", "NAME", "which guardian decides, where there are several"),
            .init("--reset", nil, "for the administrator (root), when it was forgotten; everybody is told"),
            .json,
        ],
        example: "screentime member passcode kid"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let isReset = invocation.has("--reset")
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            if !isReset { try await checkName(name, clients) }
            let passcode = try await newOne(of: name, try Keyboard(invocation.terminal.keyboard))
            return try await ProofPrompt(invocation).run { by, proof in
                let reply = try await clients.call(
                    MemberPasscode.self,
                    .init(
                        member: name,
                        passcode: passcode,
                        by: by,
                        proof: proof,
                        reset: isReset ? true : nil
                    )
                )
                return (reply, reply.refusal)
            }
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
        } else {
            terminal.write(
                "\(DisplayWidth.harmless(reply.member)) has a new passcode."
                    + (isReset ? " Everybody is told that it was reset." : "")
            )
        }
        return .done
    }

    /// Before anybody types a passcode for nobody.
    private static func checkName(_ name: String, _ clients: ServiceClients) async throws {
        _ = try await clients.call(MemberShow.self, .init(member: name))
    }

    private static func newOne(of name: String, _ keyboard: Keyboard) async throws -> String {
        let first = try await keyboard.hiddenLine(
            "New passcode of \(DisplayWidth.harmless(name)), 4 to 128 bytes: "
        )
        guard let first else { throw ProofPrompt.unanswered }
        guard let second = try await keyboard.hiddenLine("The same once more: ") else {
            throw ProofPrompt.unanswered
        }
        guard first == second else {
            throw Problem(
                "passcode.not_the_same",
                "The two were not the same, so nothing was changed.",
                help: "screentime member passcode \(name)"
            )
        }
        return first
    }
}
