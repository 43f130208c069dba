import STCSodium
import STPlatform
import STTestSupport
import Testing

@testable import STCrypto

@Suite("Sealed tokens")
struct SealedTokenTests {
    /// Computed by a separate implementation, which was compared with the vectors of draft-irtf-cfrg-xchacha.
    private static let vector = Hex.bytes(
        """
        01f4c3454af13790c9fd9d5404aff444e56aec2202be174e550af7c38f9810441f019e36b60c8652a33a037bd1\
        9404c166555a602203fe71496c7e624f0afc7f2d3be4644c43cf1d1f53847a71638bab09eee1aa21fa0fa592f7\
        b3cc4b03a37ebcc88c5275bba9c694aa0f33fcb8479a2bfaa4743a9f5dabf02be2ec1cb9cad756cc6d169446fe\
        cc5d957fc87b60c89c9af3fcea66a25e1de925064e9c4ad478edb4218a17a2a4363cf94f1b72b48cc548456b63\
        6eb364904a8f1c78b92f98f1cd38315173c4a3fea7f5b072e5bf56e77bc81f8541b4fcf3d8f4f92696dfd973b7\
        158e5c27e4324a55ee8358a5d47b40ac0d04e59eaf69924050d7eb63c528df596d0095edea52bcd4bae2939eee\
        63b03bad8f1f08d53367524b128463f23e03a1b9a0666fdd6ed15376abf8c4abcb7762
        """
    )

    private let key: SealingKey
    private let other: SealingKey

    init() throws {
        let master = try Secret(count: 32) { $0.copyBytes(from: 0..<32) }
        key = SealingKey(master: master, purpose: Array("purpose".utf8))
        other = SealingKey(master: master, purpose: Array("purposf".utf8))
    }

    @Test("The token of a name matches the format of version 1")
    func golden() {
        let name = Array("org.mozilla.firefox".utf8)

        #expect(SealedToken.seal(name, key) == Self.vector)
        #expect(SealedToken.open(Self.vector, key) == name)
    }

    @Test("The token of a name is always the same, and different names have different tokens")
    func stable() {
        let names = (0..<500).map { Array("app\($0)".utf8) }
        let tokens = names.map { SealedToken.seal($0, key) }

        #expect(tokens == names.map { SealedToken.seal($0, key) })
        #expect(Set(tokens).count == names.count)
        #expect(names == tokens.map { SealedToken.open($0, key) })
    }

    @Test("All tokens have the same length of at least 128 bytes", arguments: [0, 1, 254, 255])
    func lengths(count: Int) {
        let name = [UInt8](repeating: 0x80, count: count)
        let token = SealedToken.seal(name, key)

        #expect(token.count == SealedToken.bytes)
        #expect(SealedToken.bytes >= 128)
        #expect(SealedToken.open(token, key) == name)
    }

    @Test("A name in a token can contain any bytes, including padding bytes")
    func anyBytes() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<500 {
            let count = Int(random.next() % 256)
            let name = (0..<count).map { _ in
                [0, 0x80, UInt8(truncatingIfNeeded: random.next())][Int(random.next() % 3)]
            }
            #expect(SealedToken.open(SealedToken.seal(name, key), key) == name)
        }
    }

    @Test("A token opens only with its own key and contains the id of the key")
    func keys() {
        let token = SealedToken.seal([1, 2, 3], key)

        #expect(SealedToken.keyID(of: token) == key.id)
        #expect(key.id != other.id)
        #expect(SealedToken.open(token, other) == nil)
        #expect(SealedToken.seal([1, 2, 3], other) != token)
    }

    @Test("A token with a changed byte does not open")
    func changed() {
        let token = SealedToken.seal(Array("org.mozilla.firefox".utf8), key)
        for index in token.indices {
            var changed = token
            changed[index] ^= 1
            #expect(SealedToken.open(changed, key) == nil, "byte \(index)")
        }
    }

    @Test("A token with another nonce than the one of its name does not open")
    func unique() throws {
        let token = SealedToken.seal([1, 2, 3], key)
        var other = token
        var padded = [UInt8](repeating: 0, count: 256)
        padded.replaceSubrange(0..<4, with: [1, 2, 3, 0x80])
        // A nonce that does not belong to the name.
        other[9] ^= 1
        key.withKeys { cipherKey, _ in
            other.withUnsafeMutableBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return }
                crypto_aead_xchacha20poly1305_ietf_encrypt(
                    start + 33,
                    nil,
                    padded,
                    256,
                    start,
                    9,
                    nil,
                    start + 9,
                    cipherKey
                )
            }
        }

        #expect(other != token)
        #expect(SealedToken.open(other, key) == nil)
        #expect(SealedToken.open(token, key) == [1, 2, 3])
    }

    @Test(
        "Bytes that are not a token have no key id and do not open",
        arguments: [0, 1, 8, 9, 128, 304, 306, 5_000]
    )
    func garbage(count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)

        #expect(SealedToken.keyID(of: bytes) == nil)
        #expect(SealedToken.open(bytes, key) == nil)
    }
}
