import Glibc
import STCPlatform

/// The connections of a port that every machine of the network can reach, and which of them to close.
///
/// A connection is unknown until its peer has proved who it is. Only unknown connections are limited, and the oldest one of the address
/// with the most is closed first, so that idle connections of one machine never keep another machine out.
package struct DoorConnections: Sendable, Equatable {
    /// Unknown connections of all addresses, and of one.
    private let unknownMax: Int
    private let ofAddressMax: Int

    private struct Connection: Sendable, Equatable {
        var peer: SocketPeer
        var isKnown = false
        var dueMs: Int64
    }

    /// By descriptor.
    private var connections: [Int32: Connection] = [:]
    /// The unknown ones, oldest first.
    private var unknown: [String: [Int32]] = [:]
    package private(set) var unknownCount = 0

    package init(unknownMax: Int, ofAddressMax: Int) {
        self.unknownMax = unknownMax
        self.ofAddressMax = ofAddressMax
    }

    package var count: Int { connections.count }

    /// Adds a connection, and returns those to close.
    ///
    /// `dueMs`: when its peer must have proved who it is, or must have completed a request.
    package mutating func open(_ peer: SocketPeer, dueMs: Int64) -> [SocketPeer] {
        // The end of an earlier connection with this number was not reported.
        end(peer.descriptor)
        connections[peer.descriptor] = Connection(peer: peer, dueMs: dueMs)
        let address = peer.network
        unknown[address, default: []].append(peer.descriptor)
        unknownCount += 1
        var surplus: [SocketPeer] = []
        if unknown[address, default: []].count > ofAddressMax { surplus += takeOldest(of: address) }
        if unknownCount > unknownMax, let most = unknown.max(by: { $0.value.count < $1.value.count }) {
            surplus += takeOldest(of: most.key)
        }
        return surplus
    }

    private mutating func takeOldest(of address: String) -> [SocketPeer] {
        guard let oldest = unknown[address]?.first, let connection = connections[oldest] else { return [] }
        end(oldest)
        return [connection.peer]
    }

    /// The peer has proved who it is.
    package mutating func know(_ descriptor: Int32) {
        guard let connection = connections[descriptor], !connection.isKnown else { return }
        connections[descriptor]?.isKnown = true
        removeUnknown(descriptor, connection.peer.network)
    }

    package mutating func extend(_ descriptor: Int32, dueMs: Int64) { connections[descriptor]?.dueMs = dueMs }

    package mutating func end(_ descriptor: Int32) {
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

    /// The connections whose time is over.
    package func overdue(nowMs: Int64) -> [SocketPeer] {
        connections.values.filter { $0.dueMs <= nowMs }.map(\.peer)
    }
}

/// A connected TCP socket, and the other end.
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

    /// Nil if the socket is not connected by TCP.
    package init?(_ descriptor: Int32) {
        var address = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = Int(st_tcp_peer(descriptor, &address, &port))
        guard count > 0 else { return nil }
        self.init(descriptor: descriptor, network: TextFormat.hex(Array(address.prefix(count))), port: port)
    }

    /// Ends the connection. Whoever owns the descriptor notices that and closes it.
    package func shutDown() {
        // The number may belong to another connection by now.
        guard SocketPeer(descriptor) == self else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
