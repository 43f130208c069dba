import Glibc
import STCPlatform

/// The connections of a port that every machine of the network can reach. Selects the connections to close.
///
/// A connection is unknown until its peer has authenticated. Only unknown connections are limited. Beyond a limit, the oldest
/// unknown connection of the address that has the most is closed. Idle connections of one machine therefore never block another
/// machine.
package struct ConnectionLimiter: Sendable, Equatable {
    /// The maximum number of unknown connections of all addresses, and of one address.
    private let unknownMax: Int
    private let ofAddressMax: Int

    private struct Connection: Sendable, Equatable {
        var peer: SocketPeer
        var isKnown = false
        var dueMs: Int64
    }

    /// All open connections, by descriptor.
    private var connections: [Int32: Connection] = [:]
    /// The descriptors of the unknown connections of each address, oldest first.
    private var unknown: [String: [Int32]] = [:]
    package private(set) var unknownCount = 0

    package init(unknownMax: Int, ofAddressMax: Int) {
        self.unknownMax = unknownMax
        self.ofAddressMax = ofAddressMax
    }

    package var count: Int { connections.count }

    /// Adds a connection, and returns the connections to close.
    ///
    /// `dueMs`: the deadline for its peer to authenticate or to complete a request.
    package mutating func add(_ peer: SocketPeer, dueMs: Int64) -> [SocketPeer] {
        // The end of an earlier connection with this descriptor may not have been reported.
        remove(peer.descriptor)
        connections[peer.descriptor] = Connection(peer: peer, dueMs: dueMs)
        let address = peer.network
        unknown[address, default: []].append(peer.descriptor)
        unknownCount += 1
        var surplus: [SocketPeer] = []
        if unknown[address, default: []].count > ofAddressMax { surplus += removeOldest(of: address) }
        if unknownCount > unknownMax, let most = unknown.max(by: { $0.value.count < $1.value.count }) {
            surplus += removeOldest(of: most.key)
        }
        return surplus
    }

    private mutating func removeOldest(of address: String) -> [SocketPeer] {
        guard let oldest = unknown[address]?.first, let connection = connections[oldest] else { return [] }
        remove(oldest)
        return [connection.peer]
    }

    /// Marks a connection as known, because its peer has authenticated.
    package mutating func markKnown(_ descriptor: Int32) {
        guard let connection = connections[descriptor], !connection.isKnown else { return }
        connections[descriptor]?.isKnown = true
        removeUnknown(descriptor, connection.peer.network)
    }

    package mutating func extend(_ descriptor: Int32, dueMs: Int64) { connections[descriptor]?.dueMs = dueMs }

    package mutating func remove(_ descriptor: Int32) {
        guard let connection = connections.removeValue(forKey: descriptor), !connection.isKnown else {
            return
        }
        removeUnknown(descriptor, connection.peer.network)
    }

    private mutating func removeUnknown(_ descriptor: Int32, _ address: String) {
        unknown[address]?.removeAll { $0 == descriptor }
        if unknown[address]?.isEmpty == true { unknown[address] = nil }
        unknownCount -= 1
    }

    /// The connections whose deadline has passed.
    package func overdue(nowMs: Int64) -> [SocketPeer] {
        connections.values.filter { $0.dueMs <= nowMs }.map(\.peer)
    }
}

/// A connected TCP socket, and the address of its peer.
package struct SocketPeer: Sendable, Equatable {
    package var descriptor: Int32
    /// The IPv4 address, or the first half of the IPv6 address. A machine chooses the other half itself.
    package var network: String
    package var port: UInt16

    package init(descriptor: Int32, network: String, port: UInt16) {
        self.descriptor = descriptor
        self.network = network
        self.port = port
    }

    /// Fails if the socket is not connected by TCP.
    package init?(_ descriptor: Int32) {
        var address = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = Int(st_tcp_peer(descriptor, &address, &port))
        guard count > 0 else { return nil }
        self.init(descriptor: descriptor, network: TextFormat.hex(Array(address.prefix(count))), port: port)
    }

    /// Shuts down the connection. The owner of the descriptor detects that and closes the descriptor.
    package func shutDown() {
        // The descriptor may belong to another connection by now.
        guard SocketPeer(descriptor) == self else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
