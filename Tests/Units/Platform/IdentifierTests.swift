import STPlatform
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    /// The value of each character in Crockford's base 32.
    private static let worth: [Character: Int64] =
        Dictionary(uniqueKeysWithValues: zip("0123456789ABCDEFGHJKMNPQRSTVWXYZ", Int64(0)...))

    /// The time in the first ten characters of an identifier.
    private func wallMs(of text: String) -> Int64? {
        var time: Int64 = 0
        for character in text.prefix(10) {
            guard let worth = Self.worth[character] else { return nil }
            time = time << 5 | worth
        }
        return time
    }

    @Test("Identifiers contain their time and sort in order of creation, also within a millisecond")
    func order() {
        let generator = IdentifierGenerator()
        let many = (0..<10_000).map { generator.identifier(wallMs: 1_700_000_000_000 + Int64($0 / 1000)) }

        let isSorted = many == many.sorted()
        let distinct = Set(many).count
        let areValid = many.allSatisfy { text in
            text.utf8.count == Identifier.length && text.allSatisfy { Self.worth[$0] != nil }
        }
        #expect(isSorted)
        #expect(distinct == 10_000)
        #expect(areValid)
        #expect(wallMs(of: many[0]) == 1_700_000_000_000)
    }

    @Test("Identifiers stay in order if a time is 1 ms early, and follow a clock that was set back")
    func disorder() {
        let generator = IdentifierGenerator(seed: 3)

        let first = generator.identifier(wallMs: 5_000_000)
        let late = generator.identifier(wallMs: 4_999_999)
        let setBack = generator.identifier(wallMs: 1_000_000)

        #expect(late > first)
        #expect(wallMs(of: setBack) == 1_000_000)
        #expect(wallMs(of: generator.identifier(wallMs: .min)) == 0)
        #expect(wallMs(of: generator.identifier(wallMs: .max)) == 281_474_976_710_655)
    }

    @Test("The time in an identifier is encoded as in the ULID specification's example")
    func specification() {
        // The specification's example has this time and begins with these ten characters.
        #expect(IdentifierGenerator().identifier(wallMs: 1_469_918_176_385).hasPrefix("01ARYZ6S41"))
    }

    @Test("Times across the 48-bit range are read back unchanged from identifiers")
    func alphabet() {
        let generator = IdentifierGenerator()
        for time in stride(from: Int64(0), to: 1 << 48, by: (1 << 48) / 997) {
            #expect(wallMs(of: generator.identifier(wallMs: time)) == time)
        }
    }

    @Test("Generators with the same seed create the same identifier, and with different seeds different ones")
    func seeds() {
        let first = IdentifierGenerator(seed: 1)
        let again = IdentifierGenerator(seed: 1)
        let other = IdentifierGenerator(seed: 2)

        let text = first.identifier(wallMs: 5)
        #expect(again.identifier(wallMs: 5) == text)
        #expect(other.identifier(wallMs: 5) != text)
    }

    @Test("A thousand trace and span identifiers are hexadecimal and distinct")
    func traces() {
        let traces = Set((0..<1000).map { _ in TraceIdentifiers.trace() })
        let spans = Set((0..<1000).map { _ in TraceIdentifiers.span() })
        let digits = Set("0123456789abcdef")

        let odd = traces.filter { $0.count != 32 || !$0.allSatisfy(digits.contains) }
            .union(spans.filter { $0.count != 16 || !$0.allSatisfy(digits.contains) })
        #expect(odd.isEmpty)
        #expect(traces.count == 1000)
        #expect(spans.count == 1000)
    }
}
