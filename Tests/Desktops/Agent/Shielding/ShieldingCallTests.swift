import STContracts
import STDesktop
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("Shields during calls and recordings")
struct ShieldingCallTests {
    private let game = ShieldingBench.game

    @Test("An app in a call is paused one minute after a warning")
    func call() {
        var bench = ShieldingBench.shielded { $0.calls[game] = "Game uses the microphone." }
        #expect(bench.panes.count == 1)
        #expect(bench.notices.first?.body.contains("Game uses the microphone.") == true)
        bench.wait(ShieldEnforcement.callTimeout.ms - 1)
        bench.settle()
        #expect(bench.paused == [])
        bench.wait(1)
        bench.settle()
        #expect(bench.paused == [game])
        #expect(bench.notices.count == 1)
        #expect(bench.wrongs == [])
    }

    @Test("A call that begins later delays the close request by a minute, and another call the forced close")
    func laterCalls() {
        var bench = ShieldingBench.shielded(
            ShieldSettings(escalation: .end, escalateAfter: .milliseconds(60_000))
        )
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
        bench.wait(ShieldEnforcement.callTimeout.ms - 1)
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
        bench.wait(ShieldEnforcement.callTimeout.ms - 1)
        bench.settle()
        #expect(bench.ended == [])
        bench.wait(1)
        bench.settle()
        #expect(bench.ended == [game])
        #expect(bench.notices.count { $0.id == "shield/call/\(game)" } == 2)
        #expect(bench.wrongs == [])
    }

    @Test("A call that begins while a menu is open delays the pause by a minute")
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
        bench.wait(ShieldEnforcement.callTimeout.ms)
        bench.settle()
        #expect(bench.paused == [game])
        #expect(bench.wrongs == [])
    }
}
