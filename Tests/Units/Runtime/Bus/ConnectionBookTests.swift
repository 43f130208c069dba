import STBus
import STPlatform
import STTestSupport
import Testing

@Suite("Connections to a socket")
struct ConnectionBookTests {
    private typealias Peer = PeerConnections.Peer

    @Test("Connections of one process are limited, and a closed one makes room")
    func process() {
        var book = PeerConnections()
        let peer = Peer(uid: 1000, pid: 7)
        let taken = (0..<1_500).count { book.add(Int32($0), of: peer) }
        #expect(taken == PeerConnections.processMax)
        book.remove(0)
        let (next, further) = (book.add(5_000, of: peer), book.add(5_001, of: peer))
        #expect(next && !further)
    }

    @Test("Connections of one account are limited, but each process can open a few")
    func account() {
        var book = PeerConnections()
        var descriptor: Int32 = 0
        func connect(_ uid: UInt32, _ pid: Int32, _ count: Int) -> Int {
            (0..<count).count { _ in
                descriptor += 1
                return book.add(descriptor, of: Peer(uid: uid, pid: pid))
            }
        }
        for pid in 0..<20 { _ = connect(1000, Int32(pid), 300) }
        #expect(book.count <= PeerConnections.accountMax + 20 * PeerConnections.fewOfProcess)
        let (few, other) = (connect(1000, 100, 10), connect(1001, 101, 10))
        #expect(few == PeerConnections.fewOfProcess && other == 10)
    }

    @Test("Connections are counted correctly in any order, also if a close was not reported")
    func random() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<50 {
            var book = PeerConnections()
            var open: [Int32: Peer] = [:]
            for _ in 0..<2_000 {
                let descriptor = Int32(random.number(0...400))
                if random.chance(percent: 40) {
                    book.remove(descriptor)
                    open[descriptor] = nil
                } else {
                    let peer = Peer(uid: UInt32(random.number(0...2)), pid: Int32(random.number(0...3)))
                    open[descriptor] = book.add(descriptor, of: peer) ? peer : nil
                }
                #expect(book.count == open.count)
            }
            for descriptor in open.keys { book.remove(descriptor) }
            #expect(book == PeerConnections())
        }
    }
}
