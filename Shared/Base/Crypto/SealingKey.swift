import STCSodium

/// One of the many keys that one master key stands for, named by what it is used for.
///
/// Only the master is stored and kept. The key itself is worked out anew for each use, and overwritten after it.
package struct SealingKey: Sendable {
    package static let masterBytes = 32
    /// A key for the cipher and one for nonces.
    private static let derivedBytes = 64

    /// Tells which key sealed a token, and to those without the master nothing else.
    package let id: UInt64
    private let master: Secret
    private let purpose: [UInt8]

    /// The same purpose gives the same key, and another purpose one that has nothing to do with it.
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
