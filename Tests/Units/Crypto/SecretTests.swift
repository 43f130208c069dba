import STCrypto
import Testing

@Suite("Secrets")
struct SecretTests {
    @Test("take bytes over and leave zeros where they came from")
    func wiping() throws {
        var bytes: [UInt8] = [1, 2, 3]
        let secret = try Secret(wiping: &bytes)

        #expect(bytes == [0, 0, 0])
        #expect(secret.withBytes { Array($0) } == [1, 2, 3])
    }

    @Test("drawn at random are as long as asked and never the same")
    func random() throws {
        let drawn = try (0..<50).map { _ in try Secret.random(count: 32).withBytes { Array($0) } }

        #expect(drawn.allSatisfy { $0.count == 32 })
        #expect(Set(drawn).count == drawn.count)
    }

    @Test("are given back however many there were")
    func many() throws {
        for _ in 0..<2_000 { _ = try Secret.random(count: 32) }

        #expect(try Secret.random(count: 1).count == 1)
    }
}
