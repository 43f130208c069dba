import STContracts
import STDesktop
import Testing

@testable import STDesktopCore

@Suite("Shields on the screen: calls and recordings")
struct ShieldingCallTests {
    private let game = ShieldingBench.game

    @Test("a call under way is warned, and has its minute")
    func call() {
        var bench = ShieldingBench.shielded { $0.calls[game] = "Game uses the microphone." }
        #expect(bench.panes.count == 1)
        #expect(bench.notices.first?.body.contains("Game uses the microphone.") == true)
        bench.wait(ShieldHold.callMs - 1)
        bench.settle()
        #expect(bench.paused == [])
        bench.wait(1)
        bench.settle()
        #expect(bench.paused == [game])
        #expect(bench.notices.count == 1)
        #expect(bench.wrongs == [])
    }

    @Test("a call that begins later is warned of before the close, and another one before the end")
    func laterCalls() {
        var bench = ShieldingBench.shielded(ShieldSettings(escalation: .end, escalateAfterMs: 60_000))
        #expect(bench.paused == [game])
        bench.calls[game] = "Game uses the microphone."
        bench.wait(60_000)
        bench.settle()
        #expect(!bench.acts.contains(.askToClose(WindowID("x11:2"))))
        #expect(bench.notices.last?.title == "Game will be closed")
        #expect(
            bench.notices.last?.body.contains("Game uses the microphone. The app will be asked to close")
                == true
        )
        bench.wait(ShieldHold.callMs - 1)
        bench.settle()
        #expect(!bench.acts.contains(.askToClose(WindowID("x11:2"))))
        bench.calls[game] = nil
        bench.wait(1)
        bench.settle()
        #expect(bench.acts.contains(.askToClose(WindowID("x11:2"))))

        bench.calls[game] = "Game uses the camera."
        bench.wait(60_000)
        bench.settle()
        #expect(bench.ended == [])
        #expect(bench.notices.last?.title == "Game will be forced to close")
        bench.wait(ShieldHold.callMs - 1)
        bench.settle()
        #expect(bench.ended == [])
        bench.wait(1)
        bench.settle()
        #expect(bench.ended == [game])
        #expect(bench.notices.count { $0.id == "shield/call/\(game)" } == 2)
        #expect(bench.wrongs == [])
    }

    @Test("a call that begins while a menu is open has its minute before the pause too")
    func callBehindMenu() {
        var bench = ShieldingBench.shielded { $0.holds = false }
        bench.wait(30_000)
        bench.settle()
        bench.calls[game] = "Game uses the microphone."
        guard let pane = bench.pane else {
            Issue.record("no pane")
            return
        }
        bench.held.insert(pane)
        bench.tell(.pane(pane, .held(true, nil)))
        bench.settle()
        #expect(bench.paused == [])
        #expect(bench.notices.last?.id == "shield/call/\(game)")
        bench.wait(ShieldHold.callMs)
        bench.settle()
        #expect(bench.paused == [game])
        #expect(bench.wrongs == [])
    }
}
