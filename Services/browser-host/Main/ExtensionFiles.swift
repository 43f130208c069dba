import Glibc
import STPlatform
import STWire

/// The extension in the formats of browsers: a folder for Chromium, and one file for Firefox.
enum ExtensionFiles {
    private static let files = [
        (
            "manifest.json",
            Array(
                String(decoding: PackageResources.manifest_json, as: UTF8.self)
                    .replacing("VERSION", with: Version.text).utf8
            )
        ),
        ("background.js", PackageResources.background_js), ("shield.html", PackageResources.shield_html),
        ("shield.js", PackageResources.shield_js),
    ]

    /// Writes the files into the folder, and `screentime.xpi` beside it.
    static func unpack(into folder: String) throws {
        try Directories.prepare(folder)
        for (name, bytes) in files { try AtomicFile.write(bytes, to: "\(folder)/\(name)", mode: 0o644) }
        try AtomicFile.write(archive(files), to: folder + ".xpi", mode: 0o644)
    }

    /// Returns a zip file without compression. Its records are a few numbers, so no library is needed.
    private static func archive(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var body: [UInt8] = []
        var index: [UInt8] = []
        for (name, bytes) in files {
            // Version, flags, no compression, a constant time and date, sum, sizes, length of the name, no extra field.
            let about =
                words(20, 0, 0, 0, 0x21) + longs(sum(bytes), UInt32(bytes.count), UInt32(bytes.count))
                + words(UInt16(name.utf8.count), 0)
            index +=
                longs(0x0201_4B50) + words(20) + about + words(0, 0, 0) + longs(0, UInt32(body.count))
                + name.utf8
            body += longs(0x0403_4B50) + about + Array(name.utf8) + bytes
        }
        let count = UInt16(files.count)
        return body + index + longs(0x0605_4B50) + words(0, 0, count, count)
            + longs(UInt32(index.count), UInt32(body.count)) + words(0)
    }

    private static func words(_ values: UInt16...) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    }

    private static func longs(_ values: UInt32...) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    }

    /// Returns the CRC-32 of zip.
    private static func sum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }
}
