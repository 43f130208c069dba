import Foundation

/// The beginnings of pictures, which is all that is read of them here.
enum Pictures {
    static func png(_ width: Int, _ height: Int) -> Data {
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8))
            + number(width, 4) + number(height, 4) + Data([8, 6, 0, 0, 0])
    }

    /// With a block in front that has to be jumped over.
    static func jpeg(_ width: Int, _ height: Int) -> Data {
        Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 6, 1, 2, 3, 4, 0xFF, 0xC0, 0, 17, 8]) + number(height, 2)
            + number(width, 2) + Data(repeating: 0, count: 20)
    }

    private static func number(_ value: Int, _ bytes: Int) -> Data {
        Data((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }
}
