/// A line that an extension wrote, or that its host has to say about it.
package struct ExtensionLine: Sendable, Equatable {
    package enum Source: String, Sendable {
        case output = "stdout"
        case error = "stderr"
        case log
        case host
    }

    package var app: String
    package var member: String
    /// The call under way, or nil between calls.
    package var delivery: String?
    package var attempt: Int64
    package var wallMs: Int64
    package var source: Source
    /// `debug`, `info`, `notice`, `error` or `fault`.
    package var level: String
    /// Of a Logger: its subsystem and category, with a colon between.
    package var category: String
    package var text: String

    package init(
        app: String,
        member: String,
        delivery: String? = nil,
        attempt: Int64 = 0,
        wallMs: Int64,
        source: Source,
        level: String,
        category: String = "",
        text: String
    ) {
        self.app = app
        self.member = member
        self.delivery = delivery
        self.attempt = attempt
        self.wallMs = wallMs
        self.source = source
        self.level = level
        self.category = category
        self.text = text
    }

    /// Longer ones are cut.
    package static let textBytesMax = 4 * 1024
}
