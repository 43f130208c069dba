import Foundation
import STPlatform
import STTestSupport
import Testing

/// The messages of all sources, and their translations in `deploy/languages`. `SCREENTIME_WRITE_MESSAGES=1` writes
/// `screentime.pot`, and adds new messages and edited English to each `.po` file. A translation is kept if its key is still in use.
@Suite("The catalogue of messages")
struct MessageCatalogueTests {
    private struct Message {
        var found: SourceSentences.Message
        var path: String

        var place: String { "\(path):\(found.line)" }
    }

    private static let folder = "deploy/languages"

    /// Folders and code areas whose messages only developers read, with the reason. Their messages need no translation.
    private static let developerFolders = [
        "Services/browser-host/": "only in a browser's log",
        "Services/developer-kit/simulator/": "of scenarios, for developers",
        "Services/screentime-draw/": "from a process of desktop-agent, which writes its own text for people",
        "Services/developer-kit/examples/": "apps have texts of their own",
        "Services/developer-kit/Frameworks/": "of apps' code, for developers",
        "Shared/Rendering/": "of apps' pages, for developers",
        "Shared/Wire/Domain/Schedule/": "of apps' schedules, for developers",
    ]
    private static let developerAreas = [
        "browse": "of what programs send on the bus", "activity": "of an app's schedule, for its developer",
        "body": "of what programs send on the bus", "cursor": "of what programs send on the bus",
        "epoch": "of what programs send on the bus", "event": "of what programs send on the bus",
        "frame": "of what programs send on the bus", "header": "of what programs send on the bus",
        "idempotency": "of what programs send on the bus", "page": "of what programs send on the bus",
        "reply": "of what programs send on the bus", "route": "of what programs send on the bus",
        "stream": "of what programs send on the bus", "version": "of what programs send on the bus",
        "client": "a defect of Screen Time", "internal": "a defect of Screen Time",
        "extension": "of an app's code, for its developer",
        "scenario": "of scenarios, for developers", "script": "of scenarios, for developers",
        "simulation": "of scenarios, for developers",
    ]

    private static func isForDevelopers(_ message: Message) -> Bool {
        !message.found.isShown
            && (developerFolders.keys.contains(where: message.path.hasPrefix)
                || developerAreas[String(message.found.key.prefix { $0 != "." })] != nil)
    }

    /// All messages in the order of their files. A key may be used in several places with the same English text.
    private static let all = Result {
        try DataTexts.files(.here).flatMap { file in
            file.messages.map { Message(found: $0, path: file.path) }
        }
            + SourceTree.here.product().flatMap { file in
                ["say(", "text(", "Message(", "Problem(", "Command("].contains(where: file.text.contains)
                    ? SourceSentences(file.text).messages(
                        hasCommands: file.path.hasPrefix("Services/screentime/")
                    ).map { Message(found: $0, path: file.path) } : []
            }
    }

    private static func messages() throws -> [Message] { try all.get() }

    private static func quoted(_ text: String) -> String {
        let escaped = text.map { character in
            switch character {
            case "\n": "\\n"
            case "\"": "\\\""
            case "\\": "\\\\"
            default: String(character)
            }
        }
        return "\"\(escaped.joined())\""
    }

