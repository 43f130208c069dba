import STCSodium

/// Random numbers that nobody can guess, from the kernel.
package enum SecureRandom {
    package static func bytes(_ count: Int) -> [UInt8] {
        Sodium.prepare()
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            if let start = buffer.baseAddress { randombytes_buf(start, count) }
            initialized = count
        }
    }
}
