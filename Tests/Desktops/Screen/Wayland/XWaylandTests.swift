import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

@Suite struct XWaylandTests {
    /// An app that knows nothing of Wayland, with a title that is longer than a Wayland message may be.
    @Test func appsOfTheOldKindAreSeenToo() throws {
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
        // And nothing is broken by it: sway 1.7 tells clients that listen to titles nothing any more then.
        try sway.run("/usr/bin/foot", ["--app-id", "after", "cat"])
        #expect(
            comesTrue { watched.front == watched.window("after")?.title && watched.window("after") != nil }
        )
        #expect(watched.scene.isKnown)
    }
}
