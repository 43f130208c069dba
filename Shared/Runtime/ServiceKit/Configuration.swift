import Glibc
import STPlatform

/// Settings from a file of `key = value` lines with `[section]`s, overridden by the environment.
///
/// An unknown key is refused, and the problem names the nearest known key. A typo therefore never disables a setting silently.
package struct Configuration: Sendable, Equatable {
    private var values: [String: String] = [:]

    private static let fileBytesMax = 256 * 1024

    package init() {}

    /// Returns the value of a key, or its default.
    package func value(_ key: ConfigurationKey) -> String { values[key.id] ?? key.fallback }

    /// Returns the value of a key that accepts only whole numbers.
    package func number(_ key: ConfigurationKey) -> Int64 { Int64(value(key)) ?? 0 }

    /// The values that differ from the defaults, except the log level.
    package var ownValues: [String: String] {
        let keys = ConfigurationKey.all.filter {
            value($0) != $0.fallback && $0.id != ConfigurationKey.logLevel.id
        }
        return Dictionary(uniqueKeysWithValues: keys.map { ($0.id, value($0)) })
    }

    /// Loads the file and the environment. The file may be missing, but it must be valid.
    package static func load(path: String, environment: [String: String]) throws -> Configuration {
        var configuration = Configuration()
        if access(path, F_OK) == 0 {
            try configuration.read(try text(path), path: path)
        }
        for key in ConfigurationKey.all {
            guard let value = environment[key.environmentName] else { continue }
            let place = Message(
                "config.the-environment-variable",
                "the environment variable \(key.environmentName, "name")"
            )
            try configuration.set(key, value: value, place: place)
        }
        return configuration
    }

    private static func text(_ path: String) throws -> String {
        do {
            return String(decoding: try AtomicFile.read(path, limitBytes: fileBytesMax), as: UTF8.self)
        } catch {
            // A restart does not help, so the problem must not look temporary.
            throw Problem("config.unreadable", text: error.text, details: error.details)
        }
    }

    mutating func read(_ text: String, path: String) throws {
        var section = ""
        // A carriage return and a line feed are one character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let place = Message("config.line-of-file", "\(path, "path"), line \(index + 1, "line")")
            let content = Self.withoutComment(line).trimmed
            if content.isEmpty { continue }
            if content.hasPrefix("[") {
                section = try Self.section(content, place)
                continue
            }
            let parts = content.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw Problem(
                    "config.bad_line",
                    "\(place, "place"): this is neither `key = value` nor a [section]."
                )
            }
            try set(
                try Self.key(parts[0].trimmed, section: section, place: place),
                value: parts[1].trimmed,
                place: place
            )
        }
    }

    /// Removes a comment, which begins the line or follows a blank. A `#` inside a path is part of the path.
    private static func withoutComment(_ line: Substring) -> Substring {
        var previous: Character = " "
        for index in line.indices {
            if line[index] == "#", previous.isWhitespace { return line[..<index] }
            previous = line[index]
        }
        return line
    }

    private mutating func set(_ key: ConfigurationKey, value: String, place: Message) throws {
        guard key.accepts(value) else {
            throw Problem(
                "config.bad_value",
                "\(place, "place"): \(key.name, "name") cannot be \(value, "value"). \(key.expectation, "expectation")"
            )
        }
        values[key.id] = value
    }

    private static func section(_ text: String, _ place: Message) throws -> String {
        let name = (text.hasSuffix("]") ? text.dropFirst().dropLast() : text.dropFirst()).trimmed
        let known = Set(ConfigurationKey.all.map(\.section)).subtracting([""]).sorted()
        guard text.hasSuffix("]"), known.contains(name) else {
            let list = known.joined(separator: ", ")
            throw Problem(
                "config.unknown_section",
                text: TextFormat.closest(to: name, in: known).map {
                    Message(
                        "config.unknown_section.did-you-mean",
                        """
                        \(place, "place"): there is no section [\(name, "name")]. Did you mean \
                        \($0, "near")? Sections: \(list, "known").
                        """
                    )
                }
                    ?? Message(
                        "config.unknown_section",
                        "\(place, "place"): there is no section [\(name, "name")]. Sections: \(list, "known")."
                    )
            )
        }
        return name
    }

    private static func key(_ name: String, section: String, place: Message) throws -> ConfigurationKey {
        let here = ConfigurationKey.all.filter { $0.section == section }
        if let key = here.first(where: { $0.name == name }) { return key }
        let known = here.map(\.name).joined(separator: ", ")
        let near = TextFormat.closest(to: name, in: here.map(\.name))
        let text =
            switch (section, near) {
            case ("", let near?):
                Message(
                    "config.unknown_key.did-you-mean",
                    """
                    \(place, "place"): there is no setting \(name, "name"). Did you mean \(near, "near")? \
                    Settings here: \(known, "known").
                    """
                )
            case ("", nil):
                Message(
                    "config.unknown_key",
                    "\(place, "place"): there is no setting \(name, "name"). Settings here: \(known, "known")."
                )
            case (_, let near?):
                Message(
                    "config.unknown_key.in-section-did-you-mean",
                    """
                    \(place, "place"): there is no setting \(name, "name") in [\(section, "section")]. Did \
                    you mean \(near, "near")? Settings here: \(known, "known").
                    """
                )
            case (_, nil):
                Message(
                    "config.unknown_key.in-section",
                    """
                    \(place, "place"): there is no setting \(name, "name") in [\(section, "section")]. \
                    Settings here: \(known, "known").
                    """
                )
            }
        throw Problem("config.unknown_key", text: text)
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return String(text)
    }
}
