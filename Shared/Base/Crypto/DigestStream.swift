import STCSodium

/// BLAKE2b of what comes piece by piece.
///
/// Not copyable: the state behind it is one block of memory that belongs to it alone.
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
