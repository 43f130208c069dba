import STCrypto
import STPlatform
import Testing

@Suite("Stored passcodes")
struct PasswordHashTests {
    /// From the tests of the reference implementation of Argon2.
    @Test(
        "made by others are known again",
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

    @Test("fit that passcode and no other, and look different each time")
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

    @Test("of another cost are recognised, so that they can be made anew")
    func rehash() throws {
        let cheap = try PasswordHash.make("1234", cost: .least)

        #expect(PasswordHash.verify("1234", cheap))
        #expect(PasswordHash.needsRehash(cheap))
        #expect(!PasswordHash.needsRehash(cheap, cost: .least))
        #expect(!PasswordHash.needsRehash(try PasswordHash.make("1234")))
    }

    @Test(
        "are made of 4 to 128 bytes",
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

    @Test("may be anything else", arguments: ["1234", "김김", String(repeating: "x", count: 128), "a\u{0}bc"])
    func goodLength(passcode: String) throws {
        let hash = try PasswordHash.make(passcode, cost: .least)

        #expect(PasswordHash.verify(passcode, hash))
    }

    @Test(
        "that are no hashes fit nothing",
        arguments: ["", "x", "$argon2id$", String(repeating: "a", count: 4_000)]
    )
    func garbage(hash: String) {
        #expect(!PasswordHash.verify("1234", hash))
        #expect(PasswordHash.needsRehash(hash))
    }

    @Test("do not end at a zero byte: what follows it counts")
    func zero() throws {
        let hash = try PasswordHash.make("abcd\u{0}e", cost: .least)

        #expect(!PasswordHash.verify("abcd", hash))
        #expect(!PasswordHash.verify("abcd\u{0}f", hash))
    }
}
