import STContracts
import STDesktop
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("Shields on the screen: looks that are right for a while")
struct ShieldingLooksTests {
    private func game() -> ShieldingBench {
        var bench = ShieldingBench()
        bench.window("x11:2", ShieldingBench.game)
        bench.focus("x11:2")
        return bench
    }

    @Test("a look whose words are right until a moment is asked for anew then, and not counted again")
    func goodUntil() {
        var bench = game()
        bench.goodForMs = 3_600_000
        bench.shield()
        bench.settle()
        let shield = bench.shieldOf(ShieldingBench.game)?.shield
        let draws = bench.draws
        bench.looks = 0
        bench.wait(3_599_000)
        #expect(bench.looks == 0)
        bench.goodForMs = nil
        bench.title = "It is today by now"
        bench.wait(2_000)
        bench.settle()
        #expect(bench.looks == 1 && bench.shows == 1)
        #expect(bench.draws == draws + 1)
        #expect(bench.shieldOf(ShieldingBench.game)?.shield == shield)

        bench.wait(10 * 3_600_000)
        #expect(bench.looks == 1)
        #expect(bench.wrongs == [])
    }

    @Test("a change of policy while a cover stands is asked about once, within a second, and not counted")
    func policy() {
        var bench = game()
        bench.shield()
        bench.settle()
        bench.wait(5_000)
        bench.looks = 0
        bench.title = "A rule was edited"
        for number in 1...3 as ClosedRange<Int64> {
            bench.words[ShieldingBench.game]?.policy = number
            bench.showScene()
            bench.settle()
        }
        bench.wait(1_000)
        bench.settle()
        #expect(bench.looks == 2 && bench.shows == 1)
        let look = bench.director.apps[ShieldingBench.game]?.face.look?.view.look
        #expect(look?.title?.text == "A rule was edited")
        bench.wait(3_600_000)
        bench.settle()
        #expect(bench.looks == 2)
        #expect(bench.wrongs == [])
    }

    @Test("a cover beside the window in front shows no other rule's words, and asks for its own")
    func beside() {
        var bench = game()
        bench.shield()
        bench.settle()
        bench.lift()
        bench.settle()
        bench.window("x11:3", ShieldingBench.editor)
        bench.focus("x11:3")
        bench.looks = 0
        bench.title = "Another rule"
        bench.words[ShieldingBench.game] = ShieldWord(isShielded: true, by: "org.asks", store: "other")
        bench.showScene()
        #expect(bench.director.apps[ShieldingBench.game]?.face.look == nil)
        bench.settle()
        #expect(bench.looks == 1)
        #expect(bench.director.apps[ShieldingBench.game]?.face.look?.view.look.title?.text == "Another rule")

        // What is on the shelf is the first thing to be seen, and no more than that.
        bench.lift()
        bench.settle()
        bench.title = "Edited"
        bench.words[ShieldingBench.game] = ShieldWord(isShielded: true, by: "org.asks", store: "other")
        bench.showScene()
        #expect(bench.director.apps[ShieldingBench.game]?.face.look?.view.look.title?.text == "Another rule")
        bench.settle()
        #expect(bench.looks == 2)
        #expect(bench.director.apps[ShieldingBench.game]?.face.look?.view.look.title?.text == "Edited")
    }

    @Test("one that is right for no time at all is asked for now and then, and never once its cover is gone")
    func goodForNothing() {
        var bench = game()
        bench.goodForMs = -5
        bench.shield()
        bench.settle()
        func pass() -> Int {
            bench.looks = 0
            for _ in 0..<50 {
                bench.wait(2_000)
                bench.settle()
            }
            return bench.looks
        }
        #expect((5...10).contains(pass()))
        bench.lift()
        bench.settle()
        #expect(pass() == 0)
    }
}
