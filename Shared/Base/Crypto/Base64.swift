import STCSodium

/// Bytes as text in the usual alphabet, with padding, as JSON encoders write them.
package enum Base64 {
    private static let variant = sodium_base64_VARIANT_ORIGINAL

    package static func text(_ bytes: [UInt8]) -> String {
        Sodium.prepare()
        let capacity = sodium_base64_encoded_len(bytes.count, variant)
        return String(unsafeUninitializedCapacity: capacity) { output in
            guard let start = output.baseAddress else { return 0 }
            return start.withMemoryRebound(to: CChar.self, capacity: capacity) {
                _ = sodium_bin2base64($0, capacity, bytes, bytes.count, variant)
                // It ends with a zero byte, which is no part of the text.
                return capacity - 1
            }
        }
    }

    /// Nil for anything but exactly such a text.
    package static func bytes(_ text: String) -> [UInt8]? {
        Sodium.prepare()
        let length = text.utf8.count
        var count = 0
        var result: Int32 = 0
        var bytes = [UInt8](repeating: 0, count: length / 4 * 3)
        let capacity = bytes.count
        text.withCString {
            result = sodium_base642bin(&bytes, capacity, $0, length, nil, &count, nil, variant)
        }
        guard result == 0 else { return nil }
        bytes.removeLast(capacity - count)
        return bytes
    }
}
