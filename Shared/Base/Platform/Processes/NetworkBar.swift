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

    init(_ offline: st_spawn_offline) {
        if offline.problem != 0 {
            self = .failed(SystemError.text(offline.problem))
        } else if offline.refusals >= 0 {
            self = .reporting(NetworkRefusals(OwnedDescriptor(offline.refusals)))
        } else {
            self = .silent
        }
    }
}

/// A child's tries to open a forbidden socket; each try waits until `next` refuses it.
package final class NetworkRefusals: Sendable {
    /// Readable when a try waits for its refusal.
    package let descriptor: OwnedDescriptor

    init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// Refuses one try; nil when the child has given it up meanwhile.
    package func next() -> Refusal? {
        var family: Int32 = 0
        guard st_refusal_next(descriptor.number, &family) == 0 else { return nil }
        return Refusal(family: family)
    }

    /// A socket that was not opened.
    package struct Refusal: Sendable, Equatable {
        package var family: Int32

        /// For sentences.
        package var words: String {
            switch family {
            case AF_INET: "a network socket (IPv4)"
            case AF_INET6: "a network socket (IPv6)"
            case AF_NETLINK: "a socket to the kernel (netlink)"
            case AF_PACKET: "a socket for raw packets"
            default: "a socket of family \(family)"
            }
        }
    }
}
