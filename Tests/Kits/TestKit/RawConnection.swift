import Glibc
package import STPlatform
import STTestSupport

/// A stream connection to a Unix or TCP socket of this computer, for bytes of any protocol.
package final class RawConnection: Sendable {
    package let descriptor: OwnedDescriptor

    /// Connects to the Unix socket at `path`.
    package init(_ path: String) throws {
        descriptor = try Self.socket(AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Problem("path.too_long", verbatim: "\(path) is too long for a socket")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        try Self.call("connect", address: &address) { connect(descriptor.number, $0, $1) }
    }

    /// Connects to a TCP port of 127.0.0.1.
    package init(port: UInt16) throws {
        descriptor = try Self.socket(AF_INET)
        var address = Self.loopback(port)
        try Self.call("connect", address: &address) { connect(descriptor.number, $0, $1) }
    }

    /// A TCP port of 127.0.0.1 on which nothing listens.
    package static func freePort() throws -> UInt16 {
        let descriptor = try socket(AF_INET)
        var address = loopback(0)
        try call("bind", address: &address) { bind(descriptor.number, $0, $1) }
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try call("getsockname", address: &address) { name, _ in
            getsockname(descriptor.number, UnsafeMutablePointer(mutating: name), &size)
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The median time, in microseconds, from the connection attempt to the first byte from the other side.
    package static func p50Us(_ connect: () throws -> RawConnection) throws -> Int64 {
        let times = try (0..<40).map { _ in
            let start = Stopwatch.nanoseconds()
            let connection = try connect()
            var byte: UInt8 = 0
            guard Readiness.wait(connection.descriptor.number, withinMs: 5_000),
                read(connection.descriptor.number, &byte, 1) == 1
            else { throw NotYet("the socket closed a new connection, or sent nothing for 5 s") }
            return (Stopwatch.nanoseconds() - start) / 1_000
        }
        return times.sorted()[times.count / 2]
    }

    private static func socket(_ family: Int32) throws -> OwnedDescriptor {
        let number = Glibc.socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw SystemError.last("socket") }
        return OwnedDescriptor(number)
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    private static func call<Address>(
        _ name: String,
        address: inout Address,
        body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0 else { throw SystemError.last(name) }
    }

    /// Sends bytes. Returns false if the other side has closed or accepts no more.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            == bytes.count
    }

    /// Sends for as long as the other side accepts. Returns false if that was not everything.
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

    /// Returns true if these bytes arrived in time, among others.
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

    /// Returns true if the other side closed in time. Its output until then is discarded.
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
