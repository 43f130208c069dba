/// The format and size of a PNG or JPEG, from its first bytes.
package struct ImageHeader: Sendable, Equatable {
    package enum Kind: Sendable {
        case png, jpeg
    }

    package var kind: Kind
    /// In pixels, as stored in the file. A damaged picture may have 0.
    package var width: Int
    package var height: Int

    /// Fails unless the bytes are a PNG or JPEG whose size can be read.
    package init?(_ bytes: [UInt8]) {
        guard let head = Self.png(bytes) ?? Self.jpeg(bytes) else { return nil }
        self = head
    }

    private init(kind: Kind, width: Int, height: Int) {
        self.kind = kind
        self.width = width
        self.height = height
    }

    /// Reads the signature and the first chunk. That is always IHDR, of 13 bytes, and begins with the size.
    private static func png(_ bytes: [UInt8]) -> ImageHeader? {
        let start: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
        ]
        guard bytes.count >= 24, bytes.starts(with: start) else { return nil }
        return ImageHeader(kind: .png, width: number(bytes[16..<20]), height: number(bytes[20..<24]))
    }

    /// Reads the size from the first frame header, after any number of other segments.
    private static func jpeg(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var place = 2
        while place + 9 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            // Any number of fill bytes may precede a marker.
            if marker == 0xFF {
                place += 1
                continue
            }
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame {
                return ImageHeader(
                    kind: .jpeg,
                    width: number(bytes[place + 7..<place + 9]),
                    height: number(bytes[place + 5..<place + 7])
                )
            }
            let length = number(bytes[place + 2..<place + 4])
            guard length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
