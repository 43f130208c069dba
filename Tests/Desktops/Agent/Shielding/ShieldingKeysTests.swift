import STContracts
import STDesktop
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("Keyboard control of shields and requests for more time")
struct ShieldingKeysTests {
    private let game = ShieldingBench.game

    private func shielded(_ offer: MoreTimeOffer? = nil, language: String = "en") -> (ShieldingBench, PaneID)
    {
        var bench = ShieldingBench(ShieldSettings(language: language))
        bench.window("x11:1", ShieldingBench.editor, pid: 50)
        bench.focus("x11:1")
        bench.window("x11:2", ShieldingBench.game)
        bench.focus("x11:2")
        bench.shield()
        if let offer { bench.tell(.offer(offer)) }
        bench.settle()
        return (bench, bench.pane ?? PaneID("none"))
    }

    private func focus(_ bench: ShieldingBench) -> String? { bench.director.apps[game]?.controls.focus }

    @Test("Tab moves through the buttons of a shield in both directions, and Return presses the focused one")
    func ring() {
        var (bench, pane) = shielded(.guardian)
        var seen: [String?] = []
        for _ in 0..<4 {
            bench.tell(.pane(pane, .key(.next)))
            bench.settle()
            seen.append(focus(bench))
        }
        #expect(seen == ["primary", "secondary", DrawnSpot.moreTime, "primary"])
        bench.tell(.pane(pane, .key(.previous)))
        #expect(focus(bench) == DrawnSpot.moreTime)
        #expect(Set(bench.files).count == 4)
        bench.tell(.pane(pane, .key(.previous)))
        bench.tell(.pane(pane, .key(.press)))
        #expect(bench.lastPress?.button == .secondary)
        // Text that is typed over a shield has no effect.
        bench.tell(.pane(pane, .key(.text("rm -rf"))))
        bench.tell(.pane(pane, .key(.backspace)))
        #expect(bench.wrongs == [])
    }

    @Test("The space bar presses the focused button of a shield")
    func space() {
        var (bench, pane) = shielded()
        bench.settle()
        bench.tell(.pane(pane, .key(.next)))
        bench.tell(.pane(pane, .key(.next)))
        bench.tell(.pane(pane, .key(.text(" "))))
        #expect(bench.lastPress?.button == .secondary)
    }

    @Test("Escape at a shield minimizes the app's windows and does not lift the shield")
    func escape() {
        var (bench, pane) = shielded()
        bench.forget()
        bench.tell(.pane(pane, .key(.cancel)))
        #expect(bench.acts.contains(.minimize([WindowID("x11:2")])))
        #expect(bench.lastPress == nil)
        #expect(bench.panes.count == 1)
        #expect(bench.paused == [game])
    }

    @Test("A shield's menu opens, is navigated by key, and is the first to close on Escape")
    func menu() {
        var (bench, pane) = shielded()
        bench.tell(.pane(pane, .pressed("primary")))
        let view = ShieldingBench.view("Choose", submenu: ["5", "10"])
        bench.tell(.answered(app: game, press: 1, .success(.init(response: .defer, view: view))))
        bench.settle()
        bench.forget()
        bench.tell(.pane(pane, .pressed("secondary")))
        bench.settle()
        #expect(bench.lastPress == nil)
        #expect(bench.director.apps[game]?.controls.isMenuOpen == true)
        bench.tell(.pane(pane, .key(.next)))
        #expect(focus(bench) == "first_submenu")
        bench.tell(.pane(pane, .key(.cancel)))
        #expect(bench.director.apps[game]?.controls.isMenuOpen == false)
        #expect(!bench.acts.contains { if case .minimize = $0 { true } else { false } })
        bench.tell(.pane(pane, .pressed("secondary")))
        bench.tell(.pane(pane, .pressed("second_submenu")))
        #expect(bench.lastPress?.button == .secondSubmenu)
        #expect(bench.lastPress?.press == 2)
        #expect(bench.wrongs == [])
    }

    @Test("A shield accepts one press at a time, until the reply or the timeout")
    func once() {
        var (bench, pane) = shielded()
        bench.forget()
        for _ in 0..<5 { bench.tell(.pane(pane, .pressed("secondary"))) }
        #expect(bench.orders.count { if case .press = $0 { true } else { false } } == 1)
        bench.wait(ShieldStateMachine.pressTimeout.ms + 1)
        #expect(bench.director.apps[game]?.controls.note != nil)
        bench.tell(.pane(pane, .pressed("secondary")))
        #expect(bench.lastPress?.press == 2)
    }

    @Test("A press before the shield's appearance arrives is sent afterwards")
    func early() {
        var bench = ShieldingBench()
        bench.window("x11:2", ShieldingBench.game)
        bench.focus("x11:2")
        bench.answersLooks = false
        bench.shield()
        bench.mapPanes()
        guard let pane = bench.pane else {
            Issue.record("no pane")
            return
        }
        bench.tell(.pane(pane, .pressed("primary")))
        #expect(bench.lastPress == nil)
        bench.answersLooks = true
        bench.settle()
        #expect(bench.lastPress?.button == .primary)
    }

