package import STContracts
package import STPlatform
import Synchronization

/// A passcode that was entered before the command runs, or none.
package struct PassedProof: Sendable {
    package var passcode: String?
    /// The new passcode, for commands that set one.
    package var new: String?

    package init(passcode: String?, new: String?) {
        self.passcode = passcode
        self.new = new
    }
}

/// Prompts for a passcode when a service requires one, and again after a wrong one.
package final class ProofPrompt: Sendable {
    package static let option = Command.Option(
        "--by",
        value: "NAME",
        summary: "the guardian who decides, if there are several"
    )

    private static let fileBytesMax = 4_096

    private let keyboard: @Sendable () throws -> Keyboard
    private let by: String?
    private let passed: PassedProof?
    /// The last accepted proof. Further requests of the command use it again.
    private let known = Mutex<Proof?>(nil)

    /// Creates a prompt. It opens the terminal only to ask a question, and never if a passcode is given.
    package init(_ invocation: Invocation, passcode: String? = nil) {
        by = invocation.value("--by")
        passed = passcode.map { PassedProof(passcode: $0, new: nil) } ?? invocation.terminal.proof
        let path = invocation.terminal.keyboard
        keyboard = { try Keyboard(path) }
    }

    /// Calls `attempt`, first without a passcode. A `refusal` in its result means that the service recorded the attempt.
    package func run<Reply>(
        _ attempt: (_ by: String?, _ passcode: String?) async throws -> (reply: Reply, refusal: Problem?)
    ) async throws -> Reply {
        var by = by
        var passcode: String?
        var prover = ""
        while true {
            do {
                let (reply, refusal) = try await attempt(by, passcode)
                guard let refusal else { return reply }
                // After several wrong passcodes, the service pauses and returns the time left. The command does not wait for it.
                guard refusal.code == "auth.wrong_passcode", refusal.details["retry_after_ms"] == nil,
                    passed == nil
                else {
                    throw refusal
                }
                let keyboard = try keyboard()
                keyboard.say(Speech.say(refusal))
                passcode = try await Self.passcode(of: prover, keyboard)
            } catch let problem as Problem {
                if let passed {
                    guard problem.code == "auth.proof_needed", passcode == nil, passed.passcode != nil else {
                        throw problem
                    }
                    passcode = passed.passcode
                } else if problem.code == "auth.wrong_passcode", problem.details["retry_after_ms"] == nil {
                    let keyboard = try keyboard()
                    keyboard.say(Speech.say(problem))
                    passcode = try await Self.passcode(of: prover, keyboard)
                } else if problem.code == "auth.who_proves", by == nil {
                    by = try await choose(problem.details["provers"] ?? "")
                } else if problem.code == "auth.proof_needed", passcode == nil,
                    let name = problem.details["prover"]
                {
                    prover = name
                    passcode = try await Self.passcode(of: name, try keyboard())
                } else {
                    throw problem
                }
            }
        }
    }

    /// Calls `attempt` for requests that need a guardian's proof if they loosen a child's rules.
    package func run<Reply>(_ attempt: (Proof?) async throws -> Reply) async throws -> Reply {
        if let proof = known.withLock({ $0 }) { return try await attempt(proof) }
        return try await run { by, passcode in
            let proof = Proof(by: by, passcode: passcode)
            let reply = try await attempt(proof)
            known.withLock { $0 = passcode == nil ? nil : proof }
            return (reply, nil)
        }
    }

    /// Returns the first line of a file with a passcode or a code. In arguments, other programs could read them.
    static func secret(in path: String) throws -> String {
        let text = String(decoding: try AtomicFile.read(path, limitBytes: fileBytesMax), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }

    private static func passcode(of name: String, _ keyboard: Keyboard) async throws -> String {
        let shown = DisplayWidth.sanitized(name)
        guard
            let text = try await keyboard.hiddenLine(
                Speech.say("command.passcode-of", "Passcode of \(shown, "shown"): ")
            )
        else { throw Self.unanswered }
        return text
    }

    private func choose(_ provers: String) async throws -> String {
        let names = provers.split(separator: "/").map(String.init)
        let list = names.map(DisplayWidth.sanitized).joined(separator: ", ")
        let question = Speech.say("command.who-answers", "Whose passcode (\(list, "list"))? ")
        guard let name = try await keyboard().line(question) else { throw Self.unanswered }
        return name
    }

    package static let unanswered = Problem(
        "terminal.unanswered",
        "There was no answer, so nothing was changed."
    )
}
