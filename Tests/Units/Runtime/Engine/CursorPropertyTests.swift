import STContracts
import STEngine
import STPlatform
import STTestSupport
import Testing

@Suite("Cursors after crashes")
struct CursorPropertyTests {
    @Test(
        "After a crash at any point, the database has the effects of exactly the events up to the cursor",
        arguments: 0..<20
    )
    func crashes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var desk = try Desk()
        // Most events have no effect, as in a service that follows a busy stream.
        let texts = (1...400).map { Int.random(in: 0..<4, using: &random) == 0 ? "n\($0)" : "ignored" }
        var position = 0
        var crashes = 0
        for step in 0..<120 {
            let count = min(Int.random(in: 1...3, using: &random), texts.count - position)
            let events = (position..<(position + count)).map { Desk.event(Int64($0 + 1), texts[$0]) }
            let impossible = Desk.event(Int64(position + count + 1), "impossible")
            switch random.next() % 8 {
            case 0, 1, 2:
                _ = desk.store.run([.apply(subscription: 0, events)])
                position += count
            case 3:
                _ = desk.store.run([
                    try desk.add("own"), .apply(subscription: 0, events), try desk.add("refuse"),
                ])
                position += count
            case 4: _ = desk.store.run([.apply(subscription: 0, events + [impossible]), try desk.add("own")])
            case 5: _ = desk.store.run([try desk.add(Bool.random(using: &random) ? "own" : "refuse")])
            case 6: desk.store.checkpoint()
            default:
                if Bool.random(using: &random) { try desk.store.close() }
                desk = try Desk(scratch: desk.scratch)
                let saved = Int(try desk.store.cursor(of: 0)?.sequence ?? 0)
                let effects = texts.prefix(saved).filter { $0 != "ignored" }
                #expect(try desk.notes().filter { $0.hasPrefix("n") } == effects, "step \(step)")
                #expect(saved <= position, "step \(step)")
                position = saved
                crashes += 1
            }
        }
        #expect(crashes > 0 && position > 0)
    }
}
