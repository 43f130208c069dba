import STContracts
import STDesktop
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("Renewal of shield appearances")
struct ShieldingLooksTests {
    private func game() -> ShieldingBench {
        var bench = ShieldingBench()
        bench.window("x11:2", ShieldingBench.game)
        bench.focus("x11:2")
        return bench
    }

    @Test("An expired appearance of a shield is requested again once, and the shield is not counted again")
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

    @Test("Three policy changes within a second under a shield cause two requests and count no new shield")
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
        let look = bench.director.apps[ShieldingBench.game]?.presentation.appearance?.view.look
        #expect(look?.title?.text == "A rule was edited")
        bench.wait(3_600_000)
        bench.settle()
        #expect(bench.looks == 2)
        #expect(bench.wrongs == [])
    }

    @Test("A background shield shows no other rule's appearance, and requests its own")
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
        bench.words[ShieldingBench.game] = ShieldStatus(isShielded: true, by: "org.asks", store: "other")
        bench.showScene()
        #expect(bench.director.apps[ShieldingBench.game]?.presentation.appearance == nil)
        bench.settle()
        #expect(bench.looks == 1)
        #expect(
            bench.director.apps[ShieldingBench.game]?.presentation.appearance?.view.look.title?.text
                == "Another rule"
        )

        // The cached look is shown first, and only then.
        bench.lift()
        bench.settle()
        bench.title = "Edited"
        bench.words[ShieldingBench.game] = ShieldStatus(isShielded: true, by: "org.asks", store: "other")
        bench.showScene()
        #expect(
            bench.director.apps[ShieldingBench.game]?.presentation.appearance?.view.look.title?.text
                == "Another rule"
        )
        bench.settle()
        #expect(bench.looks == 2)
        #expect(
            bench.director.apps[ShieldingBench.game]?.presentation.appearance?.view.look.title?.text
                == "Edited"
        )
    }

    @Test("An expired appearance is requested at most ten times in 100 s, and not after its cover closes")
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
