/// Where messages come from, for `os_log`.
public final class OSLog: Sendable {
    let subsystem: String
    let category: String
    let isSilent: Bool

    /// The one without a name.
    public static let `default` = OSLog(subsystem: "", category: "")

    /// The one that drops everything.
    public static let disabled = OSLog(subsystem: "", category: "", isSilent: true)

    /// One with a name: often the app's id, and a part of the app.
    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, isSilent: false)
    }

    private init(subsystem: String, category: String, isSilent: Bool) {
        self.subsystem = subsystem
        self.category = category
        self.isSilent = isSilent
    }

    /// Whether a message of that importance is kept.
    public func isEnabled(type: OSLogType) -> Bool { !isSilent }

    func write(_ type: OSLogType, _ text: String) {
        guard !isSilent else { return }
        LogOutput.shared.write(level: type.word, subsystem: subsystem, category: category, text)
    }
}
