import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Input over covers on an X display")
struct X11HoldTests {
    @Test("Keys over a cover arrive by meaning and keyboard layout, and shortcuts are ignored")
    func keys() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), title: "typed")
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
        // Shortcuts of the desktop are no text and press nothing.
        for key in ["ctrl+c", "ctrl+Return", "alt+Tab", "super+space", "ctrl+Escape", "alt+BackSpace"] {
            try stage.display.xdotool("key", key)
        }
        try stage.display.run("setxkbmap", "-layout", "de")
        // The key beside P, which now has another letter.
        try stage.display.xdotool("key", "34")
        try stage.waits("the new keyboard layout is used") { keys(stage).last == .text("ü") }
        #expect(keys(stage).count == 10)
        #expect(try handle.tell("text").isEmpty)
        #expect(stage.scene.focusedWindow == handle.window)
    }

    private func keys(_ stage: XStage) -> [PaneKey] {
        stage.told("cover").compactMap { if case .key(let key) = $0 { key } else { nil } }
    }

    @Test(
        "With input held on X, keys go to the cover, other windows stay usable, and the app gets keys afterwards"
    )
    func held() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let covered = try stage.window(program, title: "covered")
        let other = try stage.window(program, title: "other", x: 600)
        try stage.cover(covered)
        stage.perform(.holdInput(PaneID("cover")))
        try stage.waits("it is held") { stage.held("cover") == true }

        try stage.waits("keys go to the other one") {
            try stage.display.xdotool("type", "x")
            return try other.tell("text").contains("x")
        }
        try covered.tell("activate")
        try stage.waits("it is in front") { stage.scene.focusedWindow == covered.window }
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
        try stage.waits("the screen reports the focus") { stage.scene.focusedWindow == covered.window }

        stage.perform(.closePane(PaneID("cover")))
        try stage.waits("the app is typed into again") {
            try stage.display.xdotool("type", "q")
            return try covered.tell("text").contains("q")
        }
    }

    @Test("The window manager's shortcuts work over a held cover, and no key reaches the app")
    func managersKeys() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let other = try stage.window(try stage.program(), title: "other", x: 600)
        let covered = try stage.window(program, title: "covered")
        try stage.cover(covered)
        stage.perform(.holdInput(PaneID("cover")))
        try stage.waits("it is held") { stage.held("cover") == true }
        program.process.signal(SIGSTOP)
        defer { program.process.signal(SIGCONT) }

        try stage.display.xdotool("type", "secret")
        try stage.display.xdotool("key", "ctrl+c", "key", "alt+x", "key", "super+y", "key", "shift+z")
        try stage.waits("the key has arrived") { keys(stage).last == .text("Z") }
        try stage.display.xdotool("key", "alt+Tab")
        try stage.waits("the other one is in front") { stage.scene.focusedWindow == other.window }
        program.process.signal(SIGCONT)
        #expect(try covered.tell("text").isEmpty)
    }

    @Test("A stopped app that grabs the X server delays its answers until it continues")
    func silence() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        _ = try stage.window(program, title: "greedy")
        let answers = AnswerCount()
        let screen: any DesktopScreen = stage.screen
        // A separate thread, because other tests may block all threads of the pool.
        let asker = try LoopThread(name: "asker")
        defer { asker.stop() }
        func ask() {
            Task(executorPreference: asker) {
                await screen.waitUntilResponsive()
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

    @Test("An open menu on X delays the hold, and a menu that ignores Escape loses the input")
    func menu() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let handle = try stage.window(program, title: "menu")
        #expect(try program.ask("menu open") == "0 0")
        try stage.cover(handle)
        stage.perform(.holdInput(PaneID("cover")))
        try stage.waits("it is refused") { stage.held("cover") == false }
        let why = stage.told("cover").compactMap { if case .held(_, let why) = $0 { why } else { nil } }
        #expect(why.first?.english.contains("menu") == true)

        try stage.waits("it is held") { stage.held("cover") == true }
        #expect(!stage.told("cover").contains(.key(.cancel)), "Escape goes to the menu")
    }

    @Test("20,000 motions and 1,000 keys over a stopped app leave its text and input unchanged")
    func stopped() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let handle = try stage.window(program, title: "stopped", x: 200, y: 200, width: 600, height: 400)
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

    @Test("Windows on X are minimized, activated and closed, and acts on missing windows do nothing")
    func acts() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let first = try stage.window(program, title: "first")
        let second = try stage.window(program, title: "second", x: 500)
        let third = try stage.window(program, title: "third", x: 800)
        try stage.cover(third)
        stage.perform(.minimize([third.window]), .activate(nil))
        try stage.waits("it is minimised, and the next one is in front") {
            stage.seen(third)?.isMinimized == true && stage.scene.focusedWindow == second.window
        }
        stage.perform(.activate(first.window))
        try stage.waits("the first is in front") { stage.scene.focusedWindow == first.window }
        stage.perform(.activate(third.window))
        try stage.waits("the third is back, with its cover") {
            stage.scene.focusedWindow == third.window && stage.isShown("cover")
        }
        stage.perform(.askToClose(second.window))
        try stage.waits("the second is closed") { stage.seen(second) == nil }
        // Actions on windows that no longer exist have no effect.
        stage.perform(
            .askToClose(second.window),
            .minimize([second.window]),
            .activate(second.window),
            .closePane(PaneID("unknown")),
            .holdInput(PaneID("unknown"))
        )
        try first.tell("title still")
        try stage.waits("the new title is reported") { stage.seen(first)?.title == "still" }
        #expect(stage.scene.focusedWindow == third.window && stage.isShown("cover"))
        #expect(stage.seen(first)?.isMinimized == false && stage.seen(third)?.isMinimized == false)
        #expect(stage.seen(second) == nil)
    }
}
