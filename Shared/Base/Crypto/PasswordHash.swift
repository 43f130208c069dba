import STCSodium
package import STPlatform

/// Passcodes as they may be stored: Argon2id, in the usual text form that names its own cost and salt.
package enum PasswordHash {
    package static let passcodeBytes = 4...128

    /// Refuses a text that cannot be a passcode, before any work is spent on it.
    package static func check(_ passcode: String, field: String? = nil) throws(Problem) {
        guard passcodeBytes.contains(passcode.utf8.count) else {
            throw Problem(
                "passcode.bad_length",
                """
                A passcode must have \(passcodeBytes.lowerBound, "least") to \
                \(passcodeBytes.upperBound, "most") characters. A letter such as é or 가 counts as two to \
                four characters.
                """,
                field: field
            )
        }
    }

    package static func make(_ passcode: String, cost: PasswordCost = .interactive) throws(Problem) -> String
    {
        try check(passcode)
        Sodium.prepare()
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let result = withCharacters(of: passcode) {
            crypto_pwhash_str(&text, $0, UInt64($0.count), cost.passes, cost.memoryBytes)
        }
        guard result == 0 else {
            throw Problem(
                "crypto.out_of_memory",
                """
                There is not enough memory to store a passcode safely, which takes \
                \(cost.memoryBytes >> 20, "memory") MiB. Close some programs and try again.
                """,
                retryable: true
            )
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the passcode is the one that was hashed; false as well when `hash` is not a hash.
    package static func verify(_ passcode: String, _ hash: String) -> Bool {
        guard passcodeBytes.contains(passcode.utf8.count), hash.utf8.count < Int(crypto_pwhash_STRBYTES)
        else {
            return false
        }
        Sodium.prepare()
        return withCharacters(of: passcode) { crypto_pwhash_str_verify(hash, $0, UInt64($0.count)) == 0 }
    }

    /// Whether the hash was made at another cost; then make it anew when the right passcode is next given.
    package static func needsRehash(_ hash: String, cost: PasswordCost = .interactive) -> Bool {
        guard hash.utf8.count < Int(crypto_pwhash_STRBYTES) else { return true }
        Sodium.prepare()
        return crypto_pwhash_str_needs_rehash(hash, cost.passes, cost.memoryBytes) != 0
    }

    /// The copy that C reads is overwritten afterwards.
    private static func withCharacters<Result>(of passcode: String, _ use: ([CChar]) -> Result) -> Result {
        var characters = passcode.utf8.map { CChar(bitPattern: $0) }
        defer { sodium_memzero(&characters, characters.count) }
        return use(characters)
    }
}

/// What it costs to try one passcode: passes over that much memory.
package struct PasswordCost: Sendable, Equatable {
    package var passes: UInt64
    package var memoryBytes: Int

    package init(passes: UInt64, memoryBytes: Int) {
        self.passes = passes
        self.memoryBytes = memoryBytes
    }

    /// libsodium's figures for a person who waits for the answer: two passes over 64 MiB.
    package static let interactive = PasswordCost(
        passes: UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE),
        memoryBytes: Int(crypto_pwhash_MEMLIMIT_INTERACTIVE)
    )

    /// The smallest possible, for tests that are about something else.
    package static let least = PasswordCost(
        passes: UInt64(crypto_pwhash_OPSLIMIT_MIN),
        memoryBytes: Int(crypto_pwhash_MEMLIMIT_MIN)
    )
}
