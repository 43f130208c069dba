import FamilyControls
import Foundation
import UserNotifications

/// A terminal, or a pipe in its place: what the app says, and what the person answers.
package struct Console: Sendable {
    /// Longer answers are cut.
    private static let answerBytesMax = 4_096

    package init() {}

    /// Runs an app's command with the words after its name; an error ends the program with its status.
    @MainActor
    package static func run(_ command: (_ words: [String], _ console: Console) async throws -> Void) async {
        let console = Console()
        do {
            try await command(Array(CommandLine.arguments.dropFirst()), console)
        } catch {
            console.complain(error)
            exit(ExitStatus(error).rawValue)
        }
    }

    package func say(_ lines: String...) {
        for line in lines { print(line) }
    }

    /// For what went wrong.
    package func complain(_ error: any Error) {
        let suggestion = (error as? any LocalizedError)?.recoverySuggestion
        let text = [error.localizedDescription, suggestion].compactMap(\.self).joined(separator: " ")
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    /// One line from the person; nil at the end of the input.
    package func ask(_ question: String) -> String? {
        print(question, terminator: " ")
        // Otherwise the question waits in the buffer while the person waits for it.
        fflush(nil)
        guard let line = readLine() else { return nil }
        return String(decoding: line.utf8.prefix(Self.answerBytesMax), as: UTF8.self)
            .trimmingCharacters(in: .whitespaces)
    }

    /// The same, with nil for an empty answer, which keeps what there is.
    package func given(_ question: String) -> String? { ask(question).flatMap { $0.isEmpty ? nil : $0 } }

    /// Leads through screens until the person leaves with `q`; Enter takes the next step that is still to do.
    ///
    /// An error on a screen is shown, and the menu follows again.
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

    /// The screen that asks for permission.
    @MainActor
    package func askPermission(_ question: String, _ words: some AppWords) async throws {
        let center = AuthorizationCenter.shared
        if !center.isApproved, agree(question) {
            say(words.waiting)
            try await center.requestAuthorization(for: .individual)
        }
        say(words.permission(isApproved: center.isApproved))
    }

    /// An object for programs, as JSON.
    package static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Whether the person agrees; an empty answer is yes.
    package func agree(_ question: String) -> Bool {
        guard let answer = ask("\(question) [Y/n]") else { return false }
        return answer.isEmpty || ["y", "yes", "예", "네"].contains(answer.lowercased())
    }
}

/// Shows a notification.
///
/// The same id again replaces it, and the same notification again does nothing. `failed` is called when it cannot be shown,
/// before the callback of an extension is over.
package func tell(
    _ body: String,
    title: String,
    id: String,
    failed: @escaping @Sendable (any Error) -> Void
) {
    let content = UNMutableNotificationContent()
    content.title = title
    content.body = body
    let request = UNNotificationRequest(identifier: id, content: content, trigger: nil)
    UNUserNotificationCenter.current().add(request) { error in
        if let error { failed(error) }
    }
}
