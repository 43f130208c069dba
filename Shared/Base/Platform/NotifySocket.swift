import Glibc
import STCPlatform

/// The receiving end of sd_notify: where services say that they are ready.
package final class NotifySocket: Sendable {
    package let path: String
    private let owned: OwnedDescriptor
    /// systemd takes no more either.
    private static let datagramBytesMax = 4096

    /// Replaces what is at the path: whoever holds the instance lock owns it.
    package init(path: String) throws(Problem) {
        self.path = try Directories.checkedSocket(path)
        unlink(path)
        let result = st_notify_open(path)
        guard result >= 0 else { throw FileProblem.make("bind", path, -result) }
        owned = OwnedDescriptor(result)
    }

    package var descriptor: Int32 { owned.number }

    /// The next datagram and who sent it, or nil when none is waiting.
    ///
    /// One from another user is left out.
    package func receive() -> NotifyMessage? {
        while true {
            var buffer = [UInt8](repeating: 0, count: Self.datagramBytesMax)
            var pid: pid_t = 0
            var uid: uid_t = 0
            let count = st_notify_receive(descriptor, &buffer, Int32(buffer.count), &pid, &uid)
            guard count >= 0 else { return nil }
            guard pid > 0, uid == geteuid() || uid == 0 else { continue }
            return NotifyMessage(
                text: String(decoding: buffer[..<Int(count)], as: UTF8.self),
                pid: pid,
                group: getpgid(pid)
            )
        }
    }
}
