import STContracts
import STDesktop
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("Shields from cover to lift")
struct ShieldingStoryTests {
    private func game(_ settings: ShieldSettings = ShieldSettings()) -> ShieldingBench {
        var bench = ShieldingBench(settings)
        bench.window("x11:1", ShieldingBench.editor, pid: 50)
        bench.focus("x11:1")
        bench.window("x11:2", ShieldingBench.game)
        bench.focus("x11:2")
        return bench
    }

    @Test(
        "A used-up limit covers the app, then draws the shield and pauses the app, and counts one shield"
    )
    func budget() {
        var bench = game()
        bench.shield()

        let first = bench.orders.first
        guard case .screen(let acts)? = first, case .openPane(let order)? = acts.first else {
            Issue.record("first came \(String(describing: first))")
            return
        }
        #expect(order.place == .over(WindowID("x11:2")))
        #expect(order.takesKeys)
        #expect(order.name.contains("Game"))
        #expect(bench.shieldOf(ShieldingBench.game)?.stage == .rising)
        bench.mapPanes()
        #expect(bench.shielded == [ShieldingBench.game])
        #expect(bench.shieldOf(ShieldingBench.game)?.stage == .covered)
        #expect(bench.paused == [])
        bench.settle()
        #expect(bench.paused == [ShieldingBench.game])
        #expect(bench.painted.count == 1)
        #expect(bench.shows == 1)
        #expect(bench.shieldOf(ShieldingBench.game)?.means == .signal)
        #expect(bench.wrongs == [])
    }

    @Test("A second shield of an app has its colour and picture immediately")
    func again() {
        var bench = game()
        bench.shield()
        bench.settle()
        bench.lift()
        bench.settle()
        #expect(bench.panes.isEmpty)
        #expect(bench.paused == [])
        bench.forget()
        let draws = bench.draws
        bench.shield()
        guard case .screen(let acts)? = bench.orders.first, case .openPane(let order)? = acts.first else {
            Issue.record("no pane")
            return
        }
        #expect(order.background == 0xFF11_2233)
        bench.answersLooks = false
        bench.mapPanes()

        #expect(bench.painted.count == 1)
        #expect(bench.draws == draws)
        #expect(bench.shows == 2)
        #expect(bench.wrongs == [])
    }

    @Test("Several windows of one app share one shield and one picture")
    func windows() {
        var bench = game()
        bench.window("x11:3", ShieldingBench.game)
        bench.shield()
        bench.settle()

        #expect(bench.panes.count == 2)
        #expect(bench.painted.count == 2)
        #expect(Set(bench.painted.values.map(\.path)).count == 1)
        #expect(bench.shows == 1)
        #expect(bench.paused == [ShieldingBench.game])
        bench.focus("x11:3")
        bench.settle()
        #expect(bench.shows == 1)
        // Leaving and returning counts as another showing.
        bench.focus("x11:1")
        bench.wait(5_000)
        bench.focus("x11:2")
        bench.settle()
        #expect(bench.shows == 2)
        #expect(bench.wrongs == [])
    }

    @Test("A shield that loses the focus to its cover or to a panel is not counted again")
    func focusTaken() {
        var bench = game()
        bench.shield()
        bench.settle()
        bench.focus(nil)
        bench.wait(5_000)
        bench.event(.window(DesktopWindow(id: WindowID("x11:7"), isChrome: true)))
        bench.focus("x11:7")
        bench.wait(5_000)
        bench.focus("x11:2")
        bench.settle()

        #expect(bench.shows == 1)
        #expect(bench.wrongs == [])
    }

    @Test("A late appearance replaces the built-in one that was shown in its place")
    func late() {
        var bench = game()
        bench.answersLooks = false
        bench.shield()
        bench.settleOnce()
        #expect(bench.painted.isEmpty)
        bench.wait(ShieldFace.fetchTimeout.ms + 1)
        bench.settleOnce()
        #expect(bench.painted.count == 1)
        let system = bench.painted.values.first?.path
        bench.answersLooks = true
        bench.settle()

        #expect(bench.painted.values.first?.path != system)
        #expect(bench.shows == 1)
        #expect(bench.wrongs == [])
    }

    @Test(
        "Without shield-service the built-in shield appears, its close button works, and others show an error"
    )
    func dead() {
        var bench = game()
        bench.answersLooks = false
        bench.shield()
        for case .askLook(let app, let ticket, _, _) in bench.orders {
            bench.tell(.look(app: app, ticket: ticket, .failed(Problem("unavailable", "No answer."))))
        }
        bench.settleOnce()
        #expect(bench.painted.count == 1)
        guard let pane = bench.pane else {
            Issue.record("no pane")
            return
        }
        bench.forget()
        bench.tell(.pane(pane, .pressed("secondary")))
        #expect(bench.director.apps[ShieldingBench.game]?.controls.note != nil)
        bench.tell(.pane(pane, .pressed("primary")))

        #expect(bench.acts.contains(.minimize([WindowID("x11:2")])))
        #expect(bench.acts.contains(.activate(WindowID("x11:1"))))
        #expect(bench.panes.count == 1)
    }

