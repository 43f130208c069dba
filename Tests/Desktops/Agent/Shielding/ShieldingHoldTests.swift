import STContracts
import STDesktop
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("Pausing shielded apps")
struct ShieldingHoldTests {
    private let game = ShieldingBench.game

    @Test(
        "A terminal stays covered with the reason why it is not paused, and is neither closed nor ended"
    )
    func never() {
        var bench = ShieldingBench.shielded(
            ShieldSettings(escalation: .end, escalateAfter: .milliseconds(1_000))
        ) {
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
        "With an open menu, an app is paused once its input is held and resumed when the hold is lost"
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

    @Test("An app that is killed leaves no cover, no pause and no shield in the reply")
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
        "After a start, pausing waits for the recovery of an earlier run, and covering does not"
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

    @Test("Stopping the agent during a pause resumes the app before its cover closes")
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

    @Test("A new window of a paused app resumes it until that window is covered and held")
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
        "A paused app whose window shrinks is resumed to redraw, unless the desktop clips windows to frames"
    )
    func smaller() {
        var bench = ShieldingBench.shielded {
            var abilities = $0.scene.abilities
            abilities.clipsToFrames = false
            $0.event(.ready(abilities))
        }
        let pane = bench.pane
        bench.window("x11:2", game, width: 320)
        #expect(bench.orders.last == .thaw(app: game))
        bench.settle()
        #expect(bench.paused == [] && bench.pane == pane)
        bench.wait(ShieldEnforcement.drawingTime.ms)
        bench.settle()
        #expect(bench.paused == [game])
        // A larger window shows nothing outside its cover, unless the desktop does not clip.
        bench.window("x11:2", game, width: 640)
        bench.settle()
        #expect(bench.paused == [game] && bench.pending.isEmpty)
        var cut = ShieldingBench.shielded()
        cut.window("x11:2", game, width: 320)
        #expect(cut.paused == [game] && !cut.orders.contains(.thaw(app: game)))
        #expect(bench.wrongs == [] && cut.wrongs == [])
    }

    @Test(
        "A paused app that is focused repeatedly is resumed briefly only where desktops end unresponsive apps"
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
                if bench.paused.isEmpty { bench.wait(ShieldEnforcement.drawingTime.ms) }
                bench.settle()
                #expect(bench.paused == [game])
            }
            #expect(bench.orders.count { $0 == .thaw(app: game) } == (waits ? 2 : 0))
            #expect(bench.wrongs == [])
        }
    }

    @Test("A window that is reassigned to another app is covered and paused by that app's shield only")
    func identity() {
        var bench = ShieldingBench.shielded()
        bench.window("x11:3", ShieldingBench.game)
        bench.settle()
        bench.window("x11:2", ShieldingBench.editor)
        bench.settle()
        #expect(Set(bench.panes.values) == [WindowID("x11:3")])
        #expect(bench.paused == [game])
        // To an app that is shielded as well.
        bench.words["org.other"] = ShieldStatus(isShielded: true, by: "org.asks", store: "main")
        bench.window("x11:3", "org.other")
        bench.settle()
        bench.wait(2_000)
        bench.settle()
        #expect(bench.panes.count == 1)
        #expect(bench.paused == ["org.other"])
        #expect(bench.wrongs == [])
    }

    @Test("A shielded app is asked to close and then ended, each after a notice, and resumed before closing")
    func escalation() {
        var bench = ShieldingBench.shielded(
            ShieldSettings(escalation: .end, escalateAfter: .milliseconds(60_000))
        )
        #expect(bench.paused == [game])
        #expect(bench.notices.map(\.id) == ["shield/close/\(game)"])
        bench.wait(60_000)
        // First the agent checks for a call.
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

    @Test("An app that ignores the close request is paused again, and not ended if ending is disabled")
    func stubborn() {
        var bench = ShieldingBench.shielded(
            ShieldSettings(escalation: .close, escalateAfter: .milliseconds(60_000))
        )
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

    @Test("With the cover setting, a shielded app is covered and not paused")
    func coverAlone() {
        let bench = ShieldingBench.shielded(ShieldSettings(escalation: .cover))
        #expect(bench.panes.count == 1 && bench.paused.isEmpty)
        #expect(bench.shieldOf(game)?.notPaused == nil)
        #expect(!bench.orders.contains { if case .verdict = $0 { true } else { false } })
    }

    @Test("A cover that fails is retried with growing delays, and the app is not paused without it")
    func fails() {
        var bench = ShieldingBench.shielded { $0.failsToCover = true }
        #expect(bench.panes.isEmpty)
        for _ in 0..<6 {
            bench.wait(ShieldCovers.retryMax.ms)
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
        bench.wait(ShieldCovers.retryMax.ms)
        bench.settle()
        #expect(bench.panes.count == 1)
        #expect(bench.paused == [game])
        #expect(bench.wrongs == [])
    }

    @Test("A lost display releases all shields, and its return covers and pauses the app again")
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
