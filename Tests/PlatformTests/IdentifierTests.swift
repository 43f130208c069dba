import STPlatform
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    @Test("carry their time and sort by it, also within one millisecond")
    func order() {
        let many = (0..<10_000).map { Identifier.make(wallMs: 1_700_000_000_000 + Int64($0 / 1000)) }

        #expect(many == many.sorted())
        #expect(Set(many).count == many.count)
        #expect(Identifier.wallMs(of: many[0]) == 1_700_000_000_000)
        #expect(many.allSatisfy { Identifier.isValid($0) && $0.utf8.count == 26 })
    }

    @Test("have the text that the ULID specification gives")
    func specification() {
        // The specification's example has this time and begins with these ten characters.
        #expect(Identifier.make(wallMs: 1_469_918_176_385).hasPrefix("01ARYZ6S41"))
        #expect(Identifier.wallMs(of: "01ARYZ6S41TSV4RRFFQ69G5FAV") == 1_469_918_176_385)
        #expect(Identifier.wallMs(of: "7ZZZZZZZZZZZZZZZZZZZZZZZZZ") == 281_474_976_710_655)
    }

    @Test(
        "from outside are checked",
        arguments: [
            "", "01ARYZ6S41TSV4RRFFQ69G5FA", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "01ARYZ6S41TSV4RRFFQ69G5FAU",
            "01aryz6s41tsv4rrffq69g5fav", "01ARYZ6S41TSV4RRFFQ69G5FAI",
        ]
    )
    func invalid(_ text: String) {
        #expect(!Identifier.isValid(text))
    }

    @Test("cross every character of the alphabet and come back")
    func alphabet() {
        for time in stride(from: Int64(0), to: 1 << 48, by: (1 << 48) / 997) {
            #expect(Identifier.wallMs(of: Identifier.make(wallMs: time)) == time)
        }
    }

    @Test("from two generators with one seed are the same, and from two seeds are not")
    func seeds() {
        let first = IdentifierGenerator(seed: 1)
        let again = IdentifierGenerator(seed: 1)
        let other = IdentifierGenerator(seed: 2)

        let text = first.identifier(wallMs: 5)
        #expect(again.identifier(wallMs: 5) == text)
        #expect(other.identifier(wallMs: 5) != text)
    }

    @Test("of traces are hexadecimal and never the same")
    func traces() {
        let traces = (0..<1000).map { _ in TraceIdentifiers.trace() }
        let spans = (0..<1000).map { _ in TraceIdentifiers.span() }
        let digits = Set("0123456789abcdef")

        #expect(traces.allSatisfy { $0.count == 32 && $0.allSatisfy(digits.contains) })
        #expect(spans.allSatisfy { $0.count == 16 && $0.allSatisfy(digits.contains) })
        #expect(Set(traces).count == 1000)
        #expect(Set(spans).count == 1000)
    }
}
