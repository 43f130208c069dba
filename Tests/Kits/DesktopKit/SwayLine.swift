import Glibc
import STPlatform
import STTestSupport

/// A connection to sway's own socket, for commands whose timing matters: no process is started for them.
package final class SwayLine {
    private let socket: OwnedDescriptor

    package init(_ sway: Sway) throws {
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw SystemError.last("socket") }
        socket = OwnedDescriptor(number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array((sway.environment["SWAYSOCK"] ?? "").utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw NotYet("the path of its socket is too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SystemError.last("connect to sway") }
    }

    /// Sends a command. Returns the boot times in microseconds just before it was sent and when it was done.
    @discardableResult
    package func command(_ words: String) throws -> (fromUs: Int64, toUs: Int64) {
        let fromUs = Stopwatch.bootMicroseconds()
        let payload = Array(words.utf8)
        var frame = Array("i3-ipc".utf8)
        for value in [UInt32(payload.count), 0] {
            withUnsafeBytes(of: value) { frame += $0 }
        }
        frame += payload
        guard send(socket.number, frame, frame.count, Int32(MSG_NOSIGNAL)) == frame.count else {
            throw SystemError.last("send to sway")
        }
        let head = try receive(14)
        let length = head[6..<10].reversed().reduce(0) { $0 << 8 | Int($1) }
        let answer = try receive(length)
        let toUs = Stopwatch.bootMicroseconds()
        let text = String(decoding: answer, as: UTF8.self)
        guard !text.contains("\"success\": false"), !text.contains("\"success\":false") else {
            throw NotYet("\(words): \(text)")
        }
        return (fromUs, toUs)
    }

    private func receive(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard Readiness.wait(socket.number, withinMs: 10_000) else { throw NotYet("sway says nothing") }
            var buffer = [UInt8](repeating: 0, count: min(count - bytes.count, 65_536))
            let got = recv(socket.number, &buffer, buffer.count, 0)
            guard got > 0 else { throw SystemError.last("recv from sway") }
            bytes += buffer[..<got]
        }
        return bytes
    }
}
