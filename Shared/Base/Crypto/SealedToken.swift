import STCSodium

/// Encrypts names as tokens that are meaningless without the key.
///
/// The same name and key always give the same token. The cipher is XChaCha20-Poly1305 with a nonce computed from the name (as SIV
/// does). That is safe because two different names never share a nonce. All tokens have the same length, so the length reveals
/// nothing about the name.
///
///     version 1 | key id 8 | nonce 24 | name and padding 256 | tag 16
package enum SealedToken {
    package static let nameBytesMax = 255
    package static let bytes = cipherStart + paddedBytes + tagBytes

    private static let version: UInt8 = 1
    private static let paddedBytes = nameBytesMax + 1
    private static let keyIDBytes = 8
    private static let headBytes = 1 + keyIDBytes
    private static let nonceBytes = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    private static let tagBytes = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    private static let cipherStart = headBytes + nonceBytes

    package static func seal(_ name: [UInt8], _ key: SealingKey) -> [UInt8] {
        precondition(name.count <= nameBytesMax, "the caller checks names")
        Sodium.prepare()
        var padded = [UInt8](repeating: 0, count: paddedBytes)
        padded.replaceSubrange(0..<name.count, with: name)
        // ISO 7816-4 padding: one marker byte, then zeros.
        padded[name.count] = 0x80
        defer { Secret.wipe(&padded) }
        var token = [UInt8](repeating: 0, count: bytes)
        token[0] = version
        for index in 0..<keyIDBytes {
            token[1 + index] = UInt8(truncatingIfNeeded: key.id >> (56 - 8 * index))
        }
        key.withKeys { cipherKey, nonceKey in
            token.withUnsafeMutableBufferPointer { token in
                guard let start = token.baseAddress else { return }
                writeNonce(of: padded, nonceKey, to: start + headBytes)
                crypto_aead_xchacha20poly1305_ietf_encrypt(
                    start + cipherStart,
                    nil,
                    padded,
                    UInt64(paddedBytes),
                    start,
                    UInt64(headBytes),
                    nil,
                    start + headBytes,
                    cipherKey
                )
            }
        }
        return token
    }

    /// The id of the key that opens the token. `nil` if the bytes are not a token of a known version.
    package static func keyID(of token: [UInt8]) -> UInt64? {
        guard token.count == bytes, token[0] == version else { return nil }
        return token[1..<headBytes].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the name in a token. Returns `nil` unless this key sealed the token and it is unchanged.
    package static func open(_ token: [UInt8], _ key: SealingKey) -> [UInt8]? {
        guard keyID(of: token) == key.id else { return nil }
        Sodium.prepare()
        var padded = [UInt8](repeating: 0, count: paddedBytes)
        defer { Secret.wipe(&padded) }
        let isOurs = key.withKeys { cipherKey, nonceKey in
            token.withUnsafeBufferPointer { token -> Bool in
                guard let start = token.baseAddress else { return false }
                let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
                    &padded,
                    nil,
                    nil,
                    start + cipherStart,
                    UInt64(paddedBytes + tagBytes),
                    start,
                    UInt64(headBytes),
                    start + headBytes,
                    cipherKey
                )
                return result == 0 && hasNonce(of: padded, nonceKey, at: start + headBytes)
            }
        }
        guard isOurs, let mark = padded.lastIndex(where: { $0 != 0 }), padded[mark] == 0x80 else {
            return nil
        }
        return Array(padded[..<mark])
    }

    private static func writeNonce(
        of padded: [UInt8],
        _ key: UnsafePointer<UInt8>,
        to nonce: UnsafeMutablePointer<UInt8>
    ) {
        crypto_generichash(nonce, nonceBytes, padded, UInt64(padded.count), key, 32)
    }

    /// Ensures that a name has only one token. Otherwise a holder of the key could seal the name with another nonce.
    private static func hasNonce(
        of padded: [UInt8],
        _ key: UnsafePointer<UInt8>,
        at nonce: UnsafePointer<UInt8>
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: nonceBytes) { expected in
            guard let start = expected.baseAddress else { return false }
            writeNonce(of: padded, key, to: start)
            return sodium_memcmp(start, nonce, nonceBytes) == 0
        }
    }
}

/// A key derived from a master key for one purpose.
///
/// Only the master is stored. The key itself is derived again for each use, and overwritten afterwards.
package struct SealingKey: Sendable {
    package static let masterBytes = 32
    /// One key for the cipher and one for nonces.
    private static let derivedBytes = 64

    /// Identifies the key that sealed a token. Without the master it reveals nothing else.
    package let id: UInt64
    private let master: Secret
    private let purpose: [UInt8]

    /// Derives a key. The same purpose always gives the same key, and keys of different purposes are unrelated.
    package init(master: Secret, purpose: [UInt8]) {
        precondition(master.count == Self.masterBytes, "a master key has \(Self.masterBytes) bytes")
        self.master = master
        self.purpose = purpose
        let digest = Digest.blake2b(Array("screentime key id\u{0}".utf8) + purpose, key: master)
        id = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package static func newMaster() throws -> Secret { try .random(count: masterBytes) }

    func withKeys<Result>(
        _ use: (_ cipher: UnsafePointer<UInt8>, _ nonce: UnsafePointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.derivedBytes) { keys in
            // An allocation of more than zero bytes has an address.
            guard let start = keys.baseAddress else { preconditionFailure("no memory") }
            defer { sodium_memzero(start, Self.derivedBytes) }
            let input = Array("screentime seal\u{0}".utf8) + purpose
            master.withBytes { master in
                _ = crypto_generichash(
                    start,
                    Self.derivedBytes,
                    input,
                    UInt64(input.count),
                    Digest.address(master),
                    master.count
                )
            }
            return try use(start, start + Self.derivedBytes / 2)
        }
    }
}