    @Test(
        "Close minimizes all windows of the app and activates the previous app, and the shield remains"
    )
    func close() {
        var bench = game()
        bench.window("x11:3", ShieldingBench.game)
        bench.shield()
        bench.settle()
        bench.forget()
        guard let pane = bench.pane else {
            Issue.record("no pane")
            return
        }
        bench.tell(.pane(pane, .pressed("primary")))
        #expect(bench.lastPress?.press == 1)
        bench.tell(.answered(app: ShieldingBench.game, press: 1, .success(.init(response: .close))))

        #expect(bench.acts.contains(.minimize([WindowID("x11:2"), WindowID("x11:3")])))
        #expect(bench.acts.contains(.activate(WindowID("x11:1"))))
        bench.window("x11:2", ShieldingBench.game, isMinimized: true)
        bench.window("x11:3", ShieldingBench.game, isMinimized: true)
        bench.focus("x11:1")
        bench.wait(10_000)
        bench.settle()
        #expect(bench.paused == [ShieldingBench.game])
        #expect(bench.panes.count == 2)
        // It raises itself, and appears covered.
        bench.window("x11:2", ShieldingBench.game)
        bench.focus("x11:2")
        bench.settle()
        #expect(bench.paused == [ShieldingBench.game])
        #expect(bench.shows == 2)
        #expect(bench.wrongs == [])
    }

    @Test(
        "The response none changes nothing, defer updates the shield, and openApp activates the shield's app"
    )
    func answers() {
        var bench = game()
        bench.shield()
        bench.settle()
        guard let pane = bench.pane else {
            Issue.record("no pane")
            return
        }
        bench.forget()
        bench.tell(.pane(pane, .pressed("secondary")))
        bench.tell(.answered(app: ShieldingBench.game, press: 1, .success(.init(response: .none))))
        #expect(bench.acts == [])
        bench.tell(.pane(pane, .pressed("secondary")))
        #expect(bench.lastPress?.press == 2)
        let before = bench.painted[pane]?.path
        let view = ShieldingBench.view("Wait")
        bench.tell(
            .answered(app: ShieldingBench.game, press: 2, .success(.init(response: .defer, view: view)))
        )
        bench.settle()
        #expect(bench.painted[pane]?.path != before)
        #expect(!bench.acts.contains { if case .minimize = $0 { true } else { false } })
        // An answer to an earlier press does not answer this one.
        bench.tell(.pane(pane, .pressed("primary")))
        bench.tell(.answered(app: ShieldingBench.game, press: 2, .success(.init(response: .close))))
        #expect(!bench.acts.contains { if case .minimize = $0 { true } else { false } })
        bench.tell(.answered(app: ShieldingBench.game, press: 3, .success(.init(response: .openApp))))
        #expect(bench.director.apps[ShieldingBench.game]?.controls.note?.contains("org.asks") == true)
        bench.window("x11:9", "org.asks", pid: 9)
        bench.tell(.pane(pane, .pressed("secondary")))
        bench.tell(.answered(app: ShieldingBench.game, press: 4, .success(.init(response: .openApp))))
        #expect(bench.acts.last == .activate(WindowID("x11:9")))
        #expect(bench.wrongs == [])
    }

    @Test("A grant resumes the app before its cover closes, and the end of the grant shields it again")
    func grant() {
        var bench = game()
        bench.shield()
        bench.settle()
        bench.forget()
        bench.lift()
        #expect(bench.orders.contains(.thaw(app: ShieldingBench.game)))
        #expect(bench.panes.count == 1)
        bench.settle()
        #expect(bench.panes.isEmpty)
        #expect(bench.shielded == [])
        bench.shield()
        bench.settle()
        #expect(bench.paused == [ShieldingBench.game])
        #expect(bench.wrongs == [])
    }

    @Test("A policy that alternates 50 times leaves one cover, and none after the final lift")
    func flapping() {
        var bench = game()
        for _ in 0..<50 {
            bench.shield()
            bench.mapPanes()
            bench.answerHolds()
            bench.lift()
        }
        bench.shield()
        bench.settle()
        #expect(bench.panes.count == 1)
        #expect(bench.paused == [ShieldingBench.game])
        bench.lift()
        bench.settle()
        #expect(bench.panes.isEmpty && bench.paused.isEmpty)
        #expect(bench.wrongs == [])
    }
}

extension ShieldingBench {
    /// Performs one round, for tests with a missing answer.
    mutating func settleOnce() {
        for _ in 0..<4 {
            mapPanes()
            answerHolds()
            let orders = pending
            pending = []
            for order in orders { answer(order) }
        }
    }
}
