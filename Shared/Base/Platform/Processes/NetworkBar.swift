import Glibc
import STCPlatform

/// What keeps a child from the network.
package enum NetworkBar: Sendable {
    /// Nobody wanted it.
    case open
    /// It is there, and tells of each try.
    case told(NetworkRefusals)
    /// It is there; this kernel tells of nothing.
    case silent
    /// The kernel refused it, with this reason.
    case failed(String)

    init(_ offline: st_spawn_offline) {
        if offline.problem != 0 {
            self = .failed(SystemError.text(offline.problem))
        } else if offline.refusals >= 0 {
            self = .told(NetworkRefusals(OwnedDescriptor(offline.refusals)))
        } else {
            self = .silent
        }
    }
}

/// The tries of a child to open what it may not, each of which waits for its refusal.
package final class NetworkRefusals: Sendable {
    /// Readable when the child waits.
    package let descriptor: OwnedDescriptor

    init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// Refuses one try; nil when it was given up meanwhile.
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
