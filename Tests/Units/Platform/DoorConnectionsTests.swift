import Glibc
import STPlatform
import STTestSupport
import Testing

@Suite("Connections from the network")
struct DoorConnectionsTests {
    private static func peer(_ descriptor: Int32, _ network: String) -> SocketPeer {
        SocketPeer(descriptor: descriptor, network: network, port: 9)
    }

    @Test("Beyond a limit, the oldest connection of the busiest address is closed, but no authenticated one")
    func surplus() {
        var door = ConnectionLimiter(unknownMax: 6, ofAddressMax: 4)
        #expect(door.add(Self.peer(1, "innocent"), dueMs: 1).isEmpty)
        #expect(door.add(Self.peer(2, "known"), dueMs: 1).isEmpty)
        door.markKnown(2)
        let flood = (10..<16).flatMap { door.add(Self.peer($0, "flood"), dueMs: 1).map(\.descriptor) }
        #expect(flood == [10, 11])
        // Another address fills the remaining room.
        let second = (20..<24).flatMap { door.add(Self.peer($0, "second"), dueMs: 1).map(\.descriptor) }
        #expect(second.count == 3 && second.allSatisfy { $0 >= 10 })
        #expect(door.unknownCount == 6 && door.count == 7)
        door.remove(1)
        door.remove(1)
        #expect(door.unknownCount == 5)
    }

    @Test("A connection is overdue once its deadline passes, and an extended deadline passes later")
    func deadlines() {
        var door = ConnectionLimiter(unknownMax: 6, ofAddressMax: 4)
        _ = door.add(Self.peer(1, "a"), dueMs: 10)
        _ = door.add(Self.peer(2, "a"), dueMs: 10)
        door.extend(2, dueMs: 20)
        #expect(door.overdue(nowMs: 9).isEmpty)
        #expect(door.overdue(nowMs: 10).map(\.descriptor) == [1])
        #expect(Set(door.overdue(nowMs: 20).map(\.descriptor)) == [1, 2])
    }

    @Test("Connections stay within their limits for random sequences of events")
    func random() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<TestScale.count(50, soak: 1_000) {
            var door = ConnectionLimiter(unknownMax: 20, ofAddressMax: 8)
            var open: [Int32: String] = [:]
            var known: Set<Int32> = []
            for _ in 0..<500 {
                let descriptor = Int32(random.number(0...60))
                switch random.number(0...9) {
                case 0...5:
                    let network = "\(random.number(0...5))"
                    known.remove(descriptor)
                    open[descriptor] = network
                    for peer in door.add(Self.peer(descriptor, network), dueMs: 0) {
                        #expect(!known.contains(peer.descriptor) && open[peer.descriptor] == peer.network)
                        open[peer.descriptor] = nil
                    }
                case 6, 7:
                    door.remove(descriptor)
                    known.remove(descriptor)
                    open[descriptor] = nil
                default:
                    door.markKnown(descriptor)
                    if open[descriptor] != nil { known.insert(descriptor) }
                }
                let unknown = open.filter { !known.contains($0.key) }
                #expect(door.count == open.count && door.unknownCount == unknown.count)
                #expect(unknown.count <= 20)
                #expect(Dictionary(grouping: unknown.values) { $0 }.values.allSatisfy { $0.count <= 8 })
            }
        }
    }

    @Test("Shutting down a connection does not affect another socket that now has its descriptor")
    func reused() throws {
        // A Unix socket is not a connection from the network.
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { for number in pair { close(number) } }
        #expect(SocketPeer(pair[0]) == nil)
        Self.peer(pair[0], "7f000001").shutDown()
        #expect(write(pair[0], "x", 1) == 1)
    }
}
