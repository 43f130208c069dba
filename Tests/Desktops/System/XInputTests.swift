import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

/// Input of people to a shield, which the app beneath must never receive.
@Suite("Input over the shields of a real X display", .serialized)
struct XInputTests {
    private static let motions = XHouse.isSoak ? 20_000 : 2_000
    private static let keys = XHouse.isSoak ? 1_000 : 100

    @Test("A storm of input over a paused editor leaves the editor connected and its text unchanged")
    func editorStorm() async throws {
        let scratch = try ScratchDirectory()
        let file = scratch.file("note.txt")
        try scratch.write("", to: "note.txt")
        try await XHouse.run(settings: ["idle_ms": "3600000"]) { house in
            try house.touch()
            try await house.grantAtOnce()
            let editor = try await house.editor(file)
            try await house.write("kept", to: file)
            try house.display.xdotool("type", "--delay", "15", " unsaved")
            try await house.limit(XHouse.mousepad, ms: 1_000)
            try await house.reaches(.paused, XHouse.mousepad)
            try storm(house, scratch)
            #expect(comesTrue { ProcessState.of(editor.pid) == "T" })
            try await house.grant(XHouse.mousepad)
            try await house.isLifted(XHouse.mousepad)
            try house.runs(editor.pid)
            try await house.write(" and on", to: file)
            #expect(ScratchDirectory.text(file).filter { $0 != "\n" } == "kept unsaved and on")
            #expect(editor.reap() == nil)
        }
    }

    @Test("Closing an editor from its shield lets it ask to save, and loses no text")
    func closesEditor() async throws {
        let scratch = try ScratchDirectory()
        let file = scratch.file("note.txt")
        try scratch.write("", to: "note.txt")
        try await XHouse.run(settings: ["idle_ms": "3600000"]) { house in
            try house.touch()
            let editor = try await house.editor(file)
            try await house.write("kept", to: file)
            try house.display.xdotool("type", "--delay", "15", " unsaved")
            try await house.limit(XHouse.mousepad, ms: 1_000)
            try await house.reaches(.paused, XHouse.mousepad)
            try house.keepPicture("close-the-app")
            // By the keyboard: the last control.
            try house.display.xdotool("key", "shift+Tab")
            try house.display.xdotool("key", "Return")
            try await house.reaches(.closing, XHouse.mousepad)
            try house.runs(editor.pid)
            // Keys to the cover have no effect, but the editor's question is answered.
            try await eventually(within: .seconds(40), "the editor has saved and is closed") {
                try house.display.xdotool("key", "alt+s")
                try await Task.sleep(for: .milliseconds(200))
                guard editor.reap() != nil else { throw NotYet("it runs") }
            }
            #expect(ScratchDirectory.text(file).filter { $0 != "\n" } == "kept unsaved")
            try await house.isLifted(XHouse.mousepad)
        }
    }

    @Test("A storm of input over a paused window does not reach the window")
    func windowStorm() async throws {
        let scratch = try ScratchDirectory()
        try await XHouse.run(settings: ["idle_ms": "3600000"]) { house in
            try house.touch()
            try await house.grantAtOnce()
            let program = try house.program()
            let number = try await house.window(program, "Alpha", x: 20, y: 40, width: 600, height: 420)
            // Without a shield all input arrives.
            try storm(house, scratch)
            try await eventually(within: .seconds(20), "the burst of input has arrived") {
                let (motions, letters) = try counts(program, number)
                guard motions > Self.motions / 2, letters == Self.keys else {
                    throw NotYet("\(motions) \(letters)")
                }
            }
            let (motions, _) = try counts(program, number)
            let kept = try program.ask("\(number) text")
            try await house.limit("alpha", ms: 1_000)
            try await house.reaches(.paused, "alpha")
            try storm(house, scratch)
            #expect(comesTrue { ProcessState.of(program.process.pid) == "T" })
            try await house.grant("alpha")
            try await house.isLifted("alpha")
            try house.runs(program.process.pid)
            #expect(try program.ask("\(number) text") == kept)
            #expect(try counts(program, number).motions == motions)
            try await house.inFront("alpha")
            try house.display.xdotool("type", "--delay", "15", "more")
            try await typed(kept + "more", program: program, number: number)
        }
    }