    @Test(
        "A shield requests more time once and shows that the request is waiting"
    )
    func more() {
        var (bench, pane) = shielded(.guardian)
        #expect(
            bench.director.apps[game].flatMap { $0.controls.moreTimeButton(bench.director.context) }?.label
                == "Ask for more time"
        )
        bench.forget()
        bench.tell(.pane(pane, .pressed(DrawnSpot.moreTime)))
        bench.tell(.pane(pane, .pressed(DrawnSpot.moreTime)))
        let asked = bench.orders.filter { if case .requestTime = $0 { true } else { false } }
        #expect(asked == [.requestTime(app: game, shield: "shield-1", duration: .seconds(900))])
        let request = RequestView(
            request: "R7",
            member: "ada",
            items: [],
            durationMs: 900_000,
            state: .waiting,
            askedAt: ""
        )
        bench.tell(.requested(app: game, .success(.init(request: request, notes: []))))
        let more = bench.director.apps[game].flatMap { $0.controls.moreTimeButton(bench.director.context) }
        #expect(more?.label == nil)
        #expect(more?.note == "Request sent. R7 is waiting for a guardian.")
        #expect(bench.panes.count == 1)
        bench.wait(60_000)
        #expect(bench.director.apps[game]?.controls.note == "Request sent. R7 is waiting for a guardian.")
        // Nothing is due any more, so nothing causes a wake-up.
        #expect(bench.director.nextTick == nil)
    }

    @Test(
        "A person's own rule offers the time it allows, and a refused request shows why and can be repeated"
    )
    func own() {
        var (bench, pane) = shielded(.own(most: .seconds(300), delay: .zero), language: "ko_KR")
        #expect(
            bench.director.apps[game].flatMap { $0.controls.moreTimeButton(bench.director.context) }?.label
                == "5분 더 사용하기"
        )
        bench.tell(.pane(pane, .pressed(DrawnSpot.moreTime)))
        #expect(bench.orders.contains(.requestTime(app: game, shield: "shield-1", duration: .seconds(300))))
        bench.tell(.requested(app: game, .failure(Problem("request.day_used_up", "That is used up."))))
        #expect(bench.director.apps[game]?.controls.note == "That is used up.")
        bench.wait(ShieldControls.noteLength.ms + 1)
        #expect(bench.director.apps[game]?.controls.note == nil)
        #expect(
            bench.director.apps[game].flatMap { $0.controls.moreTimeButton(bench.director.context) }?.label
                != nil
        )
    }

    @Test("The built-in shield offers to close the app instead of a second button for more time")
    func builtIn() {
        var (bench, pane) = shielded(.guardian)
        var view = ShieldingBench.view("Built in")
        view.source = .builtIn
        bench.tell(.pane(pane, .pressed("primary")))
        bench.tell(.answered(app: game, press: 1, .success(.init(response: .defer, view: view))))
        #expect(more(bench)?.spot == DrawnSpot.closeApp)
    }

    private func more(_ bench: ShieldingBench) -> DrawMore? {
        bench.director.apps[game].flatMap { $0.controls.moreTimeButton(bench.director.context) }
    }

    @Test(
        "Closing from the built-in shield lets the app ask to save, and pauses it again if it stays open"
    )
    func closes() {
        var (bench, pane) = shielded(.guardian)
        var view = ShieldingBench.view("Built in")
        view.source = .builtIn
        bench.tell(.pane(pane, .pressed("primary")))
        bench.tell(.answered(app: game, press: 1, .success(.init(response: .defer, view: view))))
        bench.settle()
        #expect(bench.paused == [game] && more(bench)?.label == "Close the app")
        // By the keyboard: it is the last control.
        bench.forget()
        bench.tell(.pane(pane, .key(.previous)))
        #expect(focus(bench) == DrawnSpot.closeApp && more(bench)?.isFocused == true)
        bench.tell(.pane(pane, .key(.press)))
        bench.settle()
        #expect(bench.acts.contains(.askToClose(WindowID("x11:2"))) && bench.paused == [])
        #expect(bench.panes.count == 1 && bench.shieldOf(game)?.stage == .closing)
        // Its question can be answered, and there is no second way to close it meanwhile.
        bench.window("x11:9", game)
        bench.focus("x11:9")
        bench.settle()
        #expect(Set(bench.panes.values) == [WindowID("x11:2")])
        #expect(more(bench)?.label == nil && more(bench)?.note?.hasPrefix("Closing the app.") == true)
        bench.wait(60_000)
        bench.settle()
        #expect(Set(bench.panes.values) == [WindowID("x11:2"), WindowID("x11:9")])
        #expect(bench.paused == [game] && more(bench)?.label == "Close the app")
        #expect(bench.ended == [] && bench.wrongs == [])
    }

    @Test("The built-in picture is drawn in advance for an app that may be shielded soon")
    func soon() {
        var bench = ShieldingBench()
        bench.window("x11:2", ShieldingBench.game)
        bench.focus("x11:2")
        bench.tell(.soon(app: game))
        bench.settle()
        #expect(bench.draws == 1)
        bench.answersLooks = false
        bench.shield()
        bench.mapPanes()
        #expect(bench.painted.count == 1)
        #expect(bench.draws == 1)
    }

    @Test("A picture that cannot be drawn is replaced by the built-in one and drawn again later")
    func undrawable() {
        var bench = ShieldingBench()
        bench.drawsPictures = false
        bench.window("x11:2", ShieldingBench.game)
        bench.focus("x11:2")
        bench.shield()
        bench.settleOnce()
        guard
            case .draw(let key, let request)? = bench.pending.first(where: {
                if case .draw = $0 { true } else { false }
            })
        else {
            Issue.record("nothing is drawn")
            return
        }
        #expect(request.look.title?.text == "Look \(game)")
        bench.pending.removeAll { if case .draw = $0 { true } else { false } }
        bench.drawsPictures = true
        bench.tell(.drawn(key, .failure(Problem("draw.failed", "It crashed."))))
        bench.settle()
        #expect(bench.painted.count == 1)
        let first = bench.painted.values.first?.path
        bench.wait(ShieldPainter.drawRetry.ms + 1)
        bench.settle()
        #expect(bench.painted.values.first?.path != first)
        #expect(bench.wrongs == [])
    }
}
