import STCommandCore
import STPlatform

/// The build settings of a target, in layers. As in Xcode, a later layer takes precedence.
struct BuildSettings: Sendable {
    private static let depthMax = 32
    /// The maximum number of references that one setting may expand, and the maximum number of files that one file may include.
    private static let stepsMax = 10_000
    private static let filesMax = 200
    private static let valueBytesMax = 64 * 1_024

    /// The layers by increasing precedence: Xcode's defaults, the project's file, the project, the target's file, the target.
    private var layers: [[String: String]] = []
    private let place: String

    /// Creates the settings. `place` is the name in problems: the target and its project.
    init(_ place: String, _ defaults: [String: String]) {
        self.place = place
        layers = [defaults]
    }

    /// Adds settings of a project file. A list of words becomes one text, and settings for other platforms are ignored.
    mutating func add(_ settings: [String: PropertyList]) {
        add(
            settings.mapValues { value in
                value.text ?? value.texts.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")
            }
        )
    }

    mutating func add(_ settings: [String: String]) {
        var layer: [String: String] = [:]
        // Settings with a condition come last, because they are more specific.
        for (key, value) in settings.sorted(by: { ($0.key.count, $0.key) < ($1.key.count, $1.key) }) {
            guard let bracket = key.firstIndex(of: "[") else {
                layer[key] = value
                continue
            }
            if Self.isMet(key[bracket...]) { layer[String(key[..<bracket])] = value }
        }
        layers.append(layer)
    }

