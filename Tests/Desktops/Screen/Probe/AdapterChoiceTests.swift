import STContracts
import STPlatform
import STScreen
import STWire
import Testing

@Suite("Choice of the display adapter")
struct AdapterChoiceTests {
    private static func wayland(
        _ protocols: [String],
        compositor: String = "sway",
        problem: String? = nil
    ) -> WaylandProbeResult {
        var sign = WaylandProbeResult(display: "wayland-1", problem: problem.map { Message(verbatim: $0) })
        sign.compositor = compositor
        for name in protocols { sign.protocols[name] = 1 }
        return sign
    }

    private static func x11(isXWayland: Bool = false, problem: String? = nil) -> X11ProbeResult {
        var sign = X11ProbeResult(display: ":0", problem: problem.map { Message(verbatim: $0) })
        sign.isXWayland = isXWayland
        sign.reportsFocus = true
        sign.windowManager = "Openbox"
        return sign
    }

    @Test("The X11 adapter is chosen if a real X server answers")
    func realX() {
        let choice = AdapterChoice.make(
            ScreenProbeResult(sessionType: "x11", x11: Self.x11()),
            setting: "auto"
        )

        #expect(choice.kind == .x11)
        #expect(choice.reason.english.contains("Openbox"))
        #expect(choice.remedy == nil)
    }

    @Test("The wlroots adapter is chosen on sway even though XWayland offers an X display")
    func sway() {
        let signs = ScreenProbeResult(
            desktop: "sway",
            wayland: Self.wayland([WaylandProbeResult.windows, WaylandProbeResult.layers]),
            x11: Self.x11(isXWayland: true)
        )

        #expect(AdapterChoice.make(signs, setting: "auto").kind == .wlroots)
    }

    @Test("The wlroots adapter is chosen even if the X display is not recognised as XWayland")
    func swayBeforeX() {
        let signs = ScreenProbeResult(wayland: Self.wayland([WaylandProbeResult.windows]), x11: Self.x11())

        #expect(AdapterChoice.make(signs, setting: "auto").kind == .wlroots)
    }

    @Test(
        "The GNOME adapter is chosen if its extension runs, with advice if it does not support the Shell",
        arguments: [true, false]
    )
    func gnome(covers: Bool) {
        let signs = ScreenProbeResult(
            sessionType: "wayland",
            desktop: "ubuntu:GNOME",
            wayland: Self.wayland(["wl_compositor"], compositor: "gnome-shell"),
            x11: Self.x11(isXWayland: true),
            gnome: GnomeFacts(version: Version.text, shell: "43.9", covers: covers)
        )

        let choice = AdapterChoice.make(signs, setting: "auto")

        #expect(choice.kind == .gnome && choice.reason.english.contains("43.9"))
        #expect((choice.remedy == nil) == covers)
        #expect(AdapterChoice.make(signs, setting: "x11").hasNoAdapter)
    }

    @Test("After an update the GNOME adapter asks to install the extension again")
    func oldExtension() {
        let gnome = GnomeFacts(version: "0.1.0", shell: "43.9", covers: true)

        let choice = AdapterChoice.make(
            ScreenProbeResult(sessionType: "wayland", gnome: gnome),
            setting: "auto"
        )

        #expect(choice.kind == .gnome)
        #expect(choice.remedy?.english.contains("(0.1.0). Run `screentime desktop enable gnome`") == true)
    }

    @Test(
        "A Wayland desktop that does not report the foreground window has no adapter and gets advice",
        arguments: [
            ("ubuntu:GNOME", "gnome-shell", "screentime desktop enable gnome"),
            ("KDE", "kwin_wayland", "Plasma (X11)"),
        ]
    )
    func blindWayland(desktop: String, compositor: String, way: String) {
        let signs = ScreenProbeResult(
            sessionType: "wayland",
            desktop: desktop,
            wayland: Self.wayland(["wl_compositor"], compositor: compositor),
            x11: Self.x11(isXWayland: true)
        )

        let choice = AdapterChoice.make(signs, setting: "auto")

        #expect(choice.hasNoAdapter)
        #expect(choice.remedy?.english.contains(way) == true)
    }

    @Test("No adapter is chosen if only XWayland is reachable")
    func xwaylandAlone() {
        let choice = AdapterChoice.make(ScreenProbeResult(x11: Self.x11(isXWayland: true)), setting: "auto")

        #expect(choice.hasNoAdapter)
        #expect(choice.reason.english.contains("XWayland"))
        #expect(choice.remedy?.english.contains("WAYLAND_DISPLAY") == true)
    }

    @Test("No adapter is chosen in a Wayland session without WAYLAND_DISPLAY")
    func unnamedSocket() {
        let signs = ScreenProbeResult(sessionType: "wayland", x11: Self.x11(isXWayland: true))

        let choice = AdapterChoice.make(signs, setting: "auto")

        #expect(choice.hasNoAdapter)
        #expect(choice.reason.english.contains("WAYLAND_DISPLAY is not set"))
    }

    @Test("The X11 adapter is chosen despite a WAYLAND_DISPLAY that does not answer")
    func stale() {
        let signs = ScreenProbeResult(
            sessionType: "x11",
            wayland: Self.wayland([], problem: "Connection refused"),
            x11: Self.x11()
        )

        let choice = AdapterChoice.make(signs, setting: "auto")

        #expect(choice.kind == .x11)
        #expect(choice.reason.english.contains("does not answer"))
    }

    @Test("Without any display, the reason names what was tried")
    func nothing() {
        #expect(AdapterChoice.make(ScreenProbeResult(), setting: "auto").reason.english.contains("neither"))
        let signs = ScreenProbeResult(x11: Self.x11(problem: "Connection refused"))
        #expect(AdapterChoice.make(signs, setting: "auto").reason.english.contains("Connection refused"))
    }

    @Test("The configured adapter is chosen only if it can observe the desktop")
    func settings() {
        let sway = ScreenProbeResult(
            wayland: Self.wayland([WaylandProbeResult.windows]),
            x11: Self.x11(isXWayland: true)
        )

        #expect(AdapterChoice.make(sway, setting: "wlroots").kind == .wlroots)
        #expect(AdapterChoice.make(sway, setting: "none").hasNoAdapter)
        let wrong = AdapterChoice.make(sway, setting: "x11")
        #expect(wrong.hasNoAdapter)
        #expect(wrong.remedy?.english.contains("auto") == true)
    }
}

@Suite("Login session and observed display")
struct LoginSessionTests {
    @Test(
        "A login session matches its own display, and not another one that the account started",
        arguments: [
            ("x11", ":0", AdapterKind.x11, ":0", true), ("x11", ":0", .x11, ":0.0", true),
            ("x11", ":0", .x11, ":5", false), ("x11", ":0", .wlroots, ":0", false),
            // A login that does not report its display.
            ("x11", "", .x11, ":5", true), ("tty", "", .x11, ":1", true), ("", "", .wlroots, ":0", true),
            ("wayland", "", .gnome, ":0", true), ("wayland", "", .x11, ":5", false),
        ]
    )
    func belong(type: String, login: String, kind: AdapterKind, display: String, isOwn: Bool) {
        let session = LoginSession(id: "1", path: "", type: type, display: login)
        #expect(session.matches(kind, ScreenProbeResult(x11: X11ProbeResult(display: display))) == isOwn)
    }
}
