import Foundation
import STPlatform

/// Pictures as Foundation hands them over.
extension PictureHead {
    /// In front of the size of a JPEG there may be a small picture and words about the camera.
    static let bytesMax = 256 * 1024

    /// Nil for what is neither a PNG nor a JPEG with a size.
    init?(_ data: Data) {
        self.init([UInt8](data.prefix(Self.bytesMax)))
        guard width > 0, height > 0 else { return nil }
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
}
