import Foundation

/// A terminal, or a pipe in its place: what the app says, and what the person answers.
package struct Console: Sendable {
    /// An answer is a few words; more than that is no answer.
    private static let answerBytesMax = 4_096

    package init() {}

    package func say(_ lines: String...) {
        for line in lines { print(line) }
    }

    /// For what went wrong.
    package func complain(_ error: any Error) {
        let suggestion = (error as? any LocalizedError)?.recoverySuggestion
        let text = [error.localizedDescription, suggestion].compactMap(\.self).joined(separator: " ")
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    /// One line from the person, or nil when nobody is there any more.
    package func ask(_ question: String) -> String? {
        print(question, terminator: " ")
        // Otherwise the question waits in the buffer while the person waits for it.
        fflush(nil)
        guard let line = readLine() else { return nil }
        return String(decoding: line.utf8.prefix(Self.answerBytesMax), as: UTF8.self)
            .trimmingCharacters(in: .whitespaces)
    }

    /// The same, where no answer keeps what there is: nil then.
    package func given(_ question: String) -> String? { ask(question).flatMap { $0.isEmpty ? nil : $0 } }

    /// Screen after screen, until the person leaves with `q`; Enter takes what is still to be done.
    ///
    /// What goes wrong on a screen is said, and the menu is there again.
    @MainActor
    package func lead(
        through menu: String,
        asking question: (_ step: String) -> String,
        nextStep: () -> String,
        show: (_ step: String) async throws -> Void
    ) async {
        while true {
            say("", menu)
            let next = nextStep()
            guard let answer = ask(question(next)) else { return }
            let step = answer.isEmpty ? next : answer.lowercased()
            if step == "q" { return }
            do {
                try await show(step)
            } catch {
                complain(error)
            }
        }
    }

    /// Whether the person agrees; an empty answer is yes.
    package func agree(_ question: String) -> Bool {
        guard let answer = ask("\(question) [Y/n]") else { return false }
        return answer.isEmpty || ["y", "yes", "예", "네"].contains(answer.lowercased())
    }
}