    /// A gettext file with an entry for each key, and the translation that `text` returns for the key.
    private static func file(
        _ messages: [Message],
        header: [String],
        hasLines: Bool,
        forms: Int,
        text: (_ key: String, _ form: Int?) -> String
    ) -> String {
        var lines = ["msgid \"\"", "msgstr \"\""] + header.map { quoted($0 + "\n") }
        for (key, uses) in Dictionary(grouping: messages, by: \.found.key).sorted(by: { $0.key < $1.key }) {
            let places = hasLines ? uses.map(\.place) : Set(uses.map(\.path)).sorted()
            lines += [""] + places.map { "#: \($0)" } + ["msgctxt \(quoted(key))"]
            let english = uses[0].found
            lines.append("msgid \(quoted(english.one ?? english.text))")
            if english.one == nil {
                lines.append("msgstr \(quoted(text(key, nil)))")
            } else {
                lines.append("msgid_plural \(quoted(english.text))")
                lines += (0..<forms).map { "msgstr[\($0)] \(quoted(text(key, $0)))" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let header = [
        "Project-Id-Version: screentime", "MIME-Version: 1.0", "Content-Type: text/plain; charset=UTF-8",
        "Content-Transfer-Encoding: 8bit",
    ]

    private static func template(_ messages: [Message]) -> String {
        file(messages, header: header, hasLines: true, forms: 2) { _, _ in "" }
    }

    private static func translation(_ language: String, _ messages: [Message]) throws -> String {
        let bytes = Array(try SourceTree.here.text("\(folder)/\(language).po").utf8)
        let translations = Translations(bytes)
        let forms = translations.plurals?.forms ?? 1
        let plurals = String(decoding: bytes, as: UTF8.self).firstMatch(of: /"(Plural-Forms: .*)\\n"/)
        return file(
            messages.filter { !isForDevelopers($0) || hasTranslation(of: $0.found.key, in: translations) },
            header: ["Language: \(language)"] + header + [plurals.map { String($0.1) } ?? ""],
            hasLines: false,
            forms: forms
        ) { translations.text(of: $0, form: $1) ?? "" }
    }

    private static func hasTranslation(of key: String, in translations: Translations) -> Bool {
        translations.text(of: key) != nil || translations.text(of: key, form: 0) != nil
    }

    private static func languages() throws -> [String] {
        try SourceTree.here.names(in: folder).filter { $0.hasSuffix(".po") }.map { String($0.dropLast(3)) }
    }

    @Test("Each key has one English text, and each value has a name")
    func english() throws {
        let messages = try Self.messages()
        #expect(messages.count > 2_000)
        var faults = messages.filter { $0.found.fault != nil }.map { "\($0.place): \($0.found.fault ?? "")" }
        for (key, uses) in Dictionary(grouping: messages, by: \.found.key) {
            for use in uses where (use.found.text, use.found.one) != (uses[0].found.text, uses[0].found.one) {
                faults.append("\(use.place): \(key) has another English text at \(uses[0].place).")
            }
            let english = uses[0].found
            let names = Set(MessageTemplate(english.text).names)
            if let one = english.one, !names.isSuperset(of: MessageTemplate(one).names) {
                faults.append(
                    "\(uses[0].place): The text for 1 has a value that the other text does not have."
                )
            }
        }
        #expect(faults == [])
    }

    @Test("Each language has a translation of each message for users, with the same values")
    func translations() throws {
        let messages = try Self.messages()
        let english = Dictionary(messages.map { ($0.found.key, $0) }) { first, _ in first }
        for language in try Self.languages() {
            let translations = Translations(
                Array(try SourceTree.here.text("\(Self.folder)/\(language).po").utf8)
            )
            let forms = translations.plurals?.forms ?? 1
            var faults = translations.keys.filter { english[$0] == nil }.map {
                "\(language).po: \($0) is not used."
            }
            for (key, message) in english {
                let texts: [String?] =
                    message.found.one == nil
                    ? [translations.text(of: key)] : (0..<forms).map { translations.text(of: key, form: $0) }
                for text in texts {
                    guard let text else {
                        if Self.isForDevelopers(message) { continue }
                        faults.append("\(message.place): \(language).po has no translation of \(key).")
                        continue
                    }
                    if Set(MessageTemplate(text).names) != Set(MessageTemplate(message.found.text).names) {
                        faults.append("\(message.place): \(language).po has other values for \(key).")
                    }
                }
            }
            #expect(faults.sorted() == [])
            #expect(translations.unusable == 0, "`screentime doctor` would report \(language).po.")
        }
    }

    @Test("The template and all translations are up to date, or SCREENTIME_WRITE_MESSAGES=1 writes them")
    func files() throws {
        let messages = try Self.messages()
        var texts = ["\(Self.folder)/screentime.pot": Self.template(messages)]
        var known: [String: Translations] = [:]
        for language in try Self.languages() {
            let text = try Self.translation(language, messages)
            texts["\(Self.folder)/\(language).po"] = text
            known[language] = Translations(Array(text.utf8))
        }
        for file in try DataTexts.files(.here) { texts.merge(file.translated(known)) { $1 } }
        for (path, text) in texts {
            if ProcessInfo.processInfo.environment["SCREENTIME_WRITE_MESSAGES"] != nil {
                try text.write(
                    to: SourceTree.here.root.appending(path: path),
                    atomically: true,
                    encoding: .utf8
                )
            }
            // Line numbers are not compared, because they change whenever code moves.
            let written = try SourceTree.here.text(path).replacing(/:\d+(?=\n)/, with: "")
            #expect(written == text.replacing(/:\d+(?=\n)/, with: ""), "\(path) is not up to date.")
        }
    }

    @Test("Messages are read from the source, and a call that cannot be translated is a fault")
    func search() {
        let text = """
            throw Problem("a.b", "One \\(two(")"), "name")", field: "/x")
            // Problem("no", "comment")
            throw Problem("a.b", \"""
                Three \\
                \\(four, "four")
                \""", key: "a.b.three")
            x = language.say("c.d", count: n, one: "1 app", other: "\\(n, "count") apps")
            y = Message("e.f", "g" + h)
            z = Speech.say("i.j", "k \\(l)")
            throw Problem("m", verbatim: "n \\(o)")
            throw Problem("p", verbatim: "\\(error)")
            """
        let found = SourceSentences(text).messages().sorted { $0.line < $1.line }

        #expect(found.map(\.key) == ["a.b", "a.b.three", "c.d", "e.f", "i.j", "verbatim"])
        #expect(found.map(\.text) == ["One {name}", "Three {four}", "{count} apps", "", "", ""])
        #expect(found.map(\.one) == [nil, nil, "1 app", nil, nil, nil])
        #expect(found.map { $0.fault == nil } == [true, true, true, false, false, false])
    }
}
