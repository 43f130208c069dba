import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@testable import STScreen

@Suite("The foreground window of an X display")
struct X11FocusTests {
    /// Lets any client of the display write the property in which a window manager names the active window.
    private static func claim(_ id: UInt32, _ stage: XStage) throws {
        let words = ["-root", "-f", "_NET_ACTIVE_WINDOW", "32c", "-set", "_NET_ACTIVE_WINDOW", "\(id)"]
        _ = try stage.display.run("xprop", list: words)
    }

    @Test("The foreground window is the one with the input focus, even if a client writes _NET_ACTIVE_WINDOW")
    func forged() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let idle = try stage.window(program, title: "idle", name: "Idle")
        let used = try stage.window(program, title: "used", name: "Used", x: 600)
        try used.tell("activate")
        try stage.waits("the used one is in front") { stage.scene.focusedWindow == used.window }
        stage.forgetEvents()
        for turn in 0..<20 {
            try Self.claim(turn.isMultiple(of: 2) ? idle.id : 0, stage)
            try used.tell("title \(turn)")
            try stage.waits("the title is reported") { stage.seen(used)?.title == "\(turn)" }
            #expect(stage.scene.focusedWindow == used.window)
        }
        let told = stage.events.filter { if case .focus = $0 { true } else { false } }
        #expect(told.isEmpty)
        // The window manager's own changes are still reported.
        try idle.tell("activate")
        try stage.waits("the other one is in front") { stage.scene.focusedWindow == idle.window }
    }

    @Test(
        "An unmanaged window with the input focus is in the foreground, unless it has a single pixel"
    )
    func unmanaged() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        // The window manager focuses a new window. A second request could move the focus back later in this test.
        let known = try stage.window(program, title: "known", name: "Known")
        try stage.waits("known is in front") { stage.scene.focusedWindow == known.window }
        let words = try program.ask("map hidden Hidden 100 100 500 300 unmanaged").split(separator: " ")
        let id = try #require(words.last.flatMap { UInt32($0) })
        let number = try #require(words.first)
        try program.ask("\(number) focus")
        try stage.waits("the unmanaged one is in front") { stage.scene.focusedWindow == XWindow.name(id) }
        #expect(stage.scene.windows[XWindow.name(id)]?.window.pid == program.process.pid)
        try program.ask("\(number) destroy")
        try known.tell("activate")
        try stage.waits("known is in front again") { stage.scene.focusedWindow == known.window }

        let tiny = try program.ask("map tiny Tiny 0 0 1 1 unmanaged").split(separator: " ")
        try program.ask("\(try #require(tiny.first)) focus")
        try known.tell("title fence")
        try stage.waits("the title is reported") { stage.seen(known)?.title == "fence" }
        #expect(stage.scene.windows.count == 1)
    }
}