    /// Returns true if all conditions are met, for example `[sdk=iphoneos*]` or `[config=Debug]`. The lab makes debug builds.
    private static func isMet(_ conditions: Substring) -> Bool {
        conditions.split { $0 == "[" || $0 == "," }.allSatisfy { part in
            let pair = part.prefix { $0 != "]" }.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return false }
            let isOpen = pair[1].hasSuffix("*")
            let wanted = isOpen ? pair[1].dropLast() : pair[1]
            let own = pair[0] == "sdk" ? "iphoneos18.0" : pair[0] == "config" ? "Debug" : "arm64"
            return own == wanted || isOpen && own.hasPrefix(wanted)
        }
    }

    subscript(key: String) -> String {
        get throws(Problem) {
            var left = Self.stepsMax
            return try value(key, below: layers.count, depth: 0, left: &left)
        }
    }

    func isOn(_ key: String) throws(Problem) -> Bool { ["YES", "TRUE"].contains(try self[key].uppercased()) }

    /// Returns the words of a setting that is a list.
    func words(_ key: String) throws(Problem) -> [String] {
        try self[key].split(separator: " ").map { String($0).trimmed("\"") }.filter { !$0.isEmpty }
    }

    /// Returns the value in the layers below `layer`. `$(inherited)` refers to the layers further below.
    private func value(_ key: String, below layer: Int, depth: Int, left: inout Int) throws(Problem)
        -> String
    {
        guard let found = layers[..<layer].lastIndex(where: { $0[key] != nil }) else { return "" }
        return try expanded(layers[found][key] ?? "", own: (key, found), depth: depth, left: &left)
    }

    /// Returns the text with the value of each `$(NAME)`.
    func expanded(_ text: String) throws(Problem) -> String {
        var left = Self.stepsMax
        return try expanded(text, own: nil, depth: 0, left: &left)
    }

    private func expanded(
        _ text: String,
        own: (key: String, layer: Int)?,
        depth: Int,
        left: inout Int
    ) throws(Problem) -> String {
        guard text.contains("$") else { return text }
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            guard result.utf8.count + rest.utf8.count <= Self.valueBytesMax else {
                throw Problem(
                    "lab.endless_setting",
                    """
                    \(place, "place"): the expanded value of the setting \
                    \(own?.key ?? String(text.prefix(60)), "key") is too long.
                    """
                )
            }
            result += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            guard let bracket = rest.first, bracket == "(" || bracket == "{" else {
                result += "$"
                continue
            }
            // A bracket without an end is literal text.
            guard let end = Self.end(of: rest, bracket) else { return result + "$" + rest }
            let inside = String(rest[rest.index(after: rest.startIndex)..<end])
            let name = try expanded(inside, own: own, depth: depth + 1, left: &left)
            rest = rest[rest.index(after: end)...]
            result += try replaced(name, own: own, depth: depth, left: &left)
        }
        return result + rest
    }

    /// Returns the position of the bracket that closes the first one. Other brackets may be nested inside.
    private static func end(of text: Substring, _ bracket: Character) -> Substring.Index? {
        let closing: Character = bracket == "(" ? ")" : "}"
        var open = 0
        return text.indices.first { index in
            if text[index] == bracket { open += 1 }
            if text[index] == closing { open -= 1 }
            return open == 0
        }
    }

    private func replaced(
        _ name: String,
        own: (key: String, layer: Int)?,
        depth: Int,
        left: inout Int
    ) throws(Problem) -> String {
        left -= 1
        guard depth < Self.depthMax, left > 0 else {
            throw Problem(
                "lab.endless_setting",
                "\(place, "place"): the setting \(own?.key ?? name, "key") refers to itself.",
                key: "lab.endless_setting.the-setting-leads"
            )
        }
        if name == "inherited" {
            guard let own else { return "" }
            return try value(own.key, below: own.layer, depth: depth + 1, left: &left)
        }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        // A setting that refers to itself means its value in the layers below.
        let below = own?.key == parts[0] ? own?.layer ?? layers.count : layers.count
        let plain = try value(parts[0], below: below, depth: depth + 1, left: &left)
        return parts.dropFirst().reduce(plain) { Self.changed($0, by: $1) }
    }

    private static func changed(_ value: String, by operation: String) -> String {
        switch operation {
        case "lower": value.lowercased()
        case "upper": value.uppercased()
        case "c99extidentifier", "identifier": value.asIdentifier
        case "rfc1034identifier": String(value.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        case _ where operation.hasPrefix("default="):
            value.isEmpty ? String(operation.dropFirst("default=".count)) : value
        default: value
        }
    }

    // MARK: - Files of settings

    /// Reads an `.xcconfig` file and the files that it includes.
    static func file(_ path: String, in folder: ProjectFolder) throws(Problem) -> [String: String] {
        var left = filesMax
        return try file(path, in: folder, &left)
    }

    private static func file(_ path: String, in folder: ProjectFolder, _ left: inout Int) throws(Problem)
        -> [String: String]
    {
        left -= 1
        guard left > 0 else {
            throw Problem(
                "lab.endless_setting",
                "\(path, "path") includes itself, or more than \(filesMax, "most") files.",
                key: "lab.endless_setting.includes-itself-or"
            )
        }
        let text = String(decoding: try folder.bytes(path), as: UTF8.self)
        var settings: [String: String] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
            let words = code.trimmed
            if words.hasPrefix("#include") {
                let isOptional = words.hasPrefix("#include?")
                let name = words.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }
                let other = "\(path.folder)/\(name)"
                if isOptional, !folder.has(other) { continue }
                settings.merge(try file(other, in: folder, &left)) { $1 }
            } else if !words.isEmpty {
                guard let equals = Self.equals(words) else {
                    throw Problem(
                        "lab.bad_file",
                        """
                        \(path, "path"), line \(index + 1, "index"): “\(words.prefix(60), "words")” is not a \
                        setting. Write NAME = VALUE.
                        """
                    )
                }
                let key = words[..<equals].trimmed
                let value = words[words.index(after: equals)...].trimmed.trimmed(";")
                // A line inherits the value from earlier lines of the same file.
                let whole = value.replacing("$(inherited)", with: settings[key] ?? "$(inherited)")
                guard whole.utf8.count <= valueBytesMax else {
                    throw Problem(
                        "lab.endless_setting",
                        "\(path, "path"): the expanded value of the setting \(key, "key") is too long.",
                        key: "lab.endless_setting.the-setting-grows"
                    )
                }
                settings[key] = whole
            }
        }
        return settings
    }

    /// Returns the position of the equals sign between name and value. Equals signs in bracketed conditions are skipped.
    private static func equals(_ words: String) -> String.Index? {
        var depth = 0
        return words.indices.first { index in
            if words[index] == "[" { depth += 1 }
            if words[index] == "]" { depth -= 1 }
            return words[index] == "=" && depth == 0
        }
    }
}

extension StringProtocol {
    func trimmed(_ other: Character) -> String {
        var text = Substring(self)
        while text.first == other { text.removeFirst() }
        while text.last == other { text.removeLast() }
        return String(text)
    }

    /// The name as a valid Swift identifier for a module.
    var asIdentifier: String {
        let name = String(map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return name.first?.isNumber ?? true ? "_" + name : name
    }

    /// The path of the folder.
    var folder: String { lastIndex(of: "/").map { String(self[..<$0]) } ?? "." }
    /// The last component of the path.
    var file: String { lastIndex(of: "/").map { String(self[index(after: $0)...]) } ?? String(self) }
    var ending: String {
        let name = file; return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
    }
}
