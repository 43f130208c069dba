import STPlatform

/// Makes safe what somebody says of himself over the bus.
enum HeardText {
    static let bytesMax = 256

    /// Nil for nothing; no control characters, nothing longer than `bytesMax`.
    static func safe(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return DisplayWidth.harmless(TextFormat.fitting(text, bytes: bytesMax))
    }

    /// The name of a desktop entry: without its ending, and nil for what cannot be one.
    static func entry(_ text: String?) -> String? {
        guard var name = safe(text) else { return nil }
        if name.hasSuffix(".desktop") { name.removeLast(8) }
        guard !name.isEmpty, name.utf8.count < bytesMax, !name.utf8.contains(UInt8(ascii: "/")) else {
            return nil
        }
        return name
    }
}
