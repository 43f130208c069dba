import STCSodium

/// BLAKE2b with 32 bytes of output: fingerprints and chains of them.
package enum Digest {
    package static let bytes = 32

    package static func blake2b(_ input: [UInt8]) -> [UInt8] { input.withUnsafeBytes { blake2b($0) } }

    package static func blake2b(_ input: UnsafeRawBufferPointer) -> [UInt8] {
        Sodium.prepare()
        return written { _ = crypto_generichash($0, bytes, address(input), UInt64(input.count), nil, 0) }
    }

    /// The digest of all parts put together, so the parts themselves must show where one ends and the next begins: give
    /// each a fixed length, or put its length in front.
    package static func blake2b(parts: [[UInt8]]) -> [UInt8] {
        var stream = DigestStream()
        for part in parts { stream.update(part) }
        return stream.finish()
    }

    /// A code that only those who have the key can make: for what is stored where others may write.
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

    /// Room for a digest that the closure writes.
    static func written(_ write: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes) { output, initialized in
            if let start = output.baseAddress { write(start) }
            initialized = bytes
        }
    }
}

/// BLAKE2b of input that comes piece by piece.
///
/// Not copyable, because it owns the block of memory that holds its state.
package struct DigestStream: ~Copyable {
    private let state: UnsafeMutableRawPointer

    package init() {
        Sodium.prepare()
        let bytes = crypto_generichash_statebytes()
        // The header asks for this alignment, which the C allocator does not promise.
        state = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        crypto_generichash_init(OpaquePointer(state), nil, 0, Digest.bytes)
    }

    deinit { state.deallocate() }

    package mutating func update(_ input: [UInt8]) { input.withUnsafeBytes { update($0) } }

    package mutating func update(_ input: UnsafeRawBufferPointer) {
        crypto_generichash_update(OpaquePointer(state), Digest.address(input), UInt64(input.count))
    }

    package consuming func finish() -> [UInt8] {
        let state = OpaquePointer(state)
        return Digest.written { _ = crypto_generichash_final(state, $0, Digest.bytes) }
    }
}
