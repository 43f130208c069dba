import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("What other clients make up on an X display")
struct X11ForgeryTests {
    @Test("sent clicks and keys press nothing, real ones do")
    func sent() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), "covered", width: 320, height: 200)
        let path = stage.scratch.file("picture")
        try AtomicFile.write([UInt8](repeating: 0x55, count: 320 * 200 * 4), to: path, durable: false)
        let spot = PaneSpot(id: "ok", frame: ScreenRect(x: 0, y: 0, width: 320, height: 200))
        try stage.cover(handle)
        stage.perform(
            .paint(
                PaneID("cover"),
                PanePicture(path: path, width: 320, height: 200, scale: 1, spots: [spot])
            )
        )
        let frame = try #require(stage.seen(handle)?.frame)
        try stage.display.xdotool("mousemove", "\(frame.x + 10)", "\(frame.y + 10)")
        try stage.waits("the spot is told") { stage.told("cover").contains(.hovered("ok")) }
        // xdotool sends events to a window that it is given, and moves the real pointer otherwise.
        let pane = try #require(
            try stage.display.run("xdotool", "getmouselocation", "--shell").split(separator: "\n")
                .first { $0.hasPrefix("WINDOW=") }.map { String($0.dropFirst(7)) }
        )
        try stage.display.xdotool("click", "--window", pane, "1")
        try stage.display.xdotool("key", "--window", pane, "Return")
        try stage.display.xdotool("mousemove", "\(frame.x + 20)", "\(frame.y + 20)", "click", "3")
        try stage.display.xdotool("mousemove", "1200", "700")
        try stage.waits("it has left") { stage.told("cover").contains(.hovered(nil)) }
        #expect(!stage.told("cover").contains(.pressed("ok")))
        #expect(!stage.told("cover").contains { if case .key = $0 { true } else { false } })
        try stage.display.xdotool("mousemove", "\(frame.x + 10)", "\(frame.y + 10)", "click", "1")
        try stage.waits("the press is told") { stage.told("cover").contains(.pressed("ok")) }
    }
}
