import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Input over covers on an X display")
struct X11HoldTests {
    @Test("keys over a cover arrive by their meaning, in the layout that the display has")
    func keys() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), "typed")
        try stage.cover(handle)
        stage.forgetEvents()

        try stage.display.xdotool("key", "Tab", "key", "shift+Tab", "key", "Return", "key", "space")
        try stage.display.xdotool(
            "key",
            "Escape",
            "key",
            "BackSpace",
            "key",
            "a",
            "key",
            "shift+a",
            "key",
            "7"
        )
        try stage.waits("all keys have arrived") { keys(stage).count == 9 }
        #expect(
            keys(stage) == [
                .next, .previous, .press, .text(" "), .cancel, .backspace, .text("a"), .text("A"), .text("7"),
            ]
        )
        // Commands of others are no text and press nothing.
        for key in ["ctrl+c", "ctrl+Return", "alt+Tab", "super+space", "ctrl+Escape", "alt+BackSpace"] {
            try stage.display.xdotool("key", key)
        }
        try stage.display.run("setxkbmap", "-layout", "de")
        // The key beside P: it has another letter now.
        try stage.display.xdotool("key", "34")
        try stage.waits("the layout was noticed") { keys(stage).last == .text("ü") }
        #expect(keys(stage).count == 10)
        #expect(try handle.tell("text").isEmpty)
        #expect(stage.scene.focus == handle.window)
    }

    private func keys(_ stage: XStage) -> [PaneKey] {
        stage.told("cover").compactMap { if case .key(let key) = $0 { key } else { nil } }
    }

    @Test(
        "held: no key reaches the app, other windows stay usable, and the keyboard comes back when the app does"
    )
    func held() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let covered = try stage.window(program, "covered")
        let other = try stage.window(program, "other", x: 600)
        try stage.cover(covered)
        stage.perform(.holdInput(PaneID("cover")))
        try stage.waits("it is held") { stage.held("cover") == true }

        try stage.waits("keys go to the other one") {
            try stage.display.xdotool("type", "x")
            return try other.tell("text").contains("x")
        }
        try covered.tell("activate")
        try stage.waits("it is in front") { stage.scene.focus == covered.window }
        try stage.waits("keys go to the cover") {
            try stage.display.xdotool("type", "y")
            return stage.told("cover").contains(.key(.text("y")))
        }
        // The app takes the keyboard by itself, and does not keep it.
        let before = try covered.tell("text")
        for _ in 0..<5 { try covered.tell("focus") }
        stage.forgetEvents()
        try stage.waits("keys go to the cover again") {
            try stage.display.xdotool("type", "w")
            return stage.told("cover").contains(.key(.text("w")))
        }
        let after = try covered.tell("text")
        #expect(before == after)
        try stage.waits("the screen reports the focus") { stage.scene.focus == covered.window }

        stage.perform(.closePane(PaneID("cover")))
        try stage.waits("the app is typed into again") {
            try stage.display.xdotool("type", "q")
            return try covered.tell("text").contains("q")
        }
    }

    @Test("the window manager's keys work over a held cover, and no other combination reaches the app")
    func managersKeys() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let other = try stage.window(try stage.program(), "other", x: 600)
        let covered = try stage.window(program, "covered")
        try stage.cover(covered)
        stage.perform(.holdInput(PaneID("cover")))
        try stage.waits("it is held") { stage.held("cover") == true }
        program.process.signal(SIGSTOP)
        defer { program.process.signal(SIGCONT) }

        try stage.display.xdotool("type", "secret")
        try stage.display.xdotool("key", "ctrl+c", "key", "alt+x", "key", "super+y", "key", "shift+z")
        try stage.waits("the key has arrived") { keys(stage).last == .text("Z") }
        try stage.display.xdotool("key", "alt+Tab")
        try stage.waits("the other one is in front") { stage.scene.focus == other.window }
        program.process.signal(SIGCONT)
        #expect(try covered.tell("text").isEmpty)
    }

    @Test("a stopped app that has the display to itself: no answer, until it runs again")
    func silence() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        _ = try stage.window(program, "greedy")
        let answers = AnswerCount()
        let screen: any DesktopScreen = stage.screen
        // A thread of its own: other tests may hold all of the pool's while they wait.
        let asker = try LoopThread(name: "asker")
        defer { asker.stop() }
        func ask() {
            Task(executorPreference: asker) {
                await screen.answers()
                answers.add()
            }
        }
        ask()
        try stage.waits("it answers") { answers.count == 1 }
        try program.ask("server take")
        program.process.signal(SIGSTOP)
        defer { program.process.signal(SIGCONT) }
        ask()
        usleep(500_000)
        #expect(answers.count == 1)
        program.process.signal(SIGCONT)
        try program.ask("server give")
        try stage.waits("it answers again") { answers.count == 2 }
    }

    @Test("an open menu makes it wait, and one that ignores Escape is taken away")
    func menu() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let handle = try stage.window(program, "menu")
        #expect(try program.ask("menu open") == "0 0")
        try stage.cover(handle)
        stage.perform(.holdInput(PaneID("cover")))
        try stage.waits("it is refused") { stage.held("cover") == false }
        let why = stage.told("cover").compactMap { if case .held(_, let why) = $0 { why } else { nil } }
        #expect(why.first?.english.contains("menu") == true)

        try stage.waits("it is held") { stage.held("cover") == true }
        #expect(!stage.told("cover").contains(.key(.cancel)), "Escape goes to the menu")
    }

    @Test("20,000 motions and 1,000 keys over a stopped app leave it as it was")
    func stopped() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let handle = try stage.window(program, "stopped", x: 200, y: 200, width: 600, height: 400)
        try stage.display.xdotool("type", "precious")
        try stage.waits("it was typed") { try handle.tell("text") == "precious" }
        let before = try handle.tell("input")
        try stage.cover(handle)
        stage.perform(.holdInput(PaneID("cover")))
        try stage.waits("it is held") { stage.held("cover") == true }
        program.process.signal(SIGSTOP)
        stage.forgetEvents()

        var script = ""
        for index in 0..<20_000 { script += "mousemove \(300 + index % 300) \(300 + index / 100 % 200)\n" }
        for _ in 0..<1_000 { script += "key k\n" }
        try stage.scratch.write(script, to: "script")
        let cpuBefore = ProcessMemory.sample(pid: getpid())?.cpuMs ?? 0
        try stage.display.run("xdotool", "-", input: stage.scratch.file("script"))
        try stage.waits("all keys have arrived", within: .seconds(300)) {
            stage.told("cover").filter { $0 == .key(.text("k")) }.count == 1_000
        }
        print(
            "20,000 motions and 1,000 keys: \((ProcessMemory.sample(pid: getpid())?.cpuMs ?? 0) - cpuBefore) ms of CPU"
        )

        program.process.signal(SIGCONT)
        #expect(try handle.tell("text") == "precious")
        #expect(try handle.tell("input") == before)
        stage.perform(.closePane(PaneID("cover")))
        try stage.waits("it is typed into again") {
            try stage.display.xdotool("type", "!")
            return try handle.tell("text").hasSuffix("!")
        }
    }

    @Test("minimise, bring to the front and close, as a pager asks for it")
    func acts() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let first = try stage.window(program, "first")
        let second = try stage.window(program, "second", x: 500)
        let third = try stage.window(program, "third", x: 800)
        try stage.cover(third)
        stage.perform(.minimize([third.window]), .activate(nil))
        try stage.waits("it is minimised, and the next one is in front") {
            stage.seen(third)?.isMinimized == true && stage.scene.focus == second.window
        }
        stage.perform(.activate(first.window))
        try stage.waits("the first is in front") { stage.scene.focus == first.window }
        stage.perform(.activate(third.window))
        try stage.waits("the third is back, with its cover") {
            stage.scene.focus == third.window && stage.isShown("cover")
        }
        stage.perform(.askToClose(second.window))
        try stage.waits("the second is closed") { stage.seen(second) == nil }
        // Acts on what is not there any more do nothing.
        stage.perform(
            .askToClose(second.window),
            .minimize([second.window]),
            .activate(second.window),
            .closePane(PaneID("unknown")),
            .holdInput(PaneID("unknown"))
        )
        try first.tell("title still")
        try stage.waits("it goes on") { stage.seen(first)?.title == "still" }
        #expect(stage.scene.focus == third.window && stage.isShown("cover"))
        #expect(stage.seen(first)?.isMinimized == false && stage.seen(third)?.isMinimized == false)
        #expect(stage.seen(second) == nil)
    }
}
