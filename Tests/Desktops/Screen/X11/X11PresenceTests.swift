import Glibc
import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Testing

@Suite("Who is there, and whether the display is")
struct X11PresenceTests {
    @Test("an adapter that hears of it late tells the moment all the same")
    func late() throws {
        let stage = try XStage(idleAfterMs: 500)
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), "late")
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

    @Test("an X display reports idle and touched with their moments, again and again")
    func idle() async throws {
        let stage = try XStage(idleAfterMs: 1_500)
        defer { stage.end() }
        #expect(stage.scene.abilities.seesIdle)
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

    @Test("without counters of the server XScreenSaver is asked")
    func screenSaver() throws {
        let stage = try XStage(usesCounters: false, idleAfterMs: 1_000)
        defer { stage.end() }
        #expect(stage.scene.abilities.seesIdle)
        try stage.waits("the user is away") { stage.idleSince != nil }
        try stage.display.xdotool("mousemove", "300", "300")
        try stage.waits("the user is back") { stage.touchedAt != nil }
    }

    @Test("a display that dies is reported once, and nothing after it")
    func lost() async throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), "last")
        try stage.cover(handle)
        stage.display.killServer()
        try stage.waits("it is lost") { stage.losses == 1 }
        stage.perform(.closePane(PaneID("cover")), .openPane(stage.order("new", over: handle)))
        #expect(await stage.screen.lastInputBootMs() == nil)
        #expect(stage.losses == 1)
        #expect(stage.scene == DesktopScene())
        if case .lost(let problem) = stage.events.last { #expect(problem.code == "x11.display_lost") }
        stage.screen.close()
        #expect(await stage.screen.lastInputBootMs() == nil)
    }

    @Test("a display that hangs does not hold up a program that wants to end")
    func hung() throws {
        let stage = try XStage()
        defer { stage.end() }
        let handle = try stage.window(try stage.program(), "hung")
        try stage.cover(handle)
        stage.display.pauseServer()
        let started = Stopwatch.milliseconds()
        stage.screen.close()
        #expect(Stopwatch.milliseconds() - started < 30_000)
        #expect(!X11Screen.probe(environment: stage.display.environment).isReachable)
    }

    @Test("a display that is not there, refuses, or says nothing")
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
        "a server that wants a cookie gets the one of the session's file, and lets in no program without it"
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

    @Test("an X server on a Wayland compositor is recognised")
    func xWayland() throws {
        let server = try XWaylandServer()
        defer { server.stop() }

        let facts = X11Screen.probe(environment: ["DISPLAY": server.display])

        #expect(facts.isReachable, "\(facts)")
        #expect(facts.isXWayland, "\(facts)")
        #expect(facts.xWaylandSign?.isEmpty == false)
    }

    @Test("the probe tells what Xvfb is")
    func probe() throws {
        let stage = try XStage(dpi: 120)
        defer { stage.end() }
        let facts = stage.screenFacts
        #expect(facts.isReachable && facts.problem == nil)
        #expect(!facts.isXWayland)
        #expect(facts.windowManager == "Openbox")
        #expect(facts.keepsHints && facts.tellsProcesses && facts.tellsIdle)
        #expect(facts.extensions.contains("RANDR"))
        #expect(facts.outputs.first?.scale == 1.25)
        #expect(facts.display == stage.display.name)
        #expect(facts.serverPid == stage.display.serverPid)
    }
}
