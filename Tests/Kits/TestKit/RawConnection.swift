import Glibc
import STPlatform

/// A plain stream connection to a unix socket, for bytes that are no ZeroMQ at all.
package final class RawConnection: Sendable {
    private let descriptor: OwnedDescriptor

    package init(_ path: String) throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw SystemError.last("socket") }
        descriptor = OwnedDescriptor(number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Problem("path.too_long", "\(path) is too long for a socket")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SystemError.last("connect") }
    }

    /// False once the other side has closed or takes no more.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            == bytes.count
    }

    /// Sends for as long as the other side takes; false when that was not all.
    @discardableResult
    package func sendAll(_ bytes: [UInt8], withinMs: Int64) -> Bool {
        let deadlineMs = Stopwatch.milliseconds() + withinMs
        var rest = bytes[...]
        while !rest.isEmpty {
            var item = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
            let leftMs = deadlineMs - Stopwatch.milliseconds()
            guard leftMs > 0, poll(&item, 1, Int32(clamping: leftMs)) > 0 else { return false }
            let count = rest.withUnsafeBytes {
                Glibc.send(
                    descriptor.number,
                    $0.baseAddress,
                    $0.count,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                )
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Whether these bytes came in time, among others.
    package func receives(_ wanted: [UInt8], withinMs: Int64) -> Bool {
        let deadlineMs = Stopwatch.milliseconds() + withinMs
        var seen: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while Readiness.wait(descriptor.number, withinMs: deadlineMs - Stopwatch.milliseconds()) {
            let count = recv(descriptor.number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return false }
            seen += buffer[..<count]
            let starts = seen.indices.dropLast(max(0, wanted.count - 1))
            if starts.contains(where: { seen[$0...].starts(with: wanted) }) { return true }
        }
        return false
    }

    /// Whether the other side closed in time; what it says meanwhile is read and let go.
    package func isClosed(withinMs: Int64) -> Bool {
        let deadlineMs = Stopwatch.milliseconds() + withinMs
        var buffer = [UInt8](repeating: 0, count: 4096)
        while Stopwatch.milliseconds() <= deadlineMs {
            let leftMs = deadlineMs - Stopwatch.milliseconds()
            guard Readiness.wait(descriptor.number, withinMs: leftMs) else { return false }
            let count = recv(descriptor.number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { return true }
        }
        return false
    }
}
