/// The connections of one socket, with limits for each process and account.
///
/// A program that opens connections without end must not take the room of others.
package struct PeerConnections: Sendable, Equatable {
    /// Upper bounds on the connections of one process, of one account, and of all together.
    package static let processMax = 200
    package static let accountMax = 1_000
    package static let allMax = 3_000
    /// A process with fewer connections than `fewOfProcess` is admitted until its account has `accountMaxOfFew`.
    package static let fewOfProcess = 4
    package static let accountMaxOfFew = 2_000

    package struct Peer: Sendable, Hashable {
        package var uid: UInt32
        package var pid: Int32

        package init(uid: UInt32, pid: Int32) {
            self.uid = uid
            self.pid = pid
        }
    }

    /// The peers, by the descriptor of the connection.
    private var peers: [Int32: Peer] = [:]
    private var processCounts: [Peer: Int] = [:]
    private var accountCounts: [UInt32: Int] = [:]

    package init() {}

    package var count: Int { peers.count }

    /// Registers a new connection. Returns false if it is over a limit and must be closed. It is not counted then.
    package mutating func add(_ descriptor: Int32, of peer: Peer) -> Bool {
        // The end of an earlier connection with this number was not reported.
        remove(descriptor)
        let process = processCounts[peer, default: 0]
        let accountMax = process < Self.fewOfProcess ? Self.accountMaxOfFew : Self.accountMax
        let isFree = accountCounts[peer.uid, default: 0] < accountMax
        guard peers.count < Self.allMax, process < Self.processMax, isFree else { return false }
        peers[descriptor] = peer
        processCounts[peer, default: 0] += 1
        accountCounts[peer.uid, default: 0] += 1
        return true
    }

    package mutating func remove(_ descriptor: Int32) {
        guard let peer = peers.removeValue(forKey: descriptor) else { return }
        processCounts[peer] = processCounts[peer].flatMap { $0 > 1 ? $0 - 1 : nil }
        accountCounts[peer.uid] = accountCounts[peer.uid].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
