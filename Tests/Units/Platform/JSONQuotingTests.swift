import STPlatform
import Testing

@Suite("A string of JSON")
struct JSONQuotingTests {
    @Test(
        "is quoted, with escapes where JSON wants them and nowhere else",
        arguments: [
            ("", #""""#), ("plain é😀 /", #""plain é😀 /""#), (#"a"b\c"#, #""a\"b\\c""#),
            ("\n\r\t\u{0}\u{1B}\u{1F}\u{7F}", #""\n\r\t\u0000\u001b\u001f"# + "\u{7F}\""),
        ]
    )
    func quoted(text: String, json: String) {
        var bytes = Array("x".utf8)
        JSONQuoting.append(text, to: &bytes)

        #expect(JSONQuoting.quoted(text) == json)
        #expect(String(decoding: bytes, as: UTF8.self) == "x" + json)
    }
}
