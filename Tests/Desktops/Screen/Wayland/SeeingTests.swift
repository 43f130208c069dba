import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

@Suite("Windows and focus on sway") struct SeeingTests {
    @Test("Real apps on sway are reported with process, frame, output and focus")
    func realAppsAreSeenWithProcessAndFrame() throws {
        let sway = try Sway()
        defer { sway.end() }
        let first = try sway.run("/usr/bin/foot", ["--app-id", "first", "cat"])
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let seen = try watched.wait("first")
        #expect(seen.pid == first.pid)
        #expect(comesTrue { watched.window("first")?.outputs == ["HEADLESS-1"] })
        #expect(comesTrue { watched.scene.focusedWindow == seen.id })
        #expect(
            watched.scene.outputs == [
                DesktopOutput(
                    name: "HEADLESS-1",
                    frame: ScreenRect(x: 0, y: 0, width: 1280, height: 720),
                    scale: 1
                )
            ]
        )
        let frame = try #require(seen.frame)
        #expect(frame.width > 1200 && frame.height > 650)
        #expect(watched.scene.abilities.reportsFrames && watched.scene.abilities.covers)
        let second = try sway.run("/usr/bin/foot", ["--app-id", "second", "cat"])
        #expect(try watched.wait("second").pid == second.pid)
        #expect(comesTrue { watched.scene.focusedWindow == watched.window("second")?.id })
        #expect(comesTrue { (watched.window("first")?.frame?.width ?? 9_999) < 700 })
    }

    @Test("Changes of focus on sway are reported in order with the times of the changes")
    func focusIsToldInOrderAndWhenItHappened() throws {
        let sway = try Sway()
        defer { sway.end() }
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let windows = try sway.window()
        for name in ["one", "two", "three"] { try windows.ask("map \(name) app.\(name)") }
        #expect(comesTrue { watched.front == "three" })
        watched.forget()
        var wanted: [String] = []
        var asked: [(from: Int64, to: Int64)] = []
        for name in ["one", "three", "two", "one", "two"] {
            let from = Stopwatch.bootMilliseconds()
            try sway.command("[title=^\(name)$] focus")
            asked.append((from, Stopwatch.bootMilliseconds()))
            wanted.append(name)
        }
        try sway.command("workspace 7")
        func told() -> [(String?, Int64)] {
            watched.events.compactMap { event in
                guard case .focus(let id, let bootMs) = event else { return nil }
                return (id.flatMap { watched.scene.windows[$0]?.window.title }, bootMs)
            }
        }
        #expect(comesTrue { told().count >= 6 })
        #expect(told().map(\.0) == wanted + [nil])
        for (focus, span) in zip(told(), asked) {
            #expect(focus.1 >= span.from - 1 && focus.1 <= span.to + 2_000, "\(focus) \(span)")
        }
        print("focus after the command began, ms:", zip(told(), asked).map { $0.1 - $1.from })
    }

    @Test("Titles of Wayland windows are sanitized and limited in length")
    func titlesAreMadeSafe() throws {
        let sway = try Sway()
        defer { sway.end() }
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let windows = try sway.window()
        try windows.ask("map plain app.titles")
        _ = try watched.wait("plain")
        try windows.ask("title 1 \(String(repeating: "가\u{1B}[2J", count: 16 * 1024))")
        #expect(comesTrue { (watched.window("app.titles")?.title ?? "").hasPrefix("가·[2J가") })
        let long = try #require(watched.window("app.titles")?.title)
        #expect(long.utf8.count <= DesktopWindow.textBytesMax && long.utf8.count > 500)
        try windows.ask("broken-title 1")
        #expect(comesTrue { (watched.window("app.titles")?.title ?? "").hasPrefix("a\u{FFFD}") })
        #expect(watched.window("app.titles")?.title?.unicodeScalars.contains("\u{1B}") == false)
    }

    @Test("200 Wayland windows that open and close, and short-lived ones, are added and removed")
    func manyWindowsComeAndGo() throws {
        let sway = try Sway()
        defer { sway.end() }
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let windows = try sway.window()
        try sway.command("workspace 2")
        try sway.command("layout tabbed")
        for number in 1...200 { try windows.send("map same app.same\(number % 3)") }
        for _ in 1...200 { _ = try windows.nextLine() }
        #expect(comesTrue(within: .seconds(60)) { watched.scene.windows.count == 200 })
        #expect(
            comesTrue { watched.scene.windows.values.allSatisfy { $0.window.pid == windows.process.pid } }
        )
        for number in 1...200 { try windows.send("close \(number)") }
        for _ in 1...200 { _ = try windows.nextLine() }
        #expect(comesTrue(within: .seconds(60)) { watched.scene.windows.isEmpty })
        // Windows that are gone before the adapter could read them.
        for number in 201...260 { try windows.send("map brief app.brief\nclose \(number)") }
        for _ in 1...120 { _ = try windows.nextLine() }
        try windows.ask("map last app.last")
        #expect(try watched.wait("last").windowClass == "app.last")
        #expect(comesTrue { watched.scene.windows.count == 1 && watched.front == "last" })
    }

    @Test("Wayland windows with equal titles and app IDs stay distinct")
    func twinsAreToldApart() throws {
        let sway = try Sway()
        defer { sway.end() }
        var pids: [Int32] = []
        for _ in 0..<3 {
            pids.append(try sway.run("/usr/bin/foot", ["--app-id", "twin", "--title", "twin", "cat"]).pid)
        }
        #expect(
            comesTrue {
                try sway.output("/usr/bin/swaymsg", ["-r", "-t", "get_tree"]).components(
                    "\"app_id\": \"twin\""
                ) == 3
            }
        )
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        #expect(comesTrue { watched.scene.windows.count == 3 })
        for pid in pids.reversed() + pids {
            try sway.command("[pid=\(pid)] focus")
            #expect(
                comesTrue {
                    watched.scene.focusedWindow.flatMap { watched.scene.windows[$0]?.window.pid } == pid
                }
            )
        }
    }

    @Test("The sway adapter reports idle time and input, and an inhibitor prevents idle")
    func idleAndTouchedAndInhibited() throws {
        let sway = try Sway()
        defer { sway.end() }
        let hands = try sway.hands()
        let windows = try sway.window()
        try windows.ask("map film app.film")
        let watched = try Watched(sway, idleAfterMs: 3_000)
        defer { watched.screen.close() }
        #expect(watched.scene.abilities.reportsIdle)
        func idle() -> Int { watched.events.count { if case .idle = $0 { true } else { false } } }
        func touched() -> Int { watched.events.count { if case .touched = $0 { true } else { false } } }
        #expect(comesTrue { idle() == 1 })
        try hands.ask("motion 10 10")
        #expect(comesTrue { touched() == 1 })
        #expect(comesTrue { idle() == 2 })
        try hands.ask("motion 20 20")
        // While the seat is in use, because an inhibitor that begins while it is idle leaves sway 1.7 idle.
        try windows.ask("inhibit 1 on")
        #expect(comesTrue { touched() >= 2 })
        let before = idle()
        #expect(!comesTrue(within: .seconds(5)) { idle() > before })
        try windows.ask("inhibit 1 off")
        #expect(comesTrue { idle() > before })
    }
}

extension String {
    func components(_ part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}

@Suite("X11 apps on sway") struct XWaylandTests {
    /// An X11 app with a title that is longer than the limit of a Wayland message.
    @Test("X11 apps on sway are reported, even with a title longer than a Wayland message")
    func appsOfTheOldKindAreSeenToo() throws {
        let sway = try Sway { $0.hasXWayland = true }
        defer { sway.end() }
        let watched = try Watched(sway)
        defer { watched.screen.close() }
        let title = String(repeating: "long ", count: 1_300)
        try sway.run(
            "/usr/bin/xterm",
            ["-class", "OldApp", "-T", "short", "-e", "cat"]
        )
        #expect(comesTrue { watched.window("OldApp") != nil })
        try sway.output("/usr/bin/xdotool", ["search", "--class", "OldApp", "set_window", "--name", title])
        #expect(comesTrue { (watched.window("OldApp")?.title ?? "").hasPrefix("long") })
        // Afterwards everything still works, although sway 1.7 then sends nothing more to clients that listen to titles.
        try sway.run("/usr/bin/foot", ["--app-id", "after", "cat"])
        #expect(
            comesTrue { watched.front == watched.window("after")?.title && watched.window("after") != nil }
        )
        #expect(watched.scene.isKnown)
    }
}
