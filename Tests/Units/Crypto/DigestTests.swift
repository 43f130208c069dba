import STCrypto
import Testing

@Suite("Digests")
struct DigestTests {
    private static let long = (0..<5).flatMap { _ in (0...255).map { UInt8($0) } }

    /// Computed with Python's hashlib.
    @Test(
        "Digests are BLAKE2b with 32 bytes, equal to reference values",
        arguments: [
            ([], "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"),
            (Array("abc".utf8), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
            (long, "82628cbfc9689e234b0923a531f4578fe2e7138a03e2f81ed6cde97517336650"),
        ] as [([UInt8], String)]
    )
    func vectors(input: [UInt8], expected: String) {
        #expect(Hex.text(Digest.blake2b(input)) == expected)
    }

    @Test("A keyed digest depends on its key")
    func keyed() throws {
        let key = try Secret(count: 32) { $0.copyBytes(from: 0..<32) }
        let other = try Secret(count: 32) { $0.copyBytes(from: 1..<33) }
        let input = Array("abc".utf8)

        #expect(
            Hex.text(Digest.blake2b(input, key: key))
                == "d63a32d3e44738d7907f964316c241adaba0abfeabc32349677578a15a203f7f"
        )
        #expect(Digest.blake2b(input, key: key) != Digest.blake2b(input))
        #expect(Digest.blake2b(input, key: key) != Digest.blake2b(input, key: other))
    }
}

/// Converts the hexadecimal text of test vectors.
enum Hex {
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { (($0 < 16) ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func bytes(_ text: String) -> [UInt8] {
        var rest = text[...]
        var bytes: [UInt8] = []
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
