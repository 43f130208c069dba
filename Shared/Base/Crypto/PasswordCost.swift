import STCSodium

/// What checking one passcode costs whoever tries them all: passes over that much memory.
package struct PasswordCost: Sendable, Equatable {
    package var passes: UInt64
    package var memoryBytes: Int

    package init(passes: UInt64, memoryBytes: Int) {
        self.passes = passes
        self.memoryBytes = memoryBytes
    }

    /// libsodium's figures for somebody who waits: two passes over 64 MiB.
    package static let interactive = PasswordCost(
        passes: UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE),
        memoryBytes: Int(crypto_pwhash_MEMLIMIT_INTERACTIVE)
    )

    /// As little as there can be, for tests that are about something else.
    package static let least = PasswordCost(
        passes: UInt64(crypto_pwhash_OPSLIMIT_MIN),
        memoryBytes: Int(crypto_pwhash_MEMLIMIT_MIN)
    )
}
