import STDomain
import STPlatform

/// The programs in a child's folders that a guardian of a protected computer accepted.
///
/// A child can give a program of its own the name of any app, in its file, its windows and its desktop entry. So a program that the
/// child's account can change counts as an unknown program, unless a guardian accepted it.
package struct AcceptedPrograms: Sendable, Equatable {
    private static let pathsMax = 1_000

    /// Paths of programs, or of folders of programs.
    package let paths: [String]

    /// `text` has one path per line.
    package init(_ text: String = "") {
        let lines = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("/") && $0.utf8.count > 1 }
        paths = lines.prefix(Self.pathsMax).map { $0.hasSuffix("/") ? String($0.dropLast()) : String($0) }
    }

    /// Returns the reason that this process counts as an unknown program, or `nil` if it does not.
    func rejectionReason(to facts: ProcessFacts) -> Message? {
        let files = [facts.executable, facts.appImage, facts.script].compactMap(\.self)
        if files.contains(where: contains) { return nil }
        guard let executable = facts.executable else {
            return Message(
                "agent.file-of-process-unknown",
                """
                Screen Time cannot determine which file the process runs, so it counts as an unknown \
                program.
                """
            )
        }
        guard facts.isReplaceable else { return nil }
        let file = facts.appImage ?? facts.script ?? executable
        return Message(
            "agent.account-can-change-file",
            "This account can change \(file.quoted, "file"), so Screen Time counts the program as unknown."
        )
    }

    private func contains(_ file: String) -> Bool {
        paths.contains { file == $0 || file.hasPrefix("\($0)/") }
    }
}
