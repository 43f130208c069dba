import STCSodium
import STPlatform

/// Bytes that are kept out of swap and core dumps, behind guard pages, and are overwritten at the end.
///
/// Each costs some pages of memory: it is for the few keys and passcodes that a process holds, not for lists of them.
// @unchecked: the memory is written in `init` alone, and made read-only there.
package final class Secret: @unchecked Sendable {
    package let count: Int
    private let memory: UnsafeMutableRawPointer

    package init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        Sodium.prepare()
        // Zero bytes would be a valid request to sodium_malloc and an empty key everywhere else.
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

    /// Takes the bytes over: the array holds zeros afterwards.
    package convenience init(wiping bytes: inout [UInt8]) throws {
        try self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
        Self.wipe(&bytes)
    }

    deinit { sodium_free(memory) }

    package func withBytes<Result>(_ use: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try use(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Overwrites bytes in a way that no optimiser leaves out.
    package static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { sodium_memzero(start, $0.count) } }
    }
}

extension Secret: Equatable {
    /// Takes the same time for all bytes, so that the time reveals nothing.
    package static func == (left: Secret, right: Secret) -> Bool {
        left.count == right.count && sodium_memcmp(left.memory, right.memory, left.count) == 0
    }
}

/// libsodium, set up once for the process.
enum Sodium {
    /// Picks the fastest code for this processor and opens the kernel's random numbers; without those nothing secret
    /// may be made.
    private static let isReady = sodium_init() >= 0

    static func prepare() { precondition(isReady, "libsodium has no source of random numbers") }
}
