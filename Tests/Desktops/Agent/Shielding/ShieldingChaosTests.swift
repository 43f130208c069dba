import STContracts
import STDesktop
import STPlatform
import STTestSupport
import Testing

@testable import STDesktopCore

@Suite("Shields under random events")
struct ShieldingChaosTests {
    private static let apps = ["org.a", "org.b", "org.c", "org.d"]

    @Test(
        "Under 10,000 random events shielded windows stay covered, caches stay bounded, and lifting releases all",
        arguments: [7, 99]
    )
    func chaos(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bench = ShieldingBench(
            ShieldSettings(escalation: seed == 99 ? .end : .pause, escalateAfter: .milliseconds(5_000))
        )
        var windows: [String] = []
        for step in 0..<10_000 {
            happen(&bench, windows: &windows, random: &random, step: step)
            // Answers come at random: in order for one app, in any order otherwise.
            while !bench.pending.isEmpty, random.chance(percent: 55) { answerOne(&bench, &random) }
            check(bench, "\(seed)/\(step)")
            if !bench.wrongs.isEmpty {
                Issue.record("seed \(seed), step \(step): \(bench.wrongs)")
                return
            }
            bench.forgetButHolds()
            #expect(bench.pending.count < 500)
        }
        bench.holds = true
        bench.failsToCover = false
        bench.verdicts = [:]
        bench.calls = [:]
        bench.answersLooks = true
        bench.drawsPictures = true
        for _ in 0..<10 {
            bench.settle()
            bench.grantHolds()
            bench.wait(9_000)
        }
        bench.settle()
        checkSettled(bench)
        bench.words = [:]
        bench.showScene()
        bench.settle()
        bench.wait(10_000)
        #expect(bench.panes.isEmpty && bench.paused.isEmpty && bench.shielded.isEmpty)
        #expect(bench.director.apps.isEmpty)
        bench.tell(.stop)
        #expect(bench.files.isEmpty)
        #expect(bench.wrongs == [])
    }

    private func happen(
        _ bench: inout ShieldingBench,
        windows: inout [String],
        random: inout SeededRandom,
        step: Int
    ) {
        let app = random.pick(Self.apps) ?? ""
        switch random.number(0...19) {
        case 0, 1:
            guard windows.count < 30 else { return }
            windows.append("w\(step)")
            bench.window(
                "w\(step)",
                app,
                pid: random.number(Int32(1)...4),
                isShown: random.chance(percent: 80)
            )
        case 2:
            guard let window = random.pick(windows) else { return }
            windows.removeAll { $0 == window }
            for (pane, over) in bench.panes where over.rawValue == window { bench.held.remove(pane) }
            bench.event(.windowGone(WindowID(window)))
        case 3, 4:
            // It moves, hides, returns, or turns out to belong to another app.
            guard let window = random.pick(windows), let seen = bench.scene.windows[WindowID(window)] else {
                return
            }
            let new = random.chance(percent: 10) ? app : seen.app?.id ?? app
            bench.window(window, new, pid: seen.window.pid ?? 1, isShown: random.chance(percent: 60))
        case 5, 6: bench.focus(random.chance(percent: 90) ? random.pick(windows) : nil)
        case 7, 8: bench.shield(app, by: random.pick(["org.asks", "screentime.rules"]) ?? "")
        case 9: bench.lift(app)
        case 10, 11: bench.mapPanes()
        case 12: bench.answerHolds()
        case 13:
            guard let pane = random.pick(bench.panes.keys.sorted { $0.rawValue < $1.rawValue }) else {
                return
            }
            let isHeld = random.chance(percent: 50) && bench.mapped.contains(pane)
            if isHeld { bench.held.insert(pane) } else { bench.held.remove(pane) }
            bench.tell(.pane(pane, .held(isHeld, nil)))
        case 14, 15: press(&bench, &random)
        case 16: bench.wait(random.number(Int64(1)...3_000))
        case 17:
            bench.failsToCover = random.chance(percent: 20)
            bench.holds = random.chance(percent: 80)
            bench.answersLooks = random.chance(percent: 80)
            bench.drawsPictures = random.chance(percent: 80)
            let verdicts: [PauseVerdict] = [
                .never(Message(verbatim: "so it is")), .impossible(Message(verbatim: "gone")),
                .allowed(.freezer),
            ]
            bench.verdicts[app] = random.pick(verdicts)
            bench.calls[app] = random.chance(percent: 20) ? "It calls." : nil
        case 18: bench.tell(.offer(random.pick([.guardian, .own(most: .milliseconds(1), delay: .zero)])))
        default:
            if random.chance(percent: 3) {
                bench.mappedAreGone()
                windows = []
                bench.event(.lost(Problem("display.lost", "gone")))
                bench.scene = ShieldingBench().scene
                bench.showScene()
            } else {
                bench.tell(.soon(app: app))
            }
        }
    }

