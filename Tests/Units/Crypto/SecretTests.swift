import STCrypto
import Testing

@Suite("Secrets")
struct SecretTests {
    @Test("A secret wipes the bytes from which it is made")
    func wiping() throws {
        var bytes: [UInt8] = [1, 2, 3]
        let secret = try Secret(wiping: &bytes)

        #expect(bytes == [0, 0, 0])
        #expect(secret.withBytes { Array($0) } == [1, 2, 3])
    }

    @Test("Random secrets have the requested length and are all different")
    func random() throws {
        let drawn = try (0..<50).map { _ in try Secret.random(count: 32).withBytes { Array($0) } }

        #expect(drawn.allSatisfy { $0.count == 32 })
        #expect(Set(drawn).count == drawn.count)
    }

    @Test("Released secrets free their memory")
    func many() throws {
        for _ in 0..<2_000 { _ = try Secret.random(count: 32) }

        #expect(try Secret.random(count: 1).count == 1)
    }
}
