import STDesktop
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("A display for tests")
struct XDisplayTests {
    @Test("it has a window manager, monitors and real programs")
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
