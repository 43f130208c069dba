import FamilyControls
import Foundation
import UserNotifications

/// A terminal or a pipe, for output to a person and input from a person.
package struct Console: Sendable {
    /// The maximum length of an answer. Longer answers are truncated.
    private static let answerBytesMax = 4_096

    package init() {}

    /// Runs a command of an app with its arguments. An error exits the program with the status of the error.
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

    /// Prints an error.
    package func complain(_ error: any Error) {
        let suggestion = (error as? any LocalizedError)?.recoverySuggestion
        let text = [error.localizedDescription, suggestion].compactMap(\.self).joined(separator: " ")
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    /// Reads one line from the person. Returns `nil` at the end of the input.
    package func ask(_ question: String) -> String? {
        print(question, terminator: " ")
        // Flush the question, because it would otherwise stay in the buffer while the person waits.
        fflush(nil)
        guard let line = readLine() else { return nil }
        return String(decoding: line.utf8.prefix(Self.answerBytesMax), as: UTF8.self)
            .trimmingCharacters(in: .whitespaces)
    }

    /// Reads one line. Returns `nil` for an empty answer, which means no change.
    package func given(_ question: String) -> String? { ask(question).flatMap { $0.isEmpty ? nil : $0 } }

    /// Shows a menu and its screens until the person enters `q`. Enter opens the next step of the setup.
    ///
    /// If a screen throws an error, the console prints the error and shows the menu again.
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

    /// Asks the person for permission.
    @MainActor
    package func askPermission(_ question: String, _ words: some AppWords) async throws {
        let center = AuthorizationCenter.shared
        if !center.isApproved, agree(question) {
            say(words.waiting)
            try await center.requestAuthorization(for: .individual)
        }
        say(words.permission(isApproved: center.isApproved))
    }

    /// Returns an object as JSON for programs.
    package static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Returns true if the person agrees. An empty answer counts as yes.
    package func agree(_ question: String) -> Bool {
        guard let answer = ask("\(question) [Y/n]") else { return false }
        return answer.isEmpty || ["y", "yes", "예", "네"].contains(answer.lowercased())
    }
}

/// Shows a notification.
///
/// A notification with the same id replaces the earlier one. Posting the same notification again has no effect. `failed` is
/// called if the notification cannot be shown, before the callback of an extension ends.
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
