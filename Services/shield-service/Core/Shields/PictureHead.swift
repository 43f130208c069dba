/// What the first bytes of a picture say: whether it is one, and how large.
struct PictureHead: Equatable {
    var width: Int
    var height: Int

    /// Nil for anything but a PNG or JPEG whose size can be read.
    init?(_ bytes: [UInt8]) {
        guard let size = Self.png(bytes) ?? Self.jpeg(bytes) else { return nil }
        (width, height) = size
    }

    private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
        let head: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
        ]
        guard bytes.count >= 24, bytes.starts(with: head) else { return nil }
        return (number(bytes[16..<20]), number(bytes[20..<24]))
    }

    /// The size stands in the first frame header, behind any number of segments.
    private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var at = 2
        while at + 9 <= bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame { return (number(bytes[(at + 7)..<(at + 9)]), number(bytes[(at + 5)..<(at + 7)])) }
            // A fill byte in front of a marker.
            if marker == 0xFF {
                at += 1
                continue
            }
            let length = number(bytes[(at + 2)..<(at + 4)])
            guard length >= 2 else { return nil }
            at += 2 + length
        }
        return nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
