import Glibc
import STCPlatform

/// The state of a child process's network restriction.
package enum NetworkRestriction: Sendable {
    /// The plan requested no restriction.
    case open
    /// The network is blocked, and the kernel reports each attempt.
    case reporting(NetworkRefusals)
    /// The network is blocked. This kernel cannot report attempts.
    case silent
    /// The kernel could not block the network, for this reason.
    case failed(String)

    init(_ offline: st_spawn_offline, pid: Int32, pidfd: OwnedDescriptor, endpoint: String) {
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

/// A child's attempts to open sockets. Each attempt waits until `next` has decided it.
package final class NetworkRefusals: Sendable {
    /// Readable while an attempt waits.
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

    /// Decides one attempt. An attempt to reach the child's endpoint is connected by this process, so the kernel reports this
    /// process as the peer.
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
        /// The child has abandoned the attempt meanwhile.
        case gone
    }

    /// A connection that was refused.
    package struct Refusal: Sendable, Equatable {
        package var family: Int32
        /// The path of a Unix socket on this machine.
        package var path = ""

        /// A description for sentences.
        package var description: String {
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
