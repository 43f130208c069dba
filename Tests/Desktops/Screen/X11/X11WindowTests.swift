import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Windows of an X display")
struct X11WindowTests {
    @Test("A visible window on X is reported as shown, whatever its own properties claim")
    func lies() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), title: "liar")
        try stage.cover(handle)
        for (name, type, value) in [
            ("_NET_WM_STATE", "32a", "_NET_WM_STATE_HIDDEN"), ("_NET_WM_DESKTOP", "32c", "1"),
            ("WM_STATE", "32c", "3"),
        ] {
            let id = String(handle.id)
            try stage.display.run("xprop", "-id", id, "-f", name, type, "-set", name, value)
            try handle.tell("title \(name)")
            try stage.waits("the title is reported") { stage.seen(handle)?.title == name }
            #expect(stage.seen(handle)?.isShown == true, "\(name)")
            #expect(stage.isShown("cover"), "\(name)")
        }
    }

    @Test("Foreground windows on X are reported in order with the times of the changes")
    func focusOrder() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let first = try stage.window(program, title: "one", name: "First")
        let second = try stage.window(program, title: "two", name: "Second", x: 600)
        try stage.waits("the second is in front") { stage.scene.focusedWindow == second.window }
        stage.forgetEvents()

        var wanted: [WindowID] = []
        var moments: [(Int64, Int64)] = []
        for turn in 0..<6 {
            let handle = turn.isMultiple(of: 2) ? first : second
            let before = Stopwatch.bootMilliseconds()
            try handle.tell("activate")
            try stage.waits("it is in front") { stage.scene.focusedWindow == handle.window }
            moments.append((before, Stopwatch.bootMilliseconds()))
            wanted.append(handle.window)
        }

        let told = stage.events.compactMap { event -> (WindowID?, Int64)? in
            if case .focus(let id, let bootMs) = event { (id, bootMs) } else { nil }
        }
        #expect(told.map(\.0) == wanted)
        for (moment, (_, bootMs)) in zip(moments, told) {
            #expect(bootMs >= moment.0 - 2 && bootMs <= moment.1 + 2)
        }
        try second.tell("destroy")
        try first.tell("destroy")
        try stage.waits("no window is left") {
            stage.scene.focusedWindow == nil && stage.scene.windows.isEmpty
        }
    }

    @Test("The process of a window on X comes from the server, not from the window's own property")
    func liar() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let pid = try Int32(program.ask("pid")) ?? 0
        let handle = try stage.window(program, title: "honest")
        #expect(stage.seen(handle)?.pid == pid)
        #expect(stage.seen(handle)?.claimedPid == pid)

        try handle.tell("pid 1")
        try stage.waits("the wrong process id is reported") { stage.seen(handle)?.claimedPid == 1 }
        #expect(stage.seen(handle)?.pid == program.process.pid)

        // A program that reports a wrong pid from the beginning.
        try program.ask("lie 1")
        let liar = try stage.window(program, title: "liar")
        #expect(stage.seen(liar)?.pid == program.process.pid)
        #expect(stage.seen(liar)?.claimedPid == 1)
    }

    @Test("Titles, classes and desktop file IDs of X windows are reported, sanitized and limited")
    func properties() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), title: "first", name: "Some.App")
        #expect(stage.seen(handle)?.title == "first")
        #expect(stage.seen(handle)?.windowClass == "Some.App")
        #expect(stage.seen(handle)?.instance == "some.app")

        try handle.tell("title 한국어 제목")
        try stage.waits("the title is Korean") { stage.seen(handle)?.title == "한국어 제목" }
        try handle.tell("title-bytes 65536 41")
        try stage.waits("the title is cut") { stage.seen(handle)?.title?.hasPrefix("AAAA") == true }
        #expect(stage.seen(handle)?.title?.utf8.count == DesktopWindow.textBytesMax)
        try handle.tell("title-bytes 300 ff")
        try stage.waits("bad bytes are replaced") { stage.seen(handle)?.title?.contains("\u{FFFD}") == true }
        #expect((stage.seen(handle)?.title?.utf8.count ?? .max) <= DesktopWindow.textBytesMax)
        try handle.tell("title-bytes 3 1b")
        try stage.waits("control characters are replaced") { stage.seen(handle)?.title == "···" }
        try handle.tell("old-title caf\u{E9}")
        try stage.waits("the old property is used") { stage.seen(handle)?.title?.hasPrefix("caf") == true }
        try handle.tell("class none")
        try stage.waits("it has no class") { stage.seen(handle)?.windowClass == nil }
        #expect(stage.seen(handle)?.instance == nil)
        try handle.tell("kde org.kde.thing")
        try stage.waits("the id is reported") { stage.seen(handle)?.desktopFile == "org.kde.thing" }
        try handle.tell("gtk org.gnome.Thing")
        try stage.waits("the toolkit's id has precedence") {
            stage.seen(handle)?.desktopFile == "org.gnome.Thing"
        }
    }

    @Test("Frames, minimizing, workspaces and full screen of X windows are reported")
    func states() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(
            try stage.program(),
            title: "it",
            x: 100,
            y: 120,
            width: 300,
            height: 200
        )
        try handle.tell("move 300 250")
        try stage.waits("it has moved") {
            stage.seen(handle).flatMap(\.frame).map { $0.x >= 300 && $0.y >= 250 } ?? false
        }
        try handle.tell("resize 500 350")
        try stage.waits("it has grown") {
            stage.seen(handle).flatMap(\.frame).map { ($0.width, $0.height) == (500, 350) } ?? false
        }
        #expect(try XTruth.frame(of: handle, on: stage.display) == stage.seen(handle)?.frame)

        try handle.tell("minimize")
        try stage.waits("it is minimised") {
            stage.seen(handle).map { $0.isMinimized && !$0.isShown } ?? false
        }
        try handle.tell("activate")
        try stage.waits("it is back") { stage.seen(handle).map { !$0.isMinimized && $0.isShown } ?? false }
        try handle.tell("desktop 1")
        try stage.waits("the window is on another workspace") {
            stage.seen(handle).map { !$0.isMinimized && !$0.isShown } ?? false
        }
        try stage.display.xdotool("set_desktop", "1")
        try stage.waits("the window is on the current workspace") { stage.seen(handle)?.isShown == true }
        try handle.tell("fullscreen on")
        try stage.waits("it is fullscreen") {
            stage.seen(handle).map {
                $0.isFullscreen && $0.frame == ScreenRect(x: 0, y: 0, width: 1280, height: 800)
            }
                ?? false
        }
    }

    @Test("Panels, desktops and notifications on X are not apps")
    func chrome() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        for kind in ["dock", "desktop", "notification"] {
            let answer = try program.ask("map \(kind) Panel 0 0 300 200 \(kind)")
            let id = try #require(answer.split(separator: " ").last.flatMap { UInt32($0) })
            let window = WindowID("x11:0x" + String(id, radix: 16))
            try stage.waits("\(kind) is chrome") { stage.scene.windows[window]?.window.isChrome == true }
        }
        #expect(!stage.scene.chromePids.isEmpty)
        // It now has an app's window.
        _ = try stage.window(program, title: "ordinary")
        #expect(stage.scene.chromePids.isEmpty)
    }

    @Test(
        "An app window on X that claims to be a panel stays an app, and a focused toolbar is an app"
    )
    func disguises() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let handle = try stage.window(program, title: "game")
        for kind in ["dock", "menu", "desktop"] {
            try handle.tell("type \(kind)")
            try handle.tell("title as-\(kind)")
            try stage.waits("its new title is reported") { stage.seen(handle)?.title == "as-\(kind)" }
            #expect(stage.seen(handle)?.isChrome == false)
        }
        try handle.tell("unmap")
        try stage.waits("it is gone") { stage.seen(handle) == nil }
        try handle.tell("show")
        try stage.waits("it is back") { stage.seen(handle)?.isShown == true }
        #expect(stage.seen(handle)?.isChrome == false)

        let answer = try program.ask("map tool Tool 500 300 300 200 toolbar")
        let words = answer.split(separator: " ")
        let other = XHandle(
            program: program,
            number: try #require(words.first.flatMap { Int($0) }),
            id: try #require(words.last.flatMap { UInt32($0) })
        )
        try other.tell("activate")
        try stage.waits("it is in front, and an app") {
            stage.scene.focusedWindow == other.window && stage.seen(other)?.isChrome == false
        }
    }

    @Test("Windows on X that exist for milliseconds leave no trace, and 200 more are all reported")
    func storms() throws {
        let stage = try XStage()
        defer { stage.end() }
        let program = try stage.program()
        let survivor = try stage.window(program, title: "survivor")
        try program.ask("storm 300")
        try survivor.tell("title still-here")
        try stage.waits("only one window is left") {
            stage.scene.windows.count == 1 && stage.seen(survivor)?.title == "still-here"
        }

        for index in 0..<200 { try program.ask("map many-\(index) Many \(index) \(index) 80 60") }
        try stage.waits("all windows are reported") { stage.scene.windows.count == 201 }
        #expect(stage.scene.windows.values.filter { $0.window.windowClass == "Many" }.count == 200)
        #expect(stage.scene.windows.values.allSatisfy { $0.window.pid == program.process.pid })
        // The window manager may still be moving the last of them.
        try stage.waits("all reports match the display") { try XTruth.differences(stage).isEmpty }
    }

    @Test("Without a window manager the input focus decides, and a window manager that starts later is used")
    func noManager() throws {
        let stage = try XStage(hasWindowManager: false)
        defer { stage.end() }
        #expect(!stage.scene.abilities.minimizes)
        let program = try stage.program()
        let first = try stage.window(program, title: "one")
        let second = try stage.window(program, title: "two", x: 600)
        for handle in [first, second, first] {
            try handle.tell("focus")
            try stage.waits("it is in front") { stage.scene.focusedWindow == handle.window }
        }
        stage.perform(.activate(second.window))
        try stage.waits("it was brought to the front") { stage.scene.focusedWindow == second.window }

        try stage.display.startWindowManager()
        try stage.waits("a window manager is detected") {
            stage.scene.abilities.minimizes && stage.scene.windows.count == 2
        }
        try first.tell("activate")
        try stage.waits("it is in front") { stage.scene.focusedWindow == first.window }
        try stage.waits("all reports match the display") { try XTruth.differences(stage).isEmpty }
    }
}
