import Glibc
import STPlatform

/// Writes bytes to a descriptor; who no longer reads them gets none.
enum Output {
    @discardableResult
    static func write(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            offset += count
        }
        return true
    }

    /// Refuses what is no place for a picture.
    static func check(_ path: String) throws(Problem) {
        guard path == "-" || path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw Problem(
                "draw.bad_path",
                "The output is an absolute path, or - for standard output.",
                field: "/output"
            )
        }
    }

    /// The picture itself; whether it went to standard output, where the answer then has no place.
    static func put(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o644) throws(Problem) -> Bool {
        if path == "-" {
            guard write(bytes, STDOUT_FILENO) else {
                throw Problem("draw.not_written", "Nobody read the picture to its end.")
            }
            return true
        }
        try AtomicFile.write(bytes, to: path, mode: mode, durable: false)
        return false
    }
}
