import STCrypto
import Testing

@Suite("Base 64")
struct Base64Tests {
    /// From RFC 4648, section 10.
    @Test(
        "is what the standard says",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ]
    )
    func vectors(plain: String, text: String) {
        #expect(Base64.text(Array(plain.utf8)) == text)
        #expect(Base64.bytes(text) == Array(plain.utf8))
    }

    @Test(
        "is read strictly, so that there is one text for some bytes",
        arguments: ["Zg", "Zg=", "Zh==", "Zm9v\n", " Zm9v", "Zm9v====", "Zm-v", "Zm9v\u{0}", "김", "="]
    )
    func strict(text: String) {
        #expect(Base64.bytes(text) == nil)
    }
}
