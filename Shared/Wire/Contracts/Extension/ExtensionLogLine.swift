/// One message of a Logger, one line of JSON on the descriptor of `ExtensionEnvironment.logDescriptor`.
package struct ExtensionLogLine: WireBody, Codable, Equatable {
    /// `debug`, `info`, `notice`, `error` or `fault`.
    package var level: String
    package var subsystem: String
    package var category: String
    package var text: String

    package init(level: String, subsystem: String = "", category: String = "", text: String) {
        self.level = level
        self.subsystem = subsystem
        self.category = category
        self.text = text
    }

    /// Longer lines are cut by whoever reads them.
    package static let lineBytesMax = 16 * 1024
}
