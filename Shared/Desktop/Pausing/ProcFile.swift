import Glibc
import STPlatform

/// Small files below /proc and the cgroups: read whole, or not at all.
enum ProcFile {
    /// What a file of the kernel's is read with at most; lists of processes are the longest.
    static let bytesMax = 256 * 1024

    static func bytes(_ path: String, limit: Int = bytesMax) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return nil }
        let owned = OwnedDescriptor(number)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < limit {
            let count = read(owned.number, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    static func text(_ path: String, limit: Int = bytesMax) -> String? {
        bytes(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Where a link leads, as it is written.
    static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Writes one short value; the errno when that fails, else 0.
    static func write(_ text: String, to path: String) -> Int32 {
        let number = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return errno }
        let owned = OwnedDescriptor(number)
        let bytes = Array(text.utf8)
        return Glibc.write(owned.number, bytes, bytes.count) == bytes.count ? 0 : errno
    }
}
