public import Foundation
package import STPlatform
import Synchronization
import os

/// The log of the frameworks. It contains problems that a phone does not report.
package struct FrameworkLog: Sendable {
    package static let storage = FrameworkLog(category: "storage")
    package static let authorization = FrameworkLog(category: "authorization")
    package static let activity = FrameworkLog(category: "activity")
    package static let settings = FrameworkLog(category: "settings")
    package static let report = FrameworkLog(category: "report")
    package static let shield = FrameworkLog(category: "shield")
    package static let notifications = FrameworkLog(category: "notifications")
    package static let drawing = FrameworkLog(category: "drawing")
    package static let host = FrameworkLog(category: "extension")

    private static let subsystem = "screentime"
    private let logger: Logger

    private init(category: String) { logger = Logger(subsystem: Self.subsystem, category: category) }

    private static let told = Mutex<Set<String>>([])

    /// Logs that a call has no effect on Linux, and the location of the call. Each call is logged once.
    package static func withoutEffect(_ call: String, _ place: String) {
        guard told.withLock({ $0.insert(call).inserted }) else { return }
        host.notice("\(call) has no effect on Linux (at \(place))")
    }

    package func notice(_ text: String) { logger.notice("\(text, privacy: .public)") }

    package func error(_ text: String) { logger.error("\(text, privacy: .public)") }

    package func fault(_ text: String) { logger.fault("\(text, privacy: .public)") }
}

/// An error that Apple has no type for. A phone does not report most of them.
public struct ScreenTimeProblem: LocalizedError, CustomStringConvertible, Equatable, Sendable {
    /// A stable name, such as `service.not_running`.
    public let code: String
    public let errorDescription: String?
    public let recoverySuggestion: String?

    public var description: String { "\(errorDescription ?? "") [\(code)]" }

    package init(_ problem: Problem) {
        code = problem.code
        errorDescription = problem.message
        recoverySuggestion = problem.help.map { "Try: \($0)" }
    }
}
