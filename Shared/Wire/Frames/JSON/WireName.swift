/// The name of a Swift property as JSON has it: `countedMs` is `counted_ms`, and `bootID` is `boot_id`.
enum WireName {
    /// Whether keys of this type name properties.
    ///
    /// Those are enums. A key that carries a text of its own, such as that of a dictionary, is data and stays as it is.
    static func names<Key: CodingKey>(_ type: Key.Type) -> Bool {
        MemoryLayout<Key>.size < MemoryLayout<String>.size
    }

    static func hasCapitals(_ plain: UnsafeBufferPointer<UInt8>) -> Bool { plain.contains(where: isCapital) }

    /// Gives the bytes of a name to `use` without making a string of them: names are looked up for every field.
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

    /// In a run of capitals only the first one starts a word, and the last one where small letters follow it.
    private static func startsWord(_ plain: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard index > 0 else { return false }
        guard isCapital(plain[index - 1]) else { return true }
        guard index + 1 < plain.count else { return false }
        return plain[index + 1] >= UInt8(ascii: "a") && plain[index + 1] <= UInt8(ascii: "z")
    }
}

extension CodingKey {
    /// The key as the document has it.
    func wireName(keepsNames: Bool) -> String {
        guard WireName.names(Self.self), !keepsNames else { return stringValue }
        var bytes: [UInt8] = []
        WireName.append(stringValue, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
