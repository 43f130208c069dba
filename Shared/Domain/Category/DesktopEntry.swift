/// What a file of the freedesktop menu says of one program.
package struct DesktopEntry: Sendable, Equatable {
    /// The name of its file without the ending, which is what most desktops call the program.
    package var id: String
    package var name: String
    /// In other languages.
    package var names: [String: String]
    /// The name of an icon, or the path of a picture.
    package var icon: String?
    package var categories: [String]
    /// What its windows are called, where that is something else.
    package var windowClass: String?
    /// Menus leave it out; it may be in front all the same.
    package var isHidden: Bool
    /// It stands for a program that was taken away.
    package var isDeleted: Bool

    /// LibreOffice, with all its languages, has some 60 KiB.
    package static let bytesMax = 256 * 1024
    package static let textBytesMax = 256
    private static let categoriesMax = 40
    private static let languages: Set<String> = ["ko"]
    private static let group = "[Desktop Entry]"

    /// Nil for what is no program: a link, a folder, a broken file.
    package init?(id: String, _ bytes: [UInt8]) {
        guard !id.isEmpty, id.utf8.count <= Self.textBytesMax, bytes.count <= Self.bytesMax,
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        var values: [String: String] = [:]
        var isInside = false
        var wasInside = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.hasPrefix("[") {
                // Further groups are actions of the same program.
                if wasInside { break }
                isInside = line == Self.group
                wasInside = isInside
                continue
            }
            guard isInside, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
            let key = String(Self.trimmed(line[..<equals]))
            if values[key] == nil { values[key] = String(Self.trimmed(line[line.index(after: equals)...])) }
        }
        guard values["Type"] == "Application", let name = values["Name"].flatMap(Self.plain) else {
            return nil
        }
        self.id = id
        self.name = name
        names = [:]
        for language in Self.languages { names[language] = values["Name[\(language)]"].flatMap(Self.plain) }
        icon = values["Icon"].flatMap(Self.plain)
        categories = (values["Categories"] ?? "").split(separator: ";").prefix(Self.categoriesMax).map(
            String.init
        )
        windowClass = values["StartupWMClass"].flatMap(Self.plain)
        isHidden = values["NoDisplay"] == "true"
        isDeleted = values["Hidden"] == "true"
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }

    /// Without escapes and control characters, short; nil when nothing is left.
    private static func plain(_ text: String) -> String? {
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                // A line end, a tab: in a name all of them are a blank.
                result.append(character == "\\" ? character : " ")
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) {
                result.append(character)
            }
            if result.utf8.count > textBytesMax { return nil }
        }
        return result.contains { !$0.isWhitespace } ? result : nil
    }
}
