import STPlatform
import Testing

@Suite("Base64")
struct Base64Tests {
    /// From RFC 4648, section 10.
    @Test(
        "is encoded and decoded as RFC 4648 has it",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ]
    )
    func vectors(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
    }

    @Test(
        "decoding refuses anything but the one text that encoding makes",
        arguments: ["Zg", "Zg=", "Zh==", "Zm9v\n", " Zm9v", "Zm9v====", "Zm-v", "Zm9v\u{0}", "김", "="]
    )
    func strict(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
