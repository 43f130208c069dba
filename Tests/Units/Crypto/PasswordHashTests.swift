import STCrypto
import STPlatform
import Testing

@Suite("Password hashes")
struct PasswordHashTests {
    /// From the tests of the reference implementation of Argon2.
    @Test(
        "Hashes of the Argon2 reference implementation are verified",
        arguments: [
            (
                "password",
                "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
            ),
            (
                "password",
                "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
            ),
            (
                "differentpassword",
                "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$C4TWUs9rDEvq7w3+J4umqA32aWKB1+DSiRuBfYxFj94"
            ),
        ]
    )
    func vectors(passcode: String, hash: String) {
        #expect(PasswordHash.verify(passcode, hash))
        #expect(!PasswordHash.verify(passcode + "x", hash))
    }

    @Test("A hash matches only its passcode, and each hash is different")
    func fits() throws {
        let first = try PasswordHash.make("open sesame")
        let second = try PasswordHash.make("open sesame")

        #expect(first != second)
        #expect(first.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
        #expect(PasswordHash.verify("open sesame", first))
        #expect(PasswordHash.verify("open sesame", second))
        #expect(!PasswordHash.verify("open sesam", first))
        #expect(!PasswordHash.verify("", first))
    }

    @Test("A hash of another cost needs a rehash")
    func rehash() throws {
        let cheap = try PasswordHash.make("1234", cost: .least)

        #expect(PasswordHash.verify("1234", cheap))
        #expect(PasswordHash.needsRehash(cheap))
        #expect(!PasswordHash.needsRehash(cheap, cost: .least))
        #expect(!PasswordHash.needsRehash(try PasswordHash.make("1234")))
    }

    @Test(
        "A passcode of fewer than 4 or more than 128 bytes is rejected",
        arguments: ["", "123", String(repeating: "x", count: 129), String(repeating: "김", count: 43)]
    )
    func badLength(passcode: String) throws {
        #expect(throws: Problem.self) { try PasswordHash.make(passcode, cost: .least) }
        do throws(Problem) {
            try PasswordHash.check(passcode, field: "/passcode")
        } catch {
            #expect(error.code == "passcode.bad_length")
            #expect(error.field == "/passcode")
        }
    }

    @Test(
        "A passcode of valid length is accepted",
        arguments: ["1234", "김김", String(repeating: "x", count: 128), "a\u{0}bc"]
    )
    func goodLength(passcode: String) throws {
        let hash = try PasswordHash.make(passcode, cost: .least)

        #expect(PasswordHash.verify(passcode, hash))
    }

    @Test(
        "Text that is not a hash matches no passcode and needs a rehash",
        arguments: ["", "x", "$argon2id$", String(repeating: "a", count: 4_000)]
    )
    func garbage(hash: String) {
        #expect(!PasswordHash.verify("1234", hash))
        #expect(PasswordHash.needsRehash(hash))
    }

    @Test("A zero byte does not end a passcode")
    func zero() throws {
        let hash = try PasswordHash.make("abcd\u{0}e", cost: .least)

        #expect(!PasswordHash.verify("abcd", hash))
        #expect(!PasswordHash.verify("abcd\u{0}f", hash))
    }
}
