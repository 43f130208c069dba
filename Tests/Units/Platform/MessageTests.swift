import STPlatform
import STTestSupport
import Testing

@Suite("Messages and their translations")
struct MessageTests {
    private static func translations(_ entries: String, plurals: String = "nplurals=1; plural=0;")
        -> Translations
    {
        let header = #"""
            msgid ""
            msgstr ""
            "Language: xx\n"
            "Plural-Forms: \#(plurals)\n"

            """#
        return Translations(Array((header + "\n" + entries).utf8))
    }

    private static let message = Message("app.open", "\("Chess", "app") is open until \(18, "hour").")

    @Test("The English text of a message contains its values")
    func english() {
        #expect(Self.message.english == "Chess is open until 18.")
        #expect(Self.message.values == ["app": .text("Chess"), "hour": .text("18")])
    }

    @Test("Entries without a usable translation are counted")
    func unusable() {
        let translations = Self.translations(
            """
            msgctxt "a.good"
            msgid "{app} opens"
            msgstr "{app}!"

            msgctxt "a.plural"
            msgid "{count} app"
            msgid_plural "{count} apps"
            msgstr[0] "{count}!"

            msgctxt "a.empty"
            msgid "Text"
            msgstr ""

            msgctxt "a.other-name"
            msgid "{app} opens"
            msgstr "{program}!"

            #, fuzzy
            msgctxt "a.fuzzy"
            msgid "Text"
            msgstr "Text!"

            msgctxt "a.control"
            msgid "Text"
            msgstr "\u{1B}[31m"
            """
        )
        #expect(translations.unusable == 4)
        #expect(translations.texts(under: "a.g") == ["ood": "{app}!"])
    }

    @Test("A translation may contain a message's values in another order")
    func order() {
        let translations = Self.translations(
            """
            #: a comment
            msgctxt "app.open"
            msgid "edited English"
            msgstr "{hour}: "
            "\\"{app}\\""
            """
        )
        #expect(translations.text(of: Self.message, in: .korean) == "18: \"Chess\"")
    }

    @Test(
        "An unusable translation is ignored",
        arguments: [
            "msgstr \"\"", "msgstr \"{app} {name}\"", "msgstr \"{app}\"", "msgstr \"{app} {hour} {hour2}\"",
            "msgstr \"{app} {hour}\u{7}\"", "msgstr \"{app} {hour}\u{202E}\"", "msgstr \"{app}\\n{hour}\"",
            "msgstr", "msgid_plural \"{app} {hour}\"", "\"{app} {hour}\"", "msgstr[0] \"{app} {hour}\"",
        ]
    )
    func unusable(_ line: String) {
        let translations = Self.translations(
            "msgctxt \"app.open\"\nmsgid \"x\"\n\(line)\n\nmsgctxt \"b\"\nmsgstr \"{app} {hour}\"\n"
        )
        #expect(translations.text(of: Self.message, in: .korean) == nil)
    }

    @Test("A message's value is translated if it is a message or a duration")
    func values() {
        let inner = Message("date.monday", "Monday")
        let message = Message("app.left", "\(inner, "what") of \(MessageValue.duration(ms: 90_000), "time")")
        let translations = Self.translations("msgctxt \"app.left\"\nmsgstr \"{time}: {what}\"")
        #expect(message.english == "Monday of 1 min 30 s")
        #expect(translations.text(of: message, in: .korean) == "1분 30초: 월요일")
    }

    @Test("Lines of a translation file may end with a carriage return")
    func carriageReturns() {
        let text = "msgctxt \"app.open\"\r\nmsgid \"x\"\r\nmsgstr \"{hour} {app}\"\r\n"
        #expect(Self.translations(text).text(of: Self.message, in: .korean) == "18 Chess")
    }

    @Test("A fuzzy translation is ignored, and the next entry is used")
    func fuzzy() {
        let translations = Self.translations(
            """
            #, fuzzy
            msgctxt "app.open"
            msgstr "{app} {hour}"

            msgctxt "app.other"
            msgstr "other"
            """
        )
        #expect(translations.text(of: Self.message, in: .korean) == nil)
        #expect(translations.text(of: "app.other") == "other")
    }

    @Test("The count selects the plural form of a message")
    func plurals() {
        let translations = Self.translations(
            """
            msgctxt "app.count"
            msgid "1 app"
            msgid_plural "{count} apps"
            msgstr[0] "{count} aplikacja"
            msgstr[1] "{count} aplikacje"
            msgstr[2] "{count} aplikacji"
            """,
            plurals: "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
        )
        for (count, text) in [
            (1, "1 aplikacja"), (3, "3 aplikacje"), (5, "5 aplikacji"), (12, "12 aplikacji"),
            (22, "22 aplikacje"),
        ] {
            let message = Message("app.count", count: count, one: "1 app", other: "\(count, "count") apps")
            #expect(translations.text(of: message, in: .korean) == text)
            #expect(message.english == (count == 1 ? "1 app" : "\(count) apps"))
        }
    }

    @Test(
        "A plural rule that cannot be evaluated is rejected",
        arguments: [
            "", "nplurals=1", "plural=0", "nplurals=0; plural=0;", "nplurals=7; plural=0;",
            "nplurals=2; plural=2;",
            "nplurals=2; plural=n/0;", "nplurals=2; plural=(n;", "nplurals=2; plural=n n;",
            "nplurals=2; plural=x;",
            "nplurals=2; plural=n%0;", "nplurals=2; plural=n ? 1;",
            "nplurals=2; plural=" + String(repeating: "(", count: 10_000) + "n"
                + String(repeating: ")", count: 10_000),
            "nplurals=2; plural=" + String(repeating: "!", count: 10_000) + "n",
            "nplurals=2; plural=" + String(repeating: "n?", count: 10_000) + "0",
        ]
    )
    func badRules(_ header: String) {
        #expect(PluralRule(header) == nil)
    }

    @Test(
        "Random lines in a translation file do not crash the program or hide the next entry",
        arguments: 0..<40
    )
    func random(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let lines = [
            "msgctxt \"app.open\"", "msgctxt \"", "msgctxt", "msgstr \"{app} {hour}\"", "msgstr \"", "\"\\",
            "\"", "", "msgid \"\"",
            "msgstr[0] \"x\"", "{", "\u{0}", "\"Plural-Forms: nplurals=2; plural=n", "한국어",
        ]
        for _ in 0..<50 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                lines.randomElement(using: &random) ?? ""
            }
            let last = ["msgctxt \"app.last\"", "msgstr \"한국어\"", ""]
            let translations = Translations(Array((text + last).joined(separator: "\n").utf8))
            _ = translations.text(of: Self.message, in: .korean)
            #expect(text.isEmpty || translations.text(of: "app.last") == "한국어")
        }
    }
}
