import STCSodium

/// Names turned into bytes that mean nothing without the key.
///
/// Deterministic, so that the same name is the same token for as long as the key is the same: XChaCha20-Poly1305 with
/// a nonce worked out from the name itself (as SIV does), which is safe because two different names never share one.
/// All tokens are equally long, so that the length tells nothing about the name.
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
        // ISO 7816-4: one mark, then zeros.
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

    /// Which key to open it with; nil when it is no token of a version that is known here.
    package static func keyID(of token: [UInt8]) -> UInt64? {
        guard token.count == bytes, token[0] == version else { return nil }
        return token[1..<headBytes].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The name inside; nil unless this very key sealed it and nothing was changed since.
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

    /// There is one token for a name and no second one, even for whoever has the key.
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
