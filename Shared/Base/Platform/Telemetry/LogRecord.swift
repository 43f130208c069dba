/// One event of a log.
package struct LogRecord: Sendable {
    package var level: LogLevel
    package var service: String
    /// A stable snake_case name, for searching.
    package var event: String
    /// A sentence for a person, when the name does not say it all.
    package var message: String?
    package var fields: [(name: String, value: LogValue)]
    package var wallMs: Int64

    /// One line of JSON.
    package var json: String {
        var line = "{\"time\":\"\(RFC3339.text(wallMs: wallMs))\",\"level\":\"\(level.rawValue)\""
        line += ",\"service\":\(JSONQuoting.quoted(service)),\"event\":\(JSONQuoting.quoted(event))"
        if let message { line += ",\"message\":\(JSONQuoting.quoted(message))" }
        for field in fields { line += ",\(JSONQuoting.quoted(field.name)):\(jsonText(field.value))" }
        return line + "}"
    }

    /// One line for a terminal: time of day, level, event, then what belongs to it.
    package func text(coloured: Bool) -> String {
        let time = RFC3339.text(wallMs: wallMs).dropFirst(11).dropLast(1)
        let mark = level.rawValue.uppercased()
        let colour = Self.colour(level)
        var line = coloured ? "\u{1B}[2m\(time)\u{1B}[0m \(colour)\(mark)\u{1B}[0m " : "\(time) \(mark) "
        line += "\(service) \(event)"
        if let message { line += "  \(message)" }
        for field in fields { line += "  \(field.name)=\(plainText(field.value))" }
        return line
    }

    /// The text of a value, personal ones hidden unless the line is for debugging.
    func plainText(_ value: LogValue) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .personal(let text): level == .debug ? text : LogValue.digest(text)
        }
    }

    private func jsonText(_ value: LogValue) -> String {
        switch value {
        case .number, .flag: plainText(value)
        case .text, .personal: JSONQuoting.quoted(plainText(value))
        }
    }

    private static func colour(_ level: LogLevel) -> String {
        switch level {
        case .debug: "\u{1B}[2m"
        case .info: "\u{1B}[32m"
        case .warning: "\u{1B}[33m"
        case .error: "\u{1B}[31m"
        }
    }
}
