import Glibc
import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

/// Random actions of windows. At the end the adapter must have the same state as sway.
@Suite("Random walks on sway") struct WalkTests {
    private static let steps = TestScale.count(300, soak: 10_000)
    private static let seed = ProcessEnvironment.current()["SCREENTIME_SEED"].flatMap(UInt64.init) ?? 20_251

    /// The message with which sway 1.7 aborts when it draws a window without a size.
    ///
    /// This concerns some windows that appear while another one is fullscreen. The test then starts sway again, like a session.
    /// Any other end of sway is a failure.
    private static let ownAbort = "Assertion `box->width > 0 && box->height > 0' failed"
    private static let abortsMax = 20

    /// A sway, an adapter connected to it, and windows that perform actions.
    private final class Round {
        let sway: Sway
        let windows: LineProgram
        let watched: Watched
        var open: [Int] = []

        init() throws {
            sway = try Sway { $0.outputs = 2 }
            windows = try sway.window()
            watched = try Watched(sway)
        }

        var log: String { ScratchDirectory.text(sway.scratch.file("sway.log")) }

        func end() {
            watched.screen.close()
            sway.end()
        }
    }

    @Test("After a random walk through windows on sway, the adapter has the same windows as sway")
    func theAdapterKnowsWhatSwayKnows() throws {
        var round = try Round()
        defer { round.end() }
        var random = SeededRandom(seed: Self.seed)
        var memory: Int64 = 0
        var aborts = 0
        for step in 0..<Self.steps {
            do {
                try self.step(&random, round)
            } catch {
                let hasEnded = round.sway.process.wait(deadlineMs: 5_000) != nil
                guard hasEnded, round.log.contains(Self.ownAbort), aborts < Self.abortsMax else {
                    Issue.record(
                        "seed \(Self.seed), step \(step), sway ended: \(hasEnded): \(error); \(round.log.suffix(600)); \(round.watched.events.suffix(3))"
                    )
                    return
                }
                #expect(comesTrue(within: .seconds(5)) { round.watched.isLost }, "its end is reported")
                aborts += 1
                round.end()
                round = try Round()
            }
            if step % 200 == 199 { round.watched.forget() }
            if step == Self.steps / 2 { memory = ProcessMemory.sample(pid: getpid())?.privateBytes ?? 0 }
        }
        let growth = (ProcessMemory.sample(pid: getpid())?.privateBytes ?? 0) - memory
        print(
            "walk: \(Self.steps) events, memory of the second half: \(growth) bytes; windows: \(round.open.count); sway aborted \(aborts) times"
        )
        // Only the soak runs no other tests in this process at the same time.
        #expect(growth < 64 << 20 || !TestScale.isSoak)
        // A cover makes the adapter read frames, because sway does not report them.
        if let id = round.watched.scene.windows.keys.first {
            round.watched.screen.perform([CoverTests().order(id)])
        }
        do {
            try eventuallyBlocking(within: .seconds(30), "both know the same") {
                let (theirs, front) = try known(round.sway)
                let ours = known(round.watched, asksFront: front != nil)
                guard theirs == ours else {
                    throw NotYet("sway \(Set(theirs).subtracting(ours)), we \(Set(ours).subtracting(theirs))")
                }
            }
        } catch {
            Issue.record("seed \(Self.seed): \(error)")
        }
    }

