import STBus
import STPlatform
import STTestSupport
import Testing

@Suite("Connections to a socket")
struct ConnectionBookTests {
    private typealias Peer = ConnectionBook.Peer

    @Test("of one process are limited, and its end makes room")
    func process() {
        var book = ConnectionBook()
        let peer = Peer(uid: 1000, pid: 7)
        let taken = (0..<1_500).count { book.take(Int32($0), of: peer) }
        #expect(taken == ConnectionBook.processMax)
        book.end(0)
        let (next, further) = (book.take(5_000, of: peer), book.take(5_001, of: peer))
        #expect(next && !further)
    }

    @Test("of one account are limited, and a program with few is let in all the same")
    func account() {
        var book = ConnectionBook()
        var descriptor: Int32 = 0
        func connect(_ uid: UInt32, _ pid: Int32, _ count: Int) -> Int {
            (0..<count).count { _ in
                descriptor += 1
                return book.take(descriptor, of: Peer(uid: uid, pid: pid))
            }
        }
        for pid in 0..<20 { _ = connect(1000, Int32(pid), 300) }
        #expect(book.count <= ConnectionBook.accountMax + 20 * ConnectionBook.fewOfProcess)
        let (few, other) = (connect(1000, 100, 10), connect(1001, 101, 10))
        #expect(few == ConnectionBook.fewOfProcess && other == 10)
    }

    @Test("are counted right however they come and go, also where an end was not heard")
    func random() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<50 {
            var book = ConnectionBook()
            var open: [Int32: Peer] = [:]
            for _ in 0..<2_000 {
                let descriptor = Int32(random.number(0...400))
                if random.chance(percent: 40) {
                    book.end(descriptor)
                    open[descriptor] = nil
                } else {
                    let peer = Peer(uid: UInt32(random.number(0...2)), pid: Int32(random.number(0...3)))
                    open[descriptor] = book.take(descriptor, of: peer) ? peer : nil
                }
                #expect(book.count == open.count)
            }
            for descriptor in open.keys { book.end(descriptor) }
            #expect(book == ConnectionBook())
        }
    }
}
