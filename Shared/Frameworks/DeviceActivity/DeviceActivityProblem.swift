public import Foundation
import STPlatform

/// Why monitoring could not begin, where Apple has no error for it: on a phone most of these are silent.
public struct DeviceActivityProblem: LocalizedError, CustomStringConvertible, Equatable, Sendable {
    /// A stable name, such as `service.not_running`.
    public let code: String

    /// What to tell a person.
    public let errorDescription: String?

    /// What to do about it, where a command helps.
    public let recoverySuggestion: String?

    /// For a developer.
    public var description: String { "\(errorDescription ?? "") [\(code)]" }

    init(_ problem: Problem) {
        code = problem.code
        errorDescription = problem.message
        recoverySuggestion = problem.help.map { "Try: \($0)" }
    }
}
