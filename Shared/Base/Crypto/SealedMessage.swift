import STCSodium

/// A letter that only its recipient can read, and that only its stated sender can have written (`crypto_box`).
package enum SealedMessage {
    private static let nonceBytes = crypto_box_noncebytes()
    private static let tagBytes = crypto_box_macbytes()

    /// Encrypts a letter to a public key. Returns `nil` if the key is invalid.
    package static func seal(_ text: [UInt8], from own: KeyPair, to key: [UInt8]) -> [UInt8]? {
        guard key.count == KeyPair.bytes else { return nil }
        var nonce = [UInt8](repeating: 0, count: nonceBytes)
        randombytes_buf(&nonce, nonceBytes)
        var sealed = [UInt8](repeating: 0, count: text.count + tagBytes)
        guard crypto_box_easy(&sealed, text, UInt64(text.count), nonce, key, own.secret) == 0 else {
            return nil
        }
        return nonce + sealed
    }

    /// Decrypts a letter. Returns `nil` unless the holder of `key` sealed it for `own`.
    package static func open(_ letter: [UInt8], to own: KeyPair, from key: [UInt8]) -> [UInt8]? {
        let length = letter.count - nonceBytes - tagBytes
        guard key.count == KeyPair.bytes, length >= 0 else { return nil }
        let (nonce, sealed) = (Array(letter.prefix(nonceBytes)), Array(letter.dropFirst(nonceBytes)))
        var text = [UInt8](repeating: 0, count: length)
        guard crypto_box_open_easy(&text, sealed, UInt64(sealed.count), nonce, key, own.secret) == 0 else {
            return nil
        }
        return text
    }
}
