import os

/// What the frameworks themselves have to say: what a phone leaves silent goes here.
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

    package func notice(_ text: String) { logger.notice("\(text, privacy: .public)") }

    package func error(_ text: String) { logger.error("\(text, privacy: .public)") }

    package func fault(_ text: String) { logger.fault("\(text, privacy: .public)") }
}
