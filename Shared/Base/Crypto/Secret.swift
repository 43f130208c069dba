import STCSodium
import STPlatform

/// Bytes that are kept out of swap and core dumps, between guard pages, and are overwritten when released.
///
/// Each secret costs several pages of memory. Use it for the few keys and passcodes that a process holds, not for lists of them.
// @unchecked: the memory is written only in `init`, which makes it read-only.
package final class Secret: @unchecked Sendable {
    package let count: Int
    private let memory: UnsafeMutableRawPointer

    package init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        Sodium.prepare()
        // `sodium_malloc` accepts zero bytes, but the result would be an empty key.
        precondition(count > 0, "a secret has at least one byte")
        guard let memory = sodium_malloc(count) else {
            throw Problem(
                "crypto.out_of_memory",
                "There is not enough memory for a key. Close some programs and try again.",
                key: "crypto.out_of_memory.there-is-not",
                retryable: true
            )
        }
        self.count = count
        self.memory = memory
        try fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
        sodium_mprotect_readonly(memory)
    }

    package static func random(count: Int) throws -> Secret {
        try Secret(count: count) { if let start = $0.baseAddress { randombytes_buf(start, $0.count) } }
    }

    /// Moves the bytes into a secret. The array holds zeros afterwards.
    package convenience init(wiping bytes: inout [UInt8]) throws {
        try self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
        Self.wipe(&bytes)
    }

    deinit { sodium_free(memory) }

    package func withBytes<Result>(_ use: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try use(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Overwrites bytes in a way that an optimiser cannot remove.
    package static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { sodium_memzero(start, $0.count) } }
    }
}

extension Secret: Equatable {
    /// Compares in constant time, so the duration reveals nothing about the bytes.
    package static func == (left: Secret, right: Secret) -> Bool {
        left.count == right.count && sodium_memcmp(left.memory, right.memory, left.count) == 0
    }
}

/// libsodium, initialised once for the process.
enum Sodium {
    /// Selects the fastest code for this processor and opens the kernel's random numbers. Without random numbers no secret may be
    /// made.
    private static let isReady = sodium_init() >= 0

    static func prepare() { precondition(isReady, "libsodium has no source of random numbers") }
}
