import STCSodium

/// BLAKE2b with 32 bytes of output, for fingerprints and chains of them.
package enum Digest {
    package static let bytes = 32

    package static func blake2b(_ input: [UInt8]) -> [UInt8] { input.withUnsafeBytes { blake2b($0) } }

    package static func blake2b(_ input: UnsafeRawBufferPointer) -> [UInt8] {
        Sodium.prepare()
        return written { _ = crypto_generichash($0, bytes, address(input), UInt64(input.count), nil, 0) }
    }

    /// Returns a code that only a holder of the key can make. It authenticates data stored where other accounts may write.
    package static func blake2b(_ input: [UInt8], key: Secret) -> [UInt8] {
        Sodium.prepare()
        precondition(
            (Int(crypto_generichash_keybytes_min())...Int(crypto_generichash_keybytes_max())).contains(
                key.count
            ),
            "a key of BLAKE2b has 16 to 64 bytes"
        )
        return written { output in
            key.withBytes { key in
                input.withUnsafeBytes { input in
                    _ = crypto_generichash(
                        output,
                        bytes,
                        address(input),
                        UInt64(input.count),
                        address(key),
                        key.count
                    )
                }
            }
        }
    }

    static func address(_ buffer: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
        buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    }

    /// Returns a digest that the closure has written.
    private static func written(_ write: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes) { output, initialized in
            if let start = output.baseAddress { write(start) }
            initialized = bytes
        }
    }
}