    @Test(
        "An editor's open menu closes at the limit without being taken for hung, and its text is kept"
    )
    func editorMenu() async throws {
        let scratch = try ScratchDirectory()
        let file = scratch.file("note.txt")
        try scratch.write("", to: "note.txt")
        try await XHouse.run(settings: ["idle_ms": "3600000"]) { house in
            try house.touch()
            try await house.grantAtOnce()
            let beta = try house.program()
            let number = try await house.window(beta, "Beta", x: 800, y: 300, width: 400, height: 300)
            let editor = try await house.editor(file)
            try await house.write("kept", to: file)
            let closed = try windows(house)
            #expect(try pinged(house))
            try house.display.xdotool("key", "alt+f")
            try await eventually(within: .seconds(20), "the menu is open") {
                guard try windows(house) > closed else { throw NotYet("it is not") }
            }
            try await house.limit(XHouse.mousepad, ms: 1_000)
            try await house.reaches(.paused, XHouse.mousepad)
            #expect(comesTrue { ProcessState.of(editor.pid) == "T" })
            #expect(try !pinged(house), "the window manager must not take it for hung")
            try house.keepPicture("menu-gone-paused")

            try house.display.xdotool("mousemove", "1000", "450", "click", "1")
            try await house.inFront("beta")
            try house.display.xdotool("type", "--delay", "15", "usable")
            try await typed("usable", program: beta, number: number)
            try await house.grant(XHouse.mousepad)
            try await house.isLifted(XHouse.mousepad)
            #expect(comesTrue { try pinged(house) })
            try house.display.xdotool("mousemove", "200", "200", "click", "1")
            try await house.inFront(XHouse.mousepad)
            try await house.write(" and on", to: file)
            #expect(ScratchDirectory.text(file).filter { $0 != "\n" } == "kept and on")
        }
    }

    @Test(
        "A menu that takes all input and ignores Escape neither prevents the pause nor blocks other windows"
    )
    func windowMenu() async throws {
        try await XHouse.run(settings: ["idle_ms": "3600000"]) { house in
            try house.touch()
            let beta = try house.program()
            let number = try await house.window(beta, "Beta", x: 700, y: 300)
            let alpha = try house.program()
            _ = try await house.window(alpha, "Alpha")
            #expect(try alpha.ask("menu open") == "0 0")
            try await house.limit("alpha", ms: 1_000)
            let shield = try await house.reaches(.paused, "alpha")
            #expect(shield.steps.contains { $0.text.english.contains("An open menu") })
            #expect(comesTrue { ProcessState.of(alpha.process.pid) == "T" })
            try beta.ask("\(number) activate")
            try await house.inFront("beta")
            try house.display.xdotool("type", "--delay", "15", "usable")
            try await typed("usable", program: beta, number: number)
        }
    }

    @Test("A second instance, a dialog and a utility window of a paused app are covered and paused too")
    func others() async throws {
        try await XHouse.run(settings: ["idle_ms": "3600000"]) { house in
            try house.touch()
            let first = try house.program()
            _ = try await house.window(first, "Alpha")
            try await house.limit("alpha", ms: 1_000)
            try await house.reaches(.paused, "alpha")
            let second = try house.program()
            try second.ask("map Alpha Alpha 620 40 300 300")
            try second.ask("map Question Alpha 700 400 200 150 dialog")
            try second.ask("map Film Alpha 950 40 200 150 utility")
            try await eventually(within: .seconds(30), "all windows are covered, and both apps are paused") {
                let shield = try await house.shield("alpha")
                guard shield?.windows.count == 4, shield?.stage == .paused,
                    ProcessState.of(first.process.pid) == "T", ProcessState.of(second.process.pid) == "T"
                else { throw NotYet("\(String(describing: shield))") }
            }
            #expect(try await house.shield("alpha")?.notPaused == nil)
            try house.keepPicture("second-start")
        }
    }

    private func typed(_ text: String, program: LineProgram, number: Int) async throws {
        try await eventually(within: .seconds(20), "\(text) has arrived") {
            let found = try program.ask("\(number) text")
            guard found == text else { throw NotYet(found) }
        }
    }

    private func counts(_ program: LineProgram, _ number: Int) throws -> (motions: Int, letters: Int) {
        let numbers = try program.ask("\(number) input").split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 3 else { throw NotYet("\(numbers)") }
        return (numbers[0], numbers[2])
    }

    /// Returns true if the editor supports the window manager's pings.
    private func pinged(_ house: XHouse) throws -> Bool {
        let id =
            try house.display.run("xdotool", "search", "--onlyvisible", "--class", "mousepad")
            .split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
        return try house.display.run("xprop", "-id", id, "WM_PROTOCOLS").contains("_NET_WM_PING")
    }

    /// Returns the number of windows on the display, including menus.
    private func windows(_ house: XHouse) throws -> Int {
        try house.display.run("xwininfo", "-root", "-tree").split(separator: "\n").count { $0.contains("0x") }
    }

    /// Sends input over the window in the upper left corner.
    private func storm(_ house: XHouse, _ scratch: ScratchDirectory) throws {
        var random = SeededRandom(seed: 11)
        var lines: [String] = []
        for turn in 0..<Self.motions {
            lines.append("mousemove \(60 + random.next() % 400) \(80 + random.next() % 200)")
            if turn % (Self.motions / Self.keys) == 0 {
                lines.append("key --delay 0 \(["a", "z", "q"][turn % 3])")
            }
        }
        try scratch.write("mousemove 100 100\n" + lines.joined(separator: "\n") + "\n", to: "storm.txt")
        let startMs = Stopwatch.milliseconds()
        try house.display.run("xdotool", scratch.file("storm.txt"))
        print("\(Self.motions) motions and \(Self.keys) keys in \(Stopwatch.milliseconds() - startMs) ms")
    }
}
