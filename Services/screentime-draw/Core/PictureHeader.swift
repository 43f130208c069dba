/// What the first bytes of a picture say about it.
struct PictureHeader: Equatable {
    enum Kind {
        case png, jpeg
    }

    var kind: Kind
    var width: Int
    var height: Int

    /// Nil for anything but a PNG or JPEG.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            // Its first chunk is always IHDR, and begins with the size.
            guard bytes.count >= 24, Array(bytes[12..<16]) == Array("IHDR".utf8) else { return nil }
            self.init(kind: .png, width: Self.number(bytes[16..<20]), height: Self.number(bytes[20..<24]))
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]), let frame = Self.frame(bytes) {
            self = frame
        } else {
            return nil
        }
    }

    private init(kind: Kind, width: Int, height: Int) {
        self.kind = kind
        self.width = width
        self.height = height
    }

    /// The segment of a JPEG that describes its frame; the ones before it are passed over.
    private static func frame(_ bytes: [UInt8]) -> PictureHeader? {
        var place = 2
        while place + 9 <= bytes.count {
            guard bytes[place] == 0xFF else { return nil }
            let marker = bytes[place + 1]
            // Any number of them may fill up the space before a marker.
            if marker == 0xFF {
                place += 1
                continue
            }
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame {
                return PictureHeader(
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

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