    private func press(_ bench: inout ShieldingBench, _ random: inout SeededRandom) {
        guard let pane = random.pick(bench.panes.keys.sorted { $0.rawValue < $1.rawValue }) else { return }
        let spots = ["primary", "secondary", "third_submenu", DrawnSpot.moreTime, "nonsense"]
        let keys: [PaneKey] = [.next, .previous, .press, .cancel, .backspace, .text("x")]
        let isKey = random.chance(percent: 50)
        bench.tell(
            .pane(pane, isKey ? .key(random.pick(keys) ?? .next) : .pressed(random.pick(spots) ?? ""))
        )
    }

    private func answerOne(_ bench: inout ShieldingBench, _ random: inout SeededRandom) {
        let place = random.number(0...(bench.pending.count - 1))
        // Pausing and thawing of one app are answered in order.
        let app = bench.pending[place].heldApp
        let first = app.flatMap { app in bench.pending.firstIndex { $0.heldApp == app } } ?? place
        let order = bench.pending.remove(at: first)
        switch order {
        case .press(let app, _, _, let press):
            let responses: [ShieldResponse] = [.none, .close, .defer, .openApp, .unknown]
            let view = random.chance(percent: 50) ? ShieldingBench.view("New", submenu: ["a"]) : nil
            let reply = ShieldPress.Reply(response: random.pick(responses) ?? .none, view: view)
            bench.tell(.answered(app: app, press: press, .success(reply)))
        case .requestTime(let app, _, _):
            bench.tell(.requested(app: app, .failure(Problem("request.exists", "No."))))
        case .askLook(let app, let ticket, _, _) where random.chance(percent: 20):
            bench.tell(
                .look(
                    app: app,
                    ticket: ticket,
                    random.chance(percent: 50) ? .lifted : .failed(Problem("x", "y"))
                )
            )
        case .draw(let key, _) where random.chance(percent: 10):
            bench.tell(.drawn(key, .failure(Problem("draw.failed", "no"))))
        case .pause(let app, _) where random.chance(percent: 10):
            bench.tell(.paused(app: app, .refused(Message(verbatim: "no"))))
        default: bench.answer(order)
        }
    }

