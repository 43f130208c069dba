import Foundation

/// What the beginning of a PNG or a JPEG says: that it is one, and how large.
struct PictureHead: Sendable, Equatable {
    /// In front of the size of a JPEG there may be a small picture and words about the camera.
    static let bytesMax = 256 * 1024

    var width: Int
    var height: Int

    /// Nil for what is neither.
    init?(_ data: Data) {
        let bytes = [UInt8](data.prefix(Self.bytesMax))
        guard let size = Self.png(bytes) ?? Self.jpeg(bytes), size.width > 0, size.height > 0 else {
            return nil
        }
        (width, height) = size
    }

    init?(file: String) {
        guard let data = Self.bytes(of: file, atMost: Self.bytesMax) else { return nil }
        self.init(data)
    }

    /// The beginning of a file, or all of it; nil for what is none.
    static func bytes(of path: String, atMost limit: Int) -> Data? {
        var isFolder: ObjCBool = false
        // A pipe would keep us waiting for ever.
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            let type = try? FileManager.default.attributesOfItem(
                atPath: URL(filePath: path).resolvingSymlinksInPath().path
            )[.type] as? FileAttributeType, type == .typeRegular,
            let handle = FileHandle(forReadingAtPath: path)
        else { return nil }
        defer { try? handle.close() }
        return try? handle.read(upToCount: limit)
    }

    private static func png(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard bytes.count >= 24, bytes.starts(with: signature) else { return nil }
        return (number(bytes, 16, 4), number(bytes, 20, 4))
    }

    private static func jpeg(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var place = 2
        while place + 9 < bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            switch marker {
            // Filling.
            case 0xFF: place += 1
            // Frames; the three that are left out in between are tables.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                return (number(bytes, place + 7, 2), number(bytes, place + 5, 2))
            default: place += 2 + number(bytes, place + 2, 2)
            }
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
