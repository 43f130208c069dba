import STCrypto
import STPlatform
import STTestSupport
import Testing

@Suite("Sealed letters")
struct SealedLetterTests {
    @Test("Only the receiver opens a sealed letter, and only with the right sender")
    func opens() throws {
        let (sender, receiver, third) = try (KeyPair.make(), KeyPair.make(), KeyPair.make())
        let text = Array("mum's passcode".utf8)
        let sealed = try #require(SealedMessage.seal(text, from: sender, to: receiver.publicKey))
        #expect(SealedMessage.open(sealed, to: receiver, from: sender.publicKey) == text)
        #expect(SealedMessage.open(sealed, to: third, from: sender.publicKey) == nil)
        #expect(SealedMessage.open(sealed, to: receiver, from: third.publicKey) == nil)
        #expect(SealedMessage.seal(text, from: sender, to: receiver.publicKey) != sealed)
        #expect(SealedMessage.seal(text, from: sender, to: []) == nil)
    }

    @Test("A changed, truncated or random letter cannot be opened")
    func refuses() throws {
        let (sender, receiver) = try (KeyPair.make(), KeyPair.make())
        let sealed = try #require(SealedMessage.seal([1, 2, 3], from: sender, to: receiver.publicKey))
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            var bad = sealed
            switch random.number(0...2) {
            case 0: bad[random.number(0...(bad.count - 1))] ^= UInt8(1 << random.number(0...7))
            case 1: bad.removeLast(random.number(1...bad.count))
            default: bad = (0..<random.number(0...80)).map { _ in UInt8(random.number(0...255)) }
            }
            #expect(SealedMessage.open(bad, to: receiver, from: sender.publicKey) == nil)
        }
    }
}
