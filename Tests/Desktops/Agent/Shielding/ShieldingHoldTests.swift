import STContracts
import STDesktop
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("Shields on the screen: pausing")
struct ShieldingHoldTests {
    private let game = ShieldingBench.game

    @Test(
        "a terminal is covered and stays so, with the sentence why it is not paused; nothing closes or ends it"
    )
    func never() {
        var bench = ShieldingBench.shielded(ShieldSettings(escalation: .end, escalateAfterMs: 1_000)) {
            $0.verdicts[game] = .never(Message(verbatim: "It is a terminal."))
        }
        bench.wait(60_000)
        bench.settle()

        #expect(bench.paused == [] && bench.ended == [])
        #expect(bench.panes.count == 1)
        #expect(bench.shieldOf(game)?.notPaused == Message(verbatim: "It is a terminal."))
        #expect(bench.shieldOf(game)?.stage == .covered)
        #expect(!bench.acts.contains { if case .askToClose = $0 { true } else { false } })
        #expect(
            !bench.orders.contains {
                if case .screen(let acts) = $0 {
                    acts.contains(.holdInput(PaneID("shield-1")))
                } else {
                    false
                }
            }
        )
        #expect(bench.wrongs == [])
    }

    @Test(
        "an open menu keeps the input: not paused before it is let go of, and let go on when it is taken again"
    )
    func menu() {
        var bench = ShieldingBench.shielded { $0.holds = false }
        #expect(bench.paused == [])
        #expect(bench.shieldOf(game)?.notPaused == Message(verbatim: "a menu is open"))
        #expect(bench.shieldOf(game)?.stage == .covered)
        guard let pane = bench.pane else {
            Issue.record("no pane")
            return
        }
        bench.held.insert(pane)
        bench.tell(.pane(pane, .held(true, nil)))
        bench.settle()
        #expect(bench.paused == [game])
        #expect(bench.shieldOf(game)?.notPaused == nil)
        bench.held.remove(pane)
        bench.tell(.pane(pane, .held(false, Message(verbatim: "another one replaced it"))))
        #expect(bench.orders.last == .thaw(app: game))
        bench.settle()
        #expect(bench.paused == [])
        #expect(bench.panes.count == 1)
        #expect(bench.wrongs == [])
    }

    @Test("an app that is killed leaves no cover, nothing held and nothing to be told")
    func killed() {
        var bench = ShieldingBench.shielded()
        bench.event(.windowGone(WindowID("x11:2")))
        bench.settle()
        bench.wait(5_000)
        bench.settle()

        #expect(bench.panes.isEmpty && bench.paused.isEmpty && bench.shielded.isEmpty)
        #expect(bench.director.reply.shields.isEmpty)
        #expect(bench.director.apps.isEmpty)
        #expect(bench.wrongs == [])
    }

    @Test(
        "after a start nothing is paused before what an earlier agent had paused runs again; covers do not wait"
    )
    func restart() {
        var bench = ShieldingBench.shielded(isReady: false)
        #expect(bench.panes.count == 1)
        #expect(bench.paused == [])
        bench.tell(.ready)
        bench.settle()
        #expect(bench.paused == [game])
        bench.tell(.stop)
        #expect(bench.panes.count == 1)
        bench.settle()
        #expect(bench.panes.isEmpty && bench.paused.isEmpty && bench.files.isEmpty)
        #expect(bench.wrongs == [])
    }

    @Test("an end in the middle of a pause still lets go, in this order")
    func stopping() {
        var bench = ShieldingBench()
        bench.window("x11:2", ShieldingBench.game)
        bench.focus("x11:2")
        bench.shield()
        for _ in 0..<20 where !bench.pending.contains(where: { if case .pause = $0 { true } else { false } })
        {
            bench.mapPanes()
            bench.answerHolds()
            let orders = bench.pending
            bench.pending = []
            for order in orders {
                if case .pause = order { bench.pending.append(order) } else { bench.answer(order) }
            }
        }
        bench.tell(.stop)
        #expect(bench.panes.count == 1)
        bench.settle()
        #expect(bench.panes.isEmpty && bench.paused.isEmpty)
        #expect(bench.wrongs == [])
    }

    @Test("another window of a paused app: it runs until that one is covered and held too")
    func another() {
        var bench = ShieldingBench.shielded()
        bench.window("x11:3", ShieldingBench.game)
        #expect(bench.orders.contains(.thaw(app: game)))
        bench.settle()
        #expect(bench.panes.count == 2)
        #expect(bench.paused == [game])
        #expect(bench.wrongs == [])
    }

    @Test(
        "made smaller, where the desktop shows more than the frame: it runs until it has drawn itself, covered all the time"
    )
    func smaller() {
        var bench = ShieldingBench.shielded {
            var abilities = $0.scene.abilities
            abilities.cutsToFrames = false
            $0.event(.ready(abilities))
        }
        let pane = bench.pane
        bench.window("x11:2", game, width: 320)
        #expect(bench.orders.last == .thaw(app: game))
        bench.settle()
        #expect(bench.paused == [] && bench.pane == pane)
        bench.wait(ShieldHold.drawingMs)
        bench.settle()
        #expect(bench.paused == [game])
        // Larger shows nothing beyond, and no desktop that cuts does.
        bench.window("x11:2", game, width: 640)
        bench.settle()
        #expect(bench.paused == [game] && bench.pending.isEmpty)
        var cut = ShieldingBench.shielded()
        cut.window("x11:2", game, width: 320)
        #expect(cut.paused == [game] && !cut.orders.contains(.thaw(app: game)))
        #expect(bench.wrongs == [] && cut.wrongs == [])
    }

    @Test(
        "called in front again and again, where the desktop ends what reads nothing: it runs for a moment, covered"
    )
    func called() {
        for waits in [true, false] {
            var bench = ShieldingBench.shielded {
                var abilities = $0.scene.abilities
                abilities.waitsForClients = waits
                $0.event(.ready(abilities))
            }
            bench.window("x11:9", ShieldingBench.editor)
            for _ in 0..<100 {
                for window in ["x11:9", "x11:2"] {
                    bench.focus(window)
                    bench.settle()
                }
                if bench.paused.isEmpty { bench.wait(ShieldHold.drawingMs) }
                bench.settle()
                #expect(bench.paused == [game])
            }
            #expect(bench.orders.count { $0 == .thaw(app: game) } == (waits ? 2 : 0))
            #expect(bench.wrongs == [])
        }
    }

    @Test("a window that turns out to be another app's is let go of, and its old app first")
    func identity() {
        var bench = ShieldingBench.shielded()
        bench.window("x11:3", ShieldingBench.game)
        bench.settle()
        bench.window("x11:2", ShieldingBench.editor)
        bench.settle()
        #expect(Set(bench.panes.values) == [WindowID("x11:3")])
        #expect(bench.paused == [game])
        // To one that is shielded as well.
        bench.words["org.other"] = ShieldWord(isShielded: true, by: "org.asks", store: "main")
        bench.window("x11:3", "org.other")
        bench.settle()
        bench.wait(2_000)
        bench.settle()
        #expect(bench.panes.count == 1)
        #expect(bench.paused == ["org.other"])
        #expect(bench.wrongs == [])
    }

    @Test("close and end come one after the other, each told before, and a stopped app is let go of first")
    func escalation() {
        var bench = ShieldingBench.shielded(ShieldSettings(escalation: .end, escalateAfterMs: 60_000))
        #expect(bench.paused == [game])
        #expect(bench.notices.map(\.id) == ["shield/close/\(game)"])
        bench.wait(60_000)
        // A call is looked for first.
        bench.settle()
        #expect(bench.acts.contains(.askToClose(WindowID("x11:2"))))
        #expect(bench.paused == [])
        #expect(bench.panes.count == 1)
        #expect(bench.shieldOf(game)?.stage == .closing)
        #expect(bench.notices.map(\.id) == ["shield/close/\(game)", "shield/end/\(game)"])
        #expect(bench.ended == [])
        bench.wait(60_000)
        bench.settle()
        #expect(bench.ended == [game])
        #expect(bench.shieldOf(game)?.stage == .ending)
        #expect(bench.wrongs == [])
    }

    @Test("who does not close when asked is held again, where the settings go no further")
    func stubborn() {
        var bench = ShieldingBench.shielded(ShieldSettings(escalation: .close, escalateAfterMs: 60_000))
        bench.wait(60_000)
        bench.settle()
        #expect(bench.paused == [])
        bench.wait(60_000)
        bench.settle()
        #expect(bench.paused == [game])
        bench.wait(600_000)
        bench.settle()
        #expect(bench.ended == [])
        #expect(bench.wrongs == [])
    }

    @Test("cover alone is a setting: nothing is held then")
    func coverAlone() {
        let bench = ShieldingBench.shielded(ShieldSettings(escalation: .cover))
        #expect(bench.panes.count == 1 && bench.paused.isEmpty)
        #expect(bench.shieldOf(game)?.notPaused == nil)
        #expect(!bench.orders.contains { if case .verdict = $0 { true } else { false } })
    }

    @Test("a cover that fails is tried again, ever more slowly, and the app is never held without it")
    func fails() {
        var bench = ShieldingBench.shielded { $0.failsToCover = true }
        #expect(bench.panes.isEmpty)
        for _ in 0..<6 {
            bench.wait(ShieldCovers.tryAgainMsMax)
            bench.settle()
        }
        let opened = bench.orders.reduce(0) { count, order in
            guard case .screen(let acts) = order else { return count }
            return count + acts.count { if case .openPane = $0 { true } else { false } }
        }
        #expect((4...20).contains(opened))
        let closed = bench.orders.reduce(0) { count, order in
            guard case .screen(let acts) = order else { return count }
            return count + acts.count { if case .closePane = $0 { true } else { false } }
        }
        #expect(closed == opened, "what has failed is closed as well: nothing of it stays on the screen")
        #expect(bench.paused.isEmpty && bench.shielded.isEmpty)
        bench.failsToCover = false
        bench.wait(ShieldCovers.tryAgainMsMax)
        bench.settle()
        #expect(bench.panes.count == 1)
        #expect(bench.paused == [game])
        #expect(bench.wrongs == [])
    }

    @Test("a display that is lost lets go of everything; when it is back, all is covered again")
    func lost() {
        var bench = ShieldingBench.shielded()
        let scene = bench.scene
        bench.event(.lost(Problem("display.lost", "It went away.")))
        bench.settle()
        #expect(bench.panes.isEmpty && bench.paused.isEmpty)
        bench.scene = scene
        bench.showScene()
        bench.settle()
        #expect(bench.panes.count == 1)
        #expect(bench.paused == [game])
        #expect(bench.wrongs == [])
    }
}
