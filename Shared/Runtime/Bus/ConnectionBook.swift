/// The connections of one socket, with limits for each process and account.
///
/// A program that opens connections without end must not take the room of others.
package struct ConnectionBook: Sendable, Equatable {
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
    private var ofProcess: [Peer: Int] = [:]
    private var ofAccount: [UInt32: Int] = [:]

    package init() {}

    package var count: Int { peers.count }

    /// Registers a new connection. Returns false if it is over a limit and must be closed. It is not counted then.
    package mutating func take(_ descriptor: Int32, of peer: Peer) -> Bool {
        // The end of an earlier connection with this number was not reported.
        end(descriptor)
        let process = ofProcess[peer, default: 0]
        let accountMax = process < Self.fewOfProcess ? Self.accountMaxOfFew : Self.accountMax
        let isFree = ofAccount[peer.uid, default: 0] < accountMax
        guard peers.count < Self.allMax, process < Self.processMax, isFree else { return false }
        peers[descriptor] = peer
        ofProcess[peer, default: 0] += 1
        ofAccount[peer.uid, default: 0] += 1
        return true
    }

    package mutating func end(_ descriptor: Int32) {
        guard let peer = peers.removeValue(forKey: descriptor) else { return }
        ofProcess[peer] = ofProcess[peer].flatMap { $0 > 1 ? $0 - 1 : nil }
        ofAccount[peer.uid] = ofAccount[peer.uid].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
