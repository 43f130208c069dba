/// Converts the names of Swift properties to JSON names: `countedMs` to `counted_ms`, and `bootID` to `boot_id`.
enum WireName {
    /// True if keys of this type are names of properties.
    ///
    /// Such types are enums. A key that stores its own text, for example of a dictionary, is data and stays unchanged.
    static func names<Key: CodingKey>(_ type: Key.Type) -> Bool {
        MemoryLayout<Key>.size < MemoryLayout<String>.size
    }

    static func hasCapitals(_ plain: UnsafeBufferPointer<UInt8>) -> Bool { plain.contains(where: isCapital) }

    /// Passes the bytes of a JSON name to `use` without creating a string, because every field needs a lookup.
    static func withMapped<Result>(
        _ plain: UnsafeBufferPointer<UInt8>,
        _ use: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * plain.count) { mapped in
            var count = 0
            eachMapped(plain) { byte in
                mapped.initializeElement(at: count, to: byte)
                count += 1
            }
            return use(UnsafeBufferPointer(rebasing: mapped[..<count]))
        }
    }

    static func append(_ name: String, to bytes: inout [UInt8]) {
        var name = name
        name.withUTF8 { plain in
            if hasCapitals(plain) {
                eachMapped(plain) { bytes.append($0) }
            } else {
                bytes.append(contentsOf: plain)
            }
        }
    }

    private static func eachMapped(_ plain: UnsafeBufferPointer<UInt8>, _ take: (UInt8) -> Void) {
        for index in plain.indices {
            let byte = plain[index]
            if isCapital(byte), startsWord(plain, index) { take(UInt8(ascii: "_")) }
            take(isCapital(byte) ? byte | 0x20 : byte)
        }
    }

    private static func isCapital(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
    }

    /// True if a capital starts a word. In a run of capitals only the first does, and the last if lower-case letters follow it.
    private static func startsWord(_ plain: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard index > 0 else { return false }
        guard isCapital(plain[index - 1]) else { return true }
        guard index + 1 < plain.count else { return false }
        return plain[index + 1] >= UInt8(ascii: "a") && plain[index + 1] <= UInt8(ascii: "z")
    }
}

extension CodingKey {
    /// The key as it is in the document.
    func wireName(keepsNames: Bool) -> String {
        guard WireName.names(Self.self), !keepsNames else { return stringValue }
        var bytes: [UInt8] = []
        WireName.append(stringValue, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
