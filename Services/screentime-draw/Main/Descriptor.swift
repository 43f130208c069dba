import Glibc
import STPlatform

/// Waiting for descriptors, with an end to it.
enum Descriptor {
    /// False when the moment comes first.
    static func isReadable(_ number: Int32, by deadlineMs: Int64) -> Bool {
        while true {
            var item = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            let rest = max(0, deadlineMs - Stopwatch.milliseconds())
            let count = poll(&item, 1, Int32(clamping: rest))
            if count < 0 && errno == EINTR { continue }
            return count > 0
        }
    }

    /// Appends what is there; false at the end of it.
    static func readSome(_ number: Int32, into bytes: inout [UInt8], atMost: Int = 64 * 1024) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: atMost, alignment: 1) { part in
            var count = Glibc.read(number, part.baseAddress, part.count)
            while count < 0 && errno == EINTR { count = Glibc.read(number, part.baseAddress, part.count) }
            guard count > 0 else { return false }
            bytes += part[..<count]
            return true
        }
    }

    /// Exactly so many bytes; nil when they do not come in time.
    static func read(_ number: Int32, count: Int, by deadlineMs: Int64) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard isReadable(number, by: deadlineMs),
                readSome(number, into: &bytes, atMost: min(64 * 1024, count - bytes.count))
            else { return nil }
        }
        return bytes
    }
}
