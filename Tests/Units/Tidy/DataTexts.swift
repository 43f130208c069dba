import Foundation
import STPlatform

/// Texts in files other than code: menu entries, the description for app stores, questions of the package, and pages. The English
/// text is in the file. The translations in the file are written from `deploy/languages`.
enum DataTexts {
    /// A file with texts, the message at each of its lines, and the text of the file with translations.
    struct File {
        let path: String
        let text: String
        let messages: [SourceSentences.Message]
        /// The files with the translations of these languages, by path.
        var translated: (_ languages: [String: Translations]) -> [String: String] = { _ in [:] }
    }

    static func files(_ tree: SourceTree) throws -> [File] {
        try [
            desktop("deploy/desktop/dev.screentime.ScreenTime.desktop", area: "menu-entry", tree: tree),
            desktop("deploy/desktop/dev.screentime.Session.desktop", area: "session-entry", tree: tree),
            store("deploy/desktop/dev.screentime.ScreenTime.metainfo.xml", tree),
            questions("deploy/debian/screentime.templates", tree),
            texts("deploy/desktop/menu", pattern: /\$\{([a-z]+):-([^}]+)\}/, area: "menu", tree: tree),
            texts("Services/console/Page/words.js", pattern: pageText, area: "console-page", tree: tree),
            texts(
                "Services/household-service/Page/words.js",
                pattern: pageText,
                area: "phone-page",
                tree: tree
            ),
        ]
    }

    nonisolated(unsafe) private static let pageText = /([a-z0-9_]+): "((?:[^"\\]|\\.)*)"/

    private static func texts(
        _ path: String,
        pattern: Regex<(Substring, Substring, Substring)>,
        area: String,
        tree: SourceTree
    ) throws -> File {
        let text = try tree.text(path)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let messages = lines.enumerated().flatMap { index, line in
            line.matches(of: pattern).map {
                message("\(area).\($0.1)", String($0.2), line: index + 1)
            }
        }
        return File(path: path, text: text, messages: messages)
    }

    private static func message(_ key: String, _ text: String, line: Int) -> SourceSentences.Message {
        .init(key: key, text: text, line: line, isShown: true)
    }

    /// `Name=…`, followed by `Name[ko]=…`.
    private static func desktop(_ path: String, area: String, tree: SourceTree) throws -> File {
        let text = try tree.text(path)
        let lines = text.split(separator: "\n").map(String.init)
        func key(_ line: String) -> String? {
            line.firstMatch(of: /^(Name|Comment|Keywords)=/).map { "\(area).\($0.1.lowercased())" }
        }
        let messages = lines.enumerated().compactMap { index, line in
            key(line).map { message($0, String(line.drop { $0 != "=" }.dropFirst()), line: index + 1) }
        }
        return File(path: path, text: text, messages: messages) { languages in
            let all = lines.filter { !$0.contains(/^[A-Za-z]+\[/) }.flatMap { line -> [String] in
                guard let key = key(line) else { return [line] }
                return [line]
                    + languages.sorted { $0.key < $1.key }.compactMap { code, known in
                        known.text(of: key).map { "\(line.prefix { $0 != "=" })[\(code)]=\($0)" }
                    }
            }
            return [path: all.joined(separator: "\n") + "\n"]
        }
    }

    /// `<p>…</p>`, followed by `<p xml:lang="ko">…</p>`.
    private static func store(_ path: String, _ tree: SourceTree) throws -> File {
        let text = try tree.text(path)
        let plain = text.replacing(
            /[ ]*<(name|summary|p) xml:lang="[A-Za-z_-]+">(?:.|\n)*?<\/\1>\n/,
            with: ""
        )
        let found = plain.matches(of: /([ ]*)<(name|summary|p)>((?:.|\n)*?)<\/\2>\n/)
        let messages = found.enumerated().map { index, match in
            let line = text.firstRange(of: match.0).map { text[..<$0.lowerBound].count { $0 == "\n" } } ?? 0
            let words = match.3.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
            return message("app-store.\(match.2)-\(index + 1)", words, line: line + 1)
        }
        return File(path: path, text: text, messages: messages) { languages in
            var result = plain
            for (match, message) in zip(found, messages).reversed() {
                let copies = languages.sorted { $0.key < $1.key }.compactMap { code, known in
                    known.text(of: message.key).map {
                        "\(match.1)<\(match.2) xml:lang=\"\(code)\">\($0)</\(match.2)>\n"
                    }
                }
                guard let range = result.firstRange(of: match.0) else { continue }
                result.insert(contentsOf: copies.joined(), at: range.upperBound)
            }
            return [path: result]
        }
    }

    /// The paragraphs of `_Description`. debconf has a separate file for each language.
    private static func questions(_ path: String, _ tree: SourceTree) throws -> File {
        let text = try tree.text(path)
        let lines = text.split(separator: "\n").map(String.init)
        let first = lines.firstIndex { $0.hasPrefix("_Description: ") } ?? 0
        let rest = lines[(first + 1)...].split { $0 == " ." }
        let texts =
            [String(lines[first].dropFirst("_Description: ".count))]
            + rest.map { $0.map { $0.trimmingPrefix(" ") }.joined(separator: " ") }
        let messages = texts.enumerated().map {
            message("debconf.delete-records-\($0 + 1)", $1, line: first + 1)
        }
        return File(path: path, text: text, messages: messages) { languages in
            Dictionary(
                uniqueKeysWithValues: languages.map { code, known in
                    let entries = messages.map {
                        "msgid \"\($0.text)\"\nmsgstr \"\(known.text(of: $0.key) ?? "")\"\n"
                    }
                    let header = """
                        msgid ""
                        msgstr ""
                        "Content-Type: text/plain; charset=UTF-8\\n"
                        "Language: \(code)\\n"

                        """
                    return ("deploy/debian/po/\(code).po", ([header] + entries).joined(separator: "\n"))
                }
            )
        }
    }
}
