import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Real apps on an X display")
struct X11AppTests {
    @Test(
        "An editor that is covered and stopped keeps its text, receives no keys, and accepts typing afterwards"
    )
    func editor() throws {
        let stage = try XStage()
        defer { stage.end() }
        let file = stage.scratch.file("note.txt")
        try stage.scratch.write("", to: "note.txt")
        let editor = try stage.display.start("mousepad", file, environment: ["GSETTINGS_BACKEND": "memory"])
        try stage.waits("the editor is in front", within: .seconds(60)) { front(stage)?.pid == editor.pid }
        let window = try #require(front(stage))
        #expect(window.windowClass == "Mousepad")
        try stage.waits("it is typed into") {
            try stage.display.xdotool("type", "a")
            try stage.display.xdotool("key", "ctrl+s")
            return ScratchDirectory.text(file).contains("a")
        }
        let before = ScratchDirectory.text(file)

        let order = PaneRequest(
            id: PaneID("cover"),
            place: .over(window.id),
            background: 0xFF_AA_11_22,
            name: "Time is up",
            takesKeys: true
        )
        stage.perform(.openPane(order), .holdInput(order.id))
        try stage.waits("it is held") { stage.held("cover") == true }
        editor.signal(SIGSTOP)
        try stage.display.xdotool("type", "zzz")
        try stage.display.xdotool("mousemove", "300", "300", "click", "1", "click", "3")
        try stage.waits("keys arrive") { stage.told("cover").filter { $0 == .key(.text("z")) }.count == 3 }
        #expect(stage.scene.focusedWindow == window.id)
        editor.signal(SIGCONT)
        // It is still covered, so this text does not reach the editor either.
        try stage.display.xdotool("type", "yyy")
        stage.perform(.closePane(order.id))
        try stage.waits("it is typed into again") {
            try stage.display.xdotool("type", "b")
            try stage.display.xdotool("key", "ctrl+s")
            return ScratchDirectory.text(file).contains("b")
        }
        let after = ScratchDirectory.text(file)
        // The first save may contain fewer letters than were typed by then.
        #expect(after.hasPrefix(before.prefix { $0 == "a" }))
        #expect(!after.contains { "zy".contains($0) })
        #expect(editor.reap() == nil)
    }

    private func front(_ stage: XStage) -> DesktopWindow? {
        stage.scene.focusedWindow.flatMap { stage.scene.windows[$0]?.window }
    }
}

@Suite("X display for tests")
struct XDisplayTests {
    @Test("An X display for tests has a window manager, monitors and real programs, and ends them")
    func programs() throws {
        let scratch = try ScratchDirectory()
        let display = try XDisplay(
            scratch,
            monitors: [
                ScreenRect(x: 0, y: 0, width: 640, height: 800),
                ScreenRect(x: 640, y: 0, width: 640, height: 800),
            ]
        )
        defer { display.stop() }

        let terminal = try display.start(
            "xterm",
            "-title",
            "here",
            "-bg",
            "#102030",
            "-geometry",
            "60x20+20+40"
        )

        try eventuallyBlocking("the terminal is on the screen") {
            guard try display.clients().count == 1 else { throw NotYet("no client") }
            guard try display.colour(x: 200, y: 200) == "#102030" else { throw NotYet("not drawn") }
        }
        #expect(try display.run("xrandr", "--listmonitors").contains("MONITOR-2"))
        #expect(comesTrue { try display.activeWindow() == display.clients().first })
        display.stop()
        #expect(terminal.hasEnded)
    }
}
