public import Foundation
package import STPlatform

/// A refusal that Apple has no error for: on a phone most of these are silent.
public struct ScreenTimeProblem: LocalizedError, CustomStringConvertible, Equatable, Sendable {
    /// A stable name, such as `service.not_running`.
    public let code: String

    /// What to tell a person.
    public let errorDescription: String?

    /// What to do about it, where a command helps.
    public let recoverySuggestion: String?

    /// For a developer.
    public var description: String { "\(errorDescription ?? "") [\(code)]" }

    package init(_ problem: Problem) {
        code = problem.code
        errorDescription = problem.message
        recoverySuggestion = problem.help.map { "Try: \($0)" }
    }
}
