import STDesktop
import STScreen
import Testing

@Suite("Acts that wait for the compositor")
struct WaitingActsTests {
    @Test("more than can wait are left out, but every pane is closed")
    func closing() {
        var waiting = WaitingActs()
        waiting.add((0..<WaitingActs.actsMax).map { .holdInput(PaneID("pane:\($0)")) })
        waiting.add([.activate(nil), .closePane(PaneID("one")), .activate(nil), .closePane(PaneID("two"))])

        let acts = waiting.take()

        #expect(acts.count == WaitingActs.actsMax + 2)
        #expect(Array(acts.suffix(2)) == [.closePane(PaneID("one")), .closePane(PaneID("two"))])
        #expect(waiting.take() == [])
    }
}
