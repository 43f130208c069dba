import Glibc
import STCPlatform

/// What keeps a child from the network.
package enum NetworkBar: Sendable {
    /// The plan asked for no bar.
    case open
    /// The network is barred, and the kernel reports each try.
    case reporting(NetworkRefusals)
    /// The network is barred; this kernel cannot report tries.
    case silent
    /// The kernel could not bar it, for this reason.
    case failed(String)

    init(_ offline: st_spawn_offline, _ pid: Int32, _ pidfd: OwnedDescriptor, endpoint: String) {
        if offline.problem != 0 {
            self = .failed(SystemError.text(offline.problem).english)
        } else if offline.refusals >= 0 {
            self = .reporting(
                NetworkRefusals(OwnedDescriptor(offline.refusals), pid: pid, pidfd, endpoint: endpoint)
            )
        } else {
            self = .silent
        }
    }
}

/// A child's tries to reach others; each waits until `next` has decided it.
package final class NetworkRefusals: Sendable {
    /// Readable when a try waits.
    package let descriptor: OwnedDescriptor
    private let pid: Int32
    private let pidfd: OwnedDescriptor
    private let endpoint: String

    init(_ descriptor: OwnedDescriptor, pid: Int32, _ pidfd: OwnedDescriptor, endpoint: String) {
        self.descriptor = descriptor
        self.pid = pid
        self.pidfd = pidfd
        self.endpoint = endpoint
    }

    /// Decides one try: to reach the child's endpoint, it is connected, as whom the kernel then names this process.
    package func next() -> Decision {
        var refusal = st_refusal()
        let result = st_refusal_next(descriptor.number, pid, pidfd.number, endpoint, &refusal)
        guard result == 1 else { return result == 0 ? .connected : .gone }
        let path = withUnsafeBytes(of: refusal.path) { bytes in
            // An abstract name begins with a zero.
            let name = bytes.first == 0 ? bytes.dropFirst() : bytes[...]
            return (bytes.first == 0 && name.first != 0 ? "@" : "")
                + String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        }
        return .refused(Refusal(family: refusal.family, path: path))
    }

    package enum Decision: Sendable, Equatable {
        case connected
        case refused(Refusal)
        /// The child has given it up meanwhile.
        case gone
    }

    /// What was not opened.
    package struct Refusal: Sendable, Equatable {
        package var family: Int32
        /// Of a socket of this machine.
        package var path = ""

        /// For sentences.
        package var words: String {
            switch family {
            case AF_INET: "a network socket (IPv4)"
            case AF_INET6: "a network socket (IPv6)"
            case AF_NETLINK: "a socket to the kernel (netlink)"
            case AF_PACKET: "a socket for raw packets"
            case AF_UNIX: "a socket of another program (\(path.isEmpty ? "without a name" : path))"
            default: "a socket of family \(family)"
            }
        }
    }
}
