import STContracts
import STDesktop
import STPlatform
import STServiceKit
import STTestSupport
import Testing

@testable import STDesktopCore
@testable import desktop_agent

@Suite("Shields when the display or the app misbehaves")
struct ShieldingDoubtTests {
    private let game = ShieldingBench.game

    private func holdsAsked(_ bench: ShieldingBench) -> Int {
        bench.acts.count { if case .holdInput = $0 { true } else { false } }
    }

    @Test("After a refused pause, input is held again before the next attempt")
    func oldPromise() {
        var bench = ShieldingBench()
        bench.window("x11:2", game)
        bench.focus("x11:2")
        bench.shield()
        func isPause(_ order: ShieldEffect) -> Bool { if case .pause = order { true } else { false } }
        for _ in 0..<20 where !bench.pending.contains(where: isPause) {
            bench.mapPanes()
            bench.answerHolds()
            let orders = bench.pending
            bench.pending = []
            for order in orders {
                if isPause(order) { bench.pending.append(order) } else { bench.answer(order) }
            }
        }
        bench.pending = []
        bench.forget()
        bench.tell(.paused(app: game, .refused(Message(verbatim: "not now"))))
        bench.wait(ShieldEnforcement.pauseRetryDelay.ms + 1)
        let verdicts = bench.pending
        bench.pending = []
        for order in verdicts { bench.answer(order) }
        bench.wait(10)
        #expect(holdsAsked(bench) == 1)
        #expect(!bench.orders.contains(where: isPause))
        bench.settle()
        #expect(bench.paused == [game])
        #expect(bench.wrongs == [])
    }

    @Test("An app that is shielded again before its release has its input held again and is paused")
    func shieldedAgain() {
        var bench = ShieldingBench.shielded()
        bench.lift()
        bench.shield()
        bench.forget()
        bench.settle()
        #expect(bench.paused == [game])
        #expect(
            bench.orders.contains {
                if case .screen(let acts) = $0 {
                    acts.contains { if case .holdInput = $0 { true } else { false } }
                } else {
                    false
                }
            }
        )
        #expect(bench.wrongs == [])
    }

    @Test("A dialog opened by a close request stays uncovered for a minute, and then the app is ended")
    func question() {
        var bench = ShieldingBench.shielded(
            ShieldSettings(escalation: .end, escalateAfter: .milliseconds(10_000))
        )
        bench.wait(10_001)
        bench.settle()
        #expect(bench.shieldOf(game)?.stage == .closing)
        bench.window("x11:7", game)
        bench.focus("x11:7")
        bench.settle()
        #expect(!bench.panes.values.contains(WindowID("x11:7")))
        bench.wait(40_000)
        bench.settle()
        #expect(bench.ended == [])
        #expect(!bench.panes.values.contains(WindowID("x11:7")))
        bench.wait(30_000)
        bench.settle()
        #expect(bench.ended == [game])
        #expect(bench.panes.values.contains(WindowID("x11:7")))
        #expect(bench.wrongs == [])
    }

    @Test("An app that does not close within a minute is covered and paused again, including its new dialog")
    func stayedOpen() {
        var bench = ShieldingBench.shielded(
            ShieldSettings(escalation: .close, escalateAfter: .milliseconds(10_000))
        )
        bench.wait(10_001)
        bench.settle()
        bench.window("x11:7", game)
        bench.focus("x11:7")
        bench.settle()
        #expect(bench.panes.count == 1)
        bench.wait(60_001)
        bench.settle()
        #expect(bench.panes.count == 2)
        #expect(bench.paused == [game])
        #expect(bench.wrongs == [])
    }

    @Test(
        "If the display stops responding, a covered app is resumed and paused again after ever longer waits"
    )
    func silent() {
        var bench = ShieldingBench.shielded()
        for waitMs: Int64 in [60_000, 120_000, 240_000] {
            #expect(bench.paused == [game])
            bench.tell(.screenTimedOut)
            #expect(bench.orders.last == .thaw(app: game))
            bench.settle()
            bench.wait(waitMs - 1_000)
            bench.settle()
            #expect(bench.paused == [] && bench.panes.count == 1)
            bench.wait(2_000)
            bench.settle()
        }
        #expect(bench.paused == [game])
        #expect(bench.wrongs == [])
    }

    @Test("A shielded app that another program continues is paused again, up to five times")
    func continued() {
        var bench = ShieldingBench.shielded()
        for _ in 0..<5 {
            bench.tell(.continued(app: game))
            #expect(bench.orders.last == .pause(app: game, pids: [100]))
            bench.settle()
            #expect(bench.paused == [game])
        }
        bench.tell(.continued(app: game))
        bench.settle()
        #expect(bench.paused == [] && bench.panes.count == 1)
        #expect(bench.wrongs == [])
    }

    @Test("A paused app is resumed while its cover is not on the screen")
    func coverOff() throws {
        var bench = ShieldingBench.shielded()
        let pane = try #require(bench.pane)
        bench.mapped.remove(pane)
        bench.tell(.pane(pane, .hidden))
        #expect(bench.orders.contains(.thaw(app: game)))
    }

    @Test("A shielded app that never releases the input is minimized")
    func keepsInput() {
        var bench = ShieldingBench.shielded { $0.holds = false }
        #expect(bench.paused == [])
        for _ in 0..<4 {
            bench.wait(6_000)
            bench.settle()
        }
        let all = bench.orders.flatMap { if case .screen(let acts) = $0 { acts } else { [DesktopAction]() } }
        #expect(all.contains(.minimize([WindowID("x11:2")])))
        #expect(bench.shieldOf(game)?.steps.contains { $0.text.english.contains("minimises") } == true)
        #expect(bench.wrongs == [])
    }

    @Test(
        "Shields are dark or light like the session's other panels",
        arguments: ["Adwaita:dark", "Adwaita"]
    )
    func appearance(theme: String) throws {
        let scratch = try ScratchDirectory()
        let configuration = try Configuration.load(path: scratch.file("none"), environment: [:])
        let environment = ["GTK_THEME": theme]
        let shields = ShieldSettings(configuration, environment: environment, kind: .x11)
        let panels = PanelSettings.session(environment, configuration)
        #expect(shields.appearance == (theme == "Adwaita" ? .light : .dark))
        #expect(shields.appearance == panels.appearance)
    }
}
