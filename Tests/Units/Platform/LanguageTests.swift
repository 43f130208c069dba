import STPlatform
import Testing

@Suite("Which language somebody reads")
struct LanguageTests {
    @Test(
        "is Korean by its code however it is written, and English for everything else",
        arguments: [
            ("ko", WordLanguage.korean), ("KO", .korean), ("ko_KR.UTF-8", .korean), ("ko-KR", .korean),
            ("en", .english), ("en_GB", .english), ("kok_IN", .english), ("de", .english), ("", .english),
            ("_ko", .english), ("\u{1B}ko", .english),
        ]
    )
    func words(tag: String, language: WordLanguage) {
        #expect(WordLanguage(of: tag) == language)
        #expect(language.pick("a", "b") == (language == .korean ? "b" : "a"))
    }

    @Test("nil where it is one that we have no words in")
    func others() {
        #expect(WordLanguage(code: "de-DE") == nil)
        #expect(WordLanguage(code: "en-DE") == .english)
        #expect(WordLanguage(of: nil) == .english)
    }

    @Test(
        "is the first that is set, as a C library has it",
        arguments: [
            (["LANG": "ko_KR.UTF-8"], "ko_KR"),
            (["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "de_DE@euro"], "de_DE"),
            (["LANG": "ko_KR.UTF-8", "LC_ALL": "", "LC_MESSAGES": "en_US"], "en_US"),
            // Set to no language at all: what stands behind it does not count.
            (["LC_ALL": "C.UTF-8", "LANG": "ko_KR.UTF-8"], nil), (["LANG": "POSIX"], nil), ([:], nil),
        ] as [([String: String], String?)]
    )
    func session(environment: [String: String], tag: String?) {
        #expect(SessionLanguage.tag(environment) == tag)
    }

    @Test(
        "is none where it is no name of a language",
        arguments: ["../../etc", "ko\nKR", "ko KR", String(repeating: "k", count: 36), "한국어", ".UTF-8"]
    )
    func broken(name: String) {
        #expect(SessionLanguage.tag(name) == nil)
    }
}
