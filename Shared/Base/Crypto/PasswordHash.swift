import STCSodium
package import STPlatform

/// Passcodes in the form in which they are stored: Argon2id, in the usual text form that contains its cost and salt.
package enum PasswordHash {
    package static let passcodeBytes = 4...128

    /// Throws if a text cannot be a passcode, before any work is spent on it.
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

    /// True if the passcode matches the hash. False also if `hash` is not a hash.
    package static func verify(_ passcode: String, _ hash: String) -> Bool {
        guard passcodeBytes.contains(passcode.utf8.count), hash.utf8.count < Int(crypto_pwhash_STRBYTES)
        else {
            return false
        }
        Sodium.prepare()
        return withCharacters(of: passcode) { crypto_pwhash_str_verify(hash, $0, UInt64($0.count)) == 0 }
    }

    /// True if the hash was made at another cost. The caller then hashes the passcode again when it is next entered correctly.
    package static func needsRehash(_ hash: String, cost: PasswordCost = .interactive) -> Bool {
        guard hash.utf8.count < Int(crypto_pwhash_STRBYTES) else { return true }
        Sodium.prepare()
        return crypto_pwhash_str_needs_rehash(hash, cost.passes, cost.memoryBytes) != 0
    }

    /// Passes the passcode to C, and overwrites the copy afterwards.
    private static func withCharacters<Result>(of passcode: String, _ use: ([CChar]) -> Result) -> Result {
        var characters = passcode.utf8.map { CChar(bitPattern: $0) }
        defer { sodium_memzero(&characters, characters.count) }
        return use(characters)
    }
}

/// The cost of one attempt to guess a passcode: the number of passes over an amount of memory.
package struct PasswordCost: Sendable, Equatable {
    package var passes: UInt64
    package var memoryBytes: Int

    package init(passes: UInt64, memoryBytes: Int) {
        self.passes = passes
        self.memoryBytes = memoryBytes
    }

    /// libsodium's values for interactive use: two passes over 64 MiB.
    package static let interactive = PasswordCost(
        passes: UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE),
        memoryBytes: Int(crypto_pwhash_MEMLIMIT_INTERACTIVE)
    )

    /// The lowest cost, for tests of other behaviour.
    package static let least = PasswordCost(
        passes: UInt64(crypto_pwhash_OPSLIMIT_MIN),
        memoryBytes: Int(crypto_pwhash_MEMLIMIT_MIN)
    )
}
