import STContracts
import STDesktop
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("Shields on the screen: keys and more time")
struct ShieldingKeysTests {
    private let game = ShieldingBench.game

    private func shielded(_ offer: MoreOffer? = nil, language: String = "en") -> (ShieldingBench, PaneID) {
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

    @Test("Tab goes round the buttons, both ways; Return presses; each step is drawn")
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
        // What is typed over a shield goes nowhere.
        bench.tell(.pane(pane, .key(.text("rm -rf"))))
        bench.tell(.pane(pane, .key(.backspace)))
        #expect(bench.wrongs == [])
    }

    @Test("the space bar presses as Return does")
    func space() {
        var (bench, pane) = shielded()
        bench.settle()
        bench.tell(.pane(pane, .key(.next)))
        bench.tell(.pane(pane, .key(.next)))
        bench.tell(.pane(pane, .key(.text(" "))))
        #expect(bench.lastPress?.button == .secondary)
    }

    @Test("Escape puts the windows away, and lifts nothing")
    func escape() {
        var (bench, pane) = shielded()
        bench.forget()
        bench.tell(.pane(pane, .key(.cancel)))
        #expect(bench.acts.contains(.minimize([WindowID("x11:2")])))
        #expect(bench.lastPress == nil)
        #expect(bench.panes.count == 1)
        #expect(bench.paused == [game])
    }

    @Test("a menu opens, is walked through, and closes with Escape before anything else does")
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

    @Test("one press at a time: the second waits for the first one's answer, or for its time")
    func once() {
        var (bench, pane) = shielded()
        bench.forget()
        for _ in 0..<5 { bench.tell(.pane(pane, .pressed("secondary"))) }
        #expect(bench.orders.count { if case .press = $0 { true } else { false } } == 1)
        bench.wait(ShieldDirector.pressMs + 1)
        #expect(bench.director.apps[game]?.controls.note != nil)
        bench.tell(.pane(pane, .pressed("secondary")))
        #expect(bench.lastPress?.press == 2)
    }

    @Test("pressed before the shield has its name: told once it has")
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
        "more time is offered beside an app's own buttons, asked for once, and the shield says what came of it"
    )
    func more() {
        var (bench, pane) = shielded(.guardian)
        #expect(
            bench.director.apps[game].flatMap { $0.controls.more(bench.director.round) }?.label
                == "Ask for more time"
        )
        bench.forget()
        bench.tell(.pane(pane, .pressed(DrawnSpot.moreTime)))
        bench.tell(.pane(pane, .pressed(DrawnSpot.moreTime)))
        let asked = bench.orders.filter { if case .requestTime = $0 { true } else { false } }
        #expect(asked == [.requestTime(app: game, shield: "shield-1", durationMs: 900_000)])
        let request = RequestView(
            request: "R7",
            member: "ada",
            items: [],
            durationMs: 900_000,
            state: .waiting,
            askedAt: ""
        )
        bench.tell(.requested(app: game, .success(.init(request: request, notes: []))))
        let more = bench.director.apps[game].flatMap { $0.controls.more(bench.director.round) }
        #expect(more?.label == nil)
        #expect(more?.note == "Request sent. R7 is waiting for a guardian.")
        #expect(bench.panes.count == 1)
        bench.wait(60_000)
        #expect(bench.director.apps[game]?.controls.note == "Request sent. R7 is waiting for a guardian.")
        // Nothing is due any more, so nothing wakes up for it.
        #expect(bench.director.nextMs == nil)
    }

    @Test("one's own rule gives as much as it may; a refusal is said and may be tried again")
    func own() {
        var (bench, pane) = shielded(.own(mostMs: 300_000, delayMs: 0), language: "ko_KR")
        #expect(
            bench.director.apps[game].flatMap { $0.controls.more(bench.director.round) }?.label == "5분 더 사용하기"
        )
        bench.tell(.pane(pane, .pressed(DrawnSpot.moreTime)))
        #expect(bench.orders.contains(.requestTime(app: game, shield: "shield-1", durationMs: 300_000)))
        bench.tell(.requested(app: game, .failure(Problem("request.day_used_up", "That is used up."))))
        #expect(bench.director.apps[game]?.controls.note == "That is used up.")
        bench.wait(ShieldControls.noteMs + 1)
        #expect(bench.director.apps[game]?.controls.note == nil)
        #expect(bench.director.apps[game].flatMap { $0.controls.more(bench.director.round) }?.label != nil)
    }

    @Test("the system's own look offers more time itself, so it is not there twice")
    func builtIn() {
        var (bench, pane) = shielded(.guardian)
        var view = ShieldingBench.view("Built in")
        view.source = .builtIn
        bench.tell(.pane(pane, .pressed("primary")))
        bench.tell(.answered(app: game, press: 1, .success(.init(response: .defer, view: view))))
        #expect(more(bench)?.spot == DrawnSpot.closeApp)
    }

    private func more(_ bench: ShieldingBench) -> DrawMore? {
        bench.director.apps[game].flatMap { $0.controls.more(bench.director.round) }
    }

    @Test(
        "from the system's own look the app can be closed: it may ask whether to save, and is held again if it stays"
    )
    func closes() {
        var (bench, pane) = shielded(.guardian)
        var view = ShieldingBench.view("Built in")
        view.source = .builtIn
        bench.tell(.pane(pane, .pressed("primary")))
        bench.tell(.answered(app: game, press: 1, .success(.init(response: .defer, view: view))))
        bench.settle()
        #expect(bench.paused == [game] && more(bench)?.label == "Close the app")
        // By the keyboard: it is the last in the ring.
        bench.forget()
        bench.tell(.pane(pane, .key(.previous)))
        #expect(focus(bench) == DrawnSpot.closeApp && more(bench)?.isFocused == true)
        bench.tell(.pane(pane, .key(.press)))
        bench.settle()
        #expect(bench.acts.contains(.askToClose(WindowID("x11:2"))) && bench.paused == [])
        #expect(bench.panes.count == 1 && bench.shieldOf(game)?.stage == .closing)
        // Its question is free to be answered, and there is no second way to close it meanwhile.
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

    @Test("an app that may be shielded soon has the system's picture there before it is")
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

    @Test("a picture that cannot be drawn gives way to the system's, and is tried again later")
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
        bench.wait(ShieldPainter.drawAgainMs + 1)
        bench.settle()
        #expect(bench.painted.values.first?.path != first)
        #expect(bench.wrongs == [])
    }
}
