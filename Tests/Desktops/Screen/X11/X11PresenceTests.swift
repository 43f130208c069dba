import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

@Suite("Presence and loss of an X display")
struct X11PresenceTests {
    @Test("An idle event that is delivered late has the time of the last input")
    func late() throws {
        let stage = try XStage(idleAfterMs: 500)
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), title: "late")
        let lag = try MachineLag()
        defer { lag.stop() }
        try stage.waits("nothing has been touched so far") { stage.idleSince != nil }
        stage.forgetEvents()
        let before = Stopwatch.bootMilliseconds()
        try stage.display.xdotool("mousemove", "120", "120")
        let after = Stopwatch.bootMilliseconds()
        stage.stall(ms: 2_500)
        try handle.tell("title later")
        try stage.waits("the user is away") { stage.idleSince != nil }
        #expect(Stopwatch.bootMilliseconds() > before + 2_000)
        let since = try #require(stage.idleSince)
        #expect(since >= before - 20 && since <= after + 60 + 3 * lag.take(), "\(since - before)")
    }

    @Test("An X display reports idle time and input with their times, repeatedly")
    func idle() async throws {
        let stage = try XStage(idleAfterMs: 1_500)
        defer { stage.end() }
        #expect(stage.scene.abilities.reportsIdle)
        let lag = try MachineLag()
        defer { lag.stop() }
        for turn in 0..<2 {
            stage.forgetEvents()
            _ = lag.take()
            let before = Stopwatch.bootMilliseconds()
            try stage.display.xdotool("mousemove", "\(100 + turn)", "100")
            let after = Stopwatch.bootMilliseconds()
            let last = try #require(await stage.screen.lastInputBootMs())
            #expect(last >= before - 20 && last <= after + 20 + 3 * lag.take())
            // Ignores an idle period that began before this movement.
            try stage.waits("the user is away") { (stage.idleSince ?? 0) >= before - 20 }
            let since = try #require(stage.idleSince)
            // Forgets the event of the movement, so that the next one comes from the key.
            stage.forgetEvents()
            #expect(since <= after + 60 + 3 * lag.take())
            let touch = Stopwatch.bootMilliseconds()
            try stage.display.xdotool("key", "a")
            try stage.waits("the user is back") { stage.touchedAt != nil }
            let touched = try #require(stage.touchedAt)
            #expect(touched >= touch - 20 && touched <= Stopwatch.bootMilliseconds() + 20)
        }
    }

    @Test("Without counters of the X server, idle time and input are reported by XScreenSaver")
    func screenSaver() throws {
        let stage = try XStage(usesCounters: false, idleAfterMs: 1_000)
        defer { stage.end() }
        #expect(stage.scene.abilities.reportsIdle)
        try stage.waits("the user is away") { stage.idleSince != nil }
        try stage.display.xdotool("mousemove", "300", "300")
        try stage.waits("the user is back") { stage.touchedAt != nil }
    }

    @Test("An X display that dies is reported as lost once, and later calls do nothing")
    func lost() async throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), title: "last")
        try stage.cover(handle)
        stage.display.killServer()
        try stage.waits("it is lost") { stage.losses == 1 }
        stage.perform(.closePane(PaneID("cover")), .openPane(stage.order("new", over: handle)))
        #expect(await stage.screen.lastInputBootMs() == nil)
        #expect(stage.losses == 1)
        #expect(stage.scene == DesktopModel())
        if case .lost(let problem) = stage.events.last { #expect(problem.code == "x11.display_lost") }
        stage.screen.close()
        #expect(await stage.screen.lastInputBootMs() == nil)
    }

    @Test("Closing the screen of an X display that hangs takes less than 30 s")
    func hung() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), title: "hung")
        try stage.cover(handle)
        stage.display.pauseServer()
        let started = Stopwatch.milliseconds()
        stage.screen.close()
        #expect(Stopwatch.milliseconds() - started < 30_000)
        #expect(!X11Screen.probe(environment: stage.display.environment).isReachable)
    }

    @Test("A missing, invalid or silent X display is reported as unreachable")
    func refusals() throws {
        for environment in [
            [:], ["DISPLAY": ""], ["DISPLAY": "nonsense"], ["DISPLAY": ":9876"], ["DISPLAY": "far:0"],
        ] {
            let screen = X11Screen(environment: environment)
            let problem = #expect(throws: Problem.self) { try screen.start(idleAfterMs: 1_000) { _ in } }
            #expect(problem?.code == "x11.no_display")
            let facts = X11Screen.probe(environment: environment)
            #expect(!facts.isReachable && facts.problem?.english.isEmpty == false)
        }
        let silent = try XSilentServer()
        let started = Stopwatch.milliseconds()
        let facts = X11Screen.probe(environment: ["DISPLAY": silent.display])
        #expect(!facts.isReachable)
        #expect(Stopwatch.milliseconds() - started < 15_000)
    }

    @Test(
        "An X server with access control is reachable only with the cookie of the authority file"
    )
    func authority() throws {
        let scratch = try ScratchDirectory()
        let cookie = [UInt8](0..<16)
        func entry(_ parts: [[UInt8]]) -> [UInt8] {
            [0xFF, 0xFF] + parts.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
        }
        let file = entry([[], [], Array("MIT-MAGIC-COOKIE-1".utf8), cookie])
        try AtomicFile.write(file, to: scratch.file("authority"), mode: 0o600, durable: false)
        let display = try XDisplay(
            scratch,
            hasWindowManager: false,
            serverOptions: ["-auth", scratch.file("authority")]
        )
        defer { display.stop() }

        var environment = display.environment
        environment["XAUTHORITY"] = scratch.file("nothing")
        #expect(!X11Screen.probe(environment: environment).isReachable)
        environment["XAUTHORITY"] = scratch.file("authority")
        #expect(X11Screen.probe(environment: environment).isReachable)
    }

    @Test("An X server on a Wayland compositor is recognised as XWayland")
    func xWayland() throws {
        let server = try XWaylandServer()
        defer { server.stop() }

        let facts = X11Screen.probe(environment: ["DISPLAY": server.display])

        #expect(facts.isReachable, "\(facts)")
        #expect(facts.isXWayland, "\(facts)")
        #expect(facts.xWaylandEvidence?.isEmpty == false)
    }

    @Test("The probe of Xvfb reports its window manager, extensions, scale and process")
    func probe() throws {
        let stage = try XStage(dpi: 120)
        defer { stage.end() }
        let facts = stage.screenFacts
        #expect(facts.isReachable && facts.problem == nil)
        #expect(!facts.isXWayland)
        #expect(facts.windowManager == "Openbox")
        #expect(facts.maintainsHints && facts.reportsProcesses && facts.reportsIdle)
        #expect(facts.extensions.contains("RANDR"))
        #expect(facts.outputs.first?.scale == 1.25)
        #expect(facts.display == stage.display.name)
        #expect(facts.serverPid == stage.display.serverPid)
    }
}
