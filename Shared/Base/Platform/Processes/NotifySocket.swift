import Glibc
import STCPlatform

/// The receiving end of sd_notify, to which services report that they are ready.
package final class NotifySocket: Sendable {
    package let path: String
    private let owned: OwnedDescriptor
    private let mark: FileMark?
    /// The same limit as systemd's.
    private static let datagramBytesMax = 4096

    /// Creates the socket and replaces any file at the path, which the holder of the instance lock owns.
    package init(path: String) throws(Problem) {
        self.path = try Directories.checkedSocket(path)
        unlink(path)
        let result = st_notify_open(path)
        guard result >= 0 else { throw FileProblem.make(.bind, path: path, number: -result) }
        owned = OwnedDescriptor(result)
        mark = FileMark(path)
    }

    /// True while this socket is at the path.
    package var exists: Bool { FileMark(path) == mark }

    package var descriptor: Int32 { owned.number }

    /// The next datagram and its sender. `nil` if none is waiting. Datagrams of other accounts are skipped.
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

/// A service's message to its supervisor, in the format of sd_notify(3).
package struct NotifyMessage: Sendable, Equatable {
    /// The sender, as the kernel reports it.
    package var pid: Int32
    /// The sender's process group, or -1 if it has ended. A helper such as `systemd-notify` sends for its group.
    package var group: Int32
    package var isReady = false
    package var feedsWatchdog = false
    package var status: String?
    /// The extra time that the service requests before it is ready.
    package var extendsByMs: Int64?

    /// A status is one line for people. A longer one is cut.
    private static let statusCharactersMax = 256
    private static let extensionMsMax: Int64 = 600_000

    init(text: String, pid: Int32, group: Int32) {
        self.pid = pid
        self.group = group
        for line in text.split(separator: "\n") {
            switch line {
            case "READY=1": isReady = true
            case "WATCHDOG=1": feedsWatchdog = true
            default:
                guard let mark = line.firstIndex(of: "=") else { continue }
                let value = line[line.index(after: mark)...]
                switch line[..<mark] {
                case "STATUS": status = String(value.prefix(Self.statusCharactersMax))
                case "EXTEND_TIMEOUT_USEC":
                    extendsByMs = Int64(value).flatMap { $0 > 0 ? min($0 / 1_000, Self.extensionMsMax) : nil }
                default: continue
                }
            }
        }
    }
}

/// The progress of a slow start, in which a service converts the records of an earlier version.
package struct StartProgress: Sendable, Equatable {
    private static let statusPrefix = " % of its records are updated"
    /// The longest time between two reports.
    package static let timeoutMs: Int64 = 300_000

    package var done: Int64
    package var total: Int64

    package init(done: Int64, all: Int64) {
        self.done = done
        self.total = all
    }

    /// Fails if the status is not a progress report.
    package init?(status: String) {
        guard status.hasSuffix(Self.statusPrefix),
            let percent = Int64(status.dropLast(Self.statusPrefix.count)),
            (0...100).contains(percent)
        else { return nil }
        self.init(done: percent, all: 100)
    }

    package var percent: Int64 { total > 0 ? done * 100 / total : 0 }
    package var status: String { "\(percent)\(Self.statusPrefix)" }
}
