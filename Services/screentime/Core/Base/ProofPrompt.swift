import STContracts
import STPlatform

/// Asks for a passcode when a service says that it needs one, and again when it was the wrong one.
struct ProofPrompt {
    private let keyboard: () throws -> Keyboard
    private var by: String?

    /// The terminal is opened only when something has to be asked at it.
    init(_ invocation: Invocation) {
        by = invocation.value("--by")
        let path = invocation.terminal.keyboard
        keyboard = { try Keyboard(path) }
    }

    /// Calls `attempt` without a passcode first; a refusal in its answer means that the try was recorded.
    func run<Reply>(
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
                guard refusal.code == "auth.wrong_passcode", refusal.details["retry_after_ms"] == nil else {
                    throw refusal
                }
                let keyboard = try keyboard()
                keyboard.say(refusal.message)
                passcode = try await Self.passcode(of: prover, keyboard)
            } catch let problem as Problem {
                if problem.code == "auth.who_proves", by == nil {
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

    private static func passcode(of name: String, _ keyboard: Keyboard) async throws -> String {
        guard let text = try await keyboard.hiddenLine("Passcode of \(DisplayWidth.harmless(name)): ") else {
            throw Self.unanswered
        }
        return text
    }

    private func choose(_ provers: String) async throws -> String {
        let names = provers.split(separator: "/").map(String.init)
        let list = names.map(DisplayWidth.harmless).joined(separator: ", ")
        guard let name = try await keyboard().line("Who answers (\(list))? ") else { throw Self.unanswered }
        return name
    }

    static let unanswered = Problem("terminal.unanswered", "There was no answer, so nothing was changed.")
}