    private func step(_ random: inout SeededRandom, _ round: Round) throws {
        let (sway, windows, watched) = (round.sway, round.windows, round.watched)
        // sway 1.7 itself crashes on some of these actions if there is no window.
        if round.open.isEmpty {
            let made = try windows.ask("map first app.walk0")
            try windows.ask("title \(made) w\(made)")
            round.open.append(Int(made) ?? 0)
            _ = comesTrue(within: .seconds(3)) { watched.window("w\(made)") != nil }
        }
        let number = random.pick(round.open)
        let one = number.map { "[title=^w\($0)$]" } ?? ""
        let x = random.number(0...1_500)
        let y = random.number(0...600)
        switch random.number(0...14) {
        case 0...3 where round.open.count < 12:
            // Three apps, so that many windows share one.
            let app = random.number(0...2)
            let made = try windows.ask("map wait app.walk\(app)")
            try windows.ask("title \(made) w\(made)")
            round.open.append(Int(made) ?? 0)
        case 4 where number != nil:
            try windows.ask("close \(number ?? 0)")
            round.open.removeAll { $0 == number }
        case 5, 6: try? sway.command("\(one) focus")
        case 7: try? sway.command("\(one) floating toggle")
        case 8: try? sway.command("\(one) move absolute position \(x) \(y)")
        case 9: try? sway.command("\(one) resize set \(x / 3 + 100) \(y / 2 + 100)")
        case 10: try? sway.command("workspace \(random.number(1...3))")
        case 11: try? sway.command("\(one) fullscreen toggle")
        case 12: try? sway.command("layout \(random.pick(["tabbed", "stacking", "splith", "splitv"]) ?? "")")
        // Not to the scratchpad, because sway 1.7 itself sometimes crashes when such a window is closed.
        case 13: try? sway.command("\(one) move workspace 2")
        default:
            guard let id = random.pick(watched.scene.windows.keys.sorted { $0.rawValue < $1.rawValue }) else {
                return
            }
            let pane = PaneID("walk")
            watched.screen.perform(
                random.chance(percent: 50)
                    ? [.closePane(pane)]
                    : [
                        .openPane(
                            PaneRequest(
                                id: pane,
                                place: .over(id),
                                background: 0xFF11_2233,
                                name: "Walk",
                                takesKeys: random.chance(percent: 50)
                            )
                        ), .holdInput(pane),
                    ]
            )
        }
    }

    /// Returns a line for each window, in no order, including which one has the focus.
    private func known(_ watched: Watched, asksFront: Bool) -> [String] {
        let scene = watched.scene
        return scene.windows.values.map(\.window).map { window in
            let place = window.frame.map { "\($0.x),\($0.y) \($0.width)x\($0.height)" } ?? "nowhere"
            let front = asksFront && scene.focusedWindow == window.id ? " front" : ""
            return "\(window.title ?? "") \(window.windowClass ?? "") \(place) \(window.isShown)\(front)"
        }.sorted()
    }

    /// Returns sway's windows and focus. sway 1.7 may focus a window that a fullscreen window hides: then the focus is `nil`.
    private func known(_ sway: Sway) throws -> (windows: [String], front: Int64?) {
        let tree = try sway.ask("get_tree")
        let front = leaf(tree).flatMap { node in
            node["visible"] == .bool(true) ? node.number("id") : nil
        }
        var lines: [String] = []
        collect(tree, isAway: false, front: front, &lines)
        return (lines.sorted(), front)
    }

    private func leaf(_ node: JSONValue) -> JSONValue? {
        let children = node.list("nodes") + node.list("floating_nodes")
        guard !children.isEmpty else { return node["pid"] != nil ? node : nil }
        guard case .array(let order)? = node["focus"], case .integer(let first)? = order.first else {
            return nil
        }
        return children.first { $0.number("id") == first }.flatMap { leaf($0) }
    }

    private func collect(_ node: JSONValue, isAway: Bool, front: Int64?, _ lines: inout [String]) {
        let isAway = isAway || node["name"]?.string == "__i3_scratch"
        if node["pid"] != nil, let rect = node["rect"], let inner = node["window_rect"] {
            let x = rect.number("x") + inner.number("x")
            let y = rect.number("y") + inner.number("y")
            // sway reports negative sizes for windows without a size.
            let place = "\(x),\(y) \(max(0, inner.number("width")))x\(max(0, inner.number("height")))"
            let isShown = node["visible"] == .bool(true) && !isAway
            let mark = node.number("id") == front ? " front" : ""
            lines.append(
                "\(node["name"]?.string ?? "") \(node["app_id"]?.string ?? "") \(place) \(isShown)\(mark)"
            )
        }
        for child in node.list("nodes") + node.list("floating_nodes") {
            collect(child, isAway: isAway, front: front, &lines)
        }
    }
}

extension JSONValue {
    fileprivate func list(_ key: String) -> [JSONValue] {
        if case .array(let list)? = self[key] { list } else { [] }
    }

    fileprivate func number(_ key: String) -> Int64 {
        if case .integer(let number)? = self[key] { number } else { 0 }
    }
}
