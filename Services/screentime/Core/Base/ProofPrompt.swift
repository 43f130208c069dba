package import STContracts
package import STPlatform
import Synchronization

/// A passcode that was asked for before the command was run, or none.
package struct PassedProof: Sendable {
    package var passcode: String?
    /// The one that a command sets.
    package var new: String?

    package init(passcode: String?, new: String?) {
        self.passcode = passcode
        self.new = new
    }
}

/// Asks for a passcode when a service says that it needs one, and again when it was the wrong one.
package final class ProofPrompt: Sendable {
    package static let option = Command.Option(
        "--by",
        "NAME",
        "the guardian who decides, if there are several"
    )

    private static let fileBytesMax = 4_096

    private let keyboard: @Sendable () throws -> Keyboard
    private let by: String?
    private let passed: PassedProof?
    /// What was good once is good for what the command asks for next.
    private let known = Mutex<Proof?>(nil)

    /// The terminal is opened only when something has to be asked at it; never where a passcode is given.
    package init(_ invocation: Invocation, passcode: String? = nil) {
        by = invocation.value("--by")
        passed = passcode.map { PassedProof(passcode: $0, new: nil) } ?? invocation.terminal.proof
        let path = invocation.terminal.keyboard
        keyboard = { try Keyboard(path) }
    }

    /// Calls `attempt` without a passcode first; a refusal in its answer means that the try was recorded.
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
                // A service that pauses after wrong tries says so; the command does not wait.
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

    /// For requests that carry a guardian's word when they loosen something for a child.
    package func run<Reply>(_ attempt: (Proof?) async throws -> Reply) async throws -> Reply {
        if let proof = known.withLock({ $0 }) { return try await attempt(proof) }
        return try await run { by, passcode in
            let proof = Proof(by: by, passcode: passcode)
            let reply = try await attempt(proof)
            known.withLock { $0 = passcode == nil ? nil : proof }
            return (reply, nil)
        }
    }

    /// The first line of a file: a passcode or a code, kept out of the list of processes.
    static func secret(in path: String) throws -> String {
        let text = String(decoding: try AtomicFile.read(path, limitBytes: fileBytesMax), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }

    private static func passcode(of name: String, _ keyboard: Keyboard) async throws -> String {
        let shown = DisplayWidth.harmless(name)
        guard
            let text = try await keyboard.hiddenLine(
                Speech.say("command.passcode-of", "Passcode of \(shown, "shown"): ")
            )
        else { throw Self.unanswered }
        return text
    }

    private func choose(_ provers: String) async throws -> String {
        let names = provers.split(separator: "/").map(String.init)
        let list = names.map(DisplayWidth.harmless).joined(separator: ", ")
        let question = Speech.say("command.who-answers", "Whose passcode (\(list, "list"))? ")
        guard let name = try await keyboard().line(question) else { throw Self.unanswered }
        return name
    }

    package static let unanswered = Problem(
        "terminal.unanswered",
        "There was no answer, so nothing was changed."
    )
}