    /// Checks the invariants of every moment.
    private func check(_ bench: ShieldingBench, _ place: String) {
        for seen in bench.scene.windows.values where seen.window.isShown {
            guard let app = seen.app?.id, bench.words[app]?.isShielded == true else { continue }
            let isCovered = bench.panes.values.contains(seen.window.id)
            let isAwaited = bench.director.covers.hasFailed(seen.window.id)
            // Uncovered so that a person can answer it while the app closes.
            let isQuestion = bench.director.apps[app].map {
                $0.enforcement.isQuestion(seen.window.id, bench.director.context)
            }
            #expect(isCovered || isAwaited || isQuestion == true, "\(place): \(seen.window.id) is bare")
        }
        for (pane, window) in bench.panes where bench.director.covers[pane]?.isClosing != true {
            let app = bench.scene.windows[window]?.app?.id
            #expect(
                app.map { bench.words[$0]?.isShielded == true } == true,
                "\(place): \(pane) covers nothing"
            )
        }
        #expect(bench.director.covers.count == bench.panes.count, "\(place)")
        #expect(bench.director.apps.count <= Self.apps.count)
        #expect(bench.director.appearances.count <= AppearanceCache.appearancesMax)
        #expect(bench.director.painter.pictures.count <= ShieldPictureCache.picturesMax)
        #expect(bench.director.context.recent.count <= ShieldContext.recentMax)
        #expect(bench.director.painter.prefetchCount <= ShieldPainter.prefetchMax)
        #expect(
            bench.director.apps.keys.allSatisfy {
                bench.director.context.steps(of: $0).count <= ScreenShield.stepsMax
            }
        )
    }

    /// Checks the final state, once everything is answered.
    private func checkSettled(_ bench: ShieldingBench) {
        for seen in bench.scene.windows.values where seen.window.isShown {
            guard let app = seen.app?.id, bench.words[app]?.isShielded == true else { continue }
            #expect(bench.panes.values.count { $0 == seen.window.id } == 1)
            if bench.director.context.settings.escalation == .pause {
                // An app that may never be paused may not be paused for the whole time of its shield.
                if case .never? = bench.director.apps[app]?.enforcement.verdict { continue }
                #expect(bench.paused.contains(app), "\(app) is not paused")
            }
        }
    }

    @Test("200 windows of a shielded app are covered in one step, the foreground window first")
    func many() {
        var bench = ShieldingBench()
        for number in 0..<200 { bench.window("x11:\(number)", ShieldingBench.game) }
        bench.focus("x11:150")
        bench.forget()
        let startNs = Stopwatch.nanoseconds()
        bench.words[ShieldingBench.game] = ShieldStatus(isShielded: true, by: "org.asks", store: "main")
        let orders = bench.director.apply(.scene(bench.scene, bench.words), at: bench.now)
        let tookUs = (Stopwatch.nanoseconds() - startNs) / 1_000
        print("200 windows: decided in \(tookUs) us")

        guard case .screen(let acts)? = orders.first else {
            Issue.record("nothing is covered")
            return
        }
        let opened = acts.compactMap { act in if case .openPane(let order) = act { order.place } else { nil }
        }
        #expect(opened.count == 200)
        #expect(opened.first == .over(WindowID("x11:150")))
    }

    @Test("Pictures of many pane sizes are kept up to a limit, and the files of older ones are deleted")
    func sizes() {
        var bench = ShieldingBench()
        bench.window("x11:2", ShieldingBench.game)
        bench.focus("x11:2")
        bench.shield()
        bench.settle()
        guard let pane = bench.pane else {
            Issue.record("no pane")
            return
        }
        for width in 100..<400 {
            bench.tell(.pane(pane, .shown(width: width, height: 100, scale: 1, atBootMs: bench.nowMs)))
            bench.settle()
            bench.forget()
        }
        #expect(bench.files.count <= ShieldPictureCache.picturesMax)
        #expect(bench.painted[pane]?.width == 399)
        for side in [4_000, 4_001, 4_002, 4_003] {
            bench.tell(.pane(pane, .shown(width: side, height: 4_000, scale: 1, atBootMs: bench.nowMs)))
            bench.settle()
        }
        #expect(bench.director.painter.pictures.bytes <= ShieldPictureCache.bytesMax)
        #expect(bench.wrongs == [])
    }
}

extension ShieldEffect {
    fileprivate var heldApp: String? {
        switch self {
        case .pause(let app, _), .thaw(let app), .end(let app, _): app
        default: nil
        }
    }
}

extension ShieldingBench {
    mutating func forgetButHolds() {
        orders = []
        acts = acts.filter { if case .holdInput = $0 { true } else { false } }
        notices = []
    }

    /// Grants the requests that were refused before.
    mutating func grantHolds() {
        for pane in mapped.subtracting(held).sorted(by: { $0.rawValue < $1.rawValue })
        where director.covers[pane]?.isInputHoldRequested == true {
            held.insert(pane)
            tell(.pane(pane, .held(true, nil)))
        }
    }

    /// Simulates the loss of the display.
    mutating func mappedAreGone() {
        held = []
        mapped = []
    }
}
