import STContracts
import STPlatform
import STScreen
import STWire
import Testing

@Suite("The choice of an adapter")
struct AdapterChoiceTests {
    private static func wayland(
        _ protocols: [String],
        compositor: String = "sway",
        problem: String? = nil
    ) -> WaylandSign {
        var sign = WaylandSign(display: "wayland-1", problem: problem.map { Message(verbatim: $0) })
        sign.compositor = compositor
        for name in protocols { sign.protocols[name] = 1 }
        return sign
    }

    private static func x11(isXWayland: Bool = false, problem: String? = nil) -> X11Sign {
        var sign = X11Sign(display: ":0", problem: problem.map { Message(verbatim: $0) })
        sign.isXWayland = isXWayland
        sign.tellsFocus = true
        sign.windowManager = "Openbox"
        return sign
    }

    @Test("is X11 where a real X server answers")
    func realX() {
        let choice = AdapterChoice.make(ScreenSigns(sessionType: "x11", x11: Self.x11()), setting: "auto")

        #expect(choice.kind == .x11)
        #expect(choice.reason.english.contains("Openbox"))
        #expect(choice.wayOut == nil)
    }

    @Test("is wlroots on sway, though XWayland offers a display too")
    func sway() {
        let signs = ScreenSigns(
            desktop: "sway",
            wayland: Self.wayland([WaylandSign.windows, WaylandSign.layers]),
            x11: Self.x11(isXWayland: true)
        )

        #expect(AdapterChoice.make(signs, setting: "auto").kind == .wlroots)
    }

    @Test("is wlroots even where it is not known that the X display is XWayland's")
    func swayBeforeX() {
        let signs = ScreenSigns(wayland: Self.wayland([WaylandSign.windows]), x11: Self.x11())

        #expect(AdapterChoice.make(signs, setting: "auto").kind == .wlroots)
    }

    @Test(
        "is GNOME where our extension is there, and says when it does not know the Shell",
        arguments: [true, false]
    )
    func gnome(covers: Bool) {
        let signs = ScreenSigns(
            sessionType: "wayland",
            desktop: "ubuntu:GNOME",
            wayland: Self.wayland(["wl_compositor"], compositor: "gnome-shell"),
            x11: Self.x11(isXWayland: true),
            gnome: GnomeFacts(version: Version.text, shell: "43.9", covers: covers)
        )

        let choice = AdapterChoice.make(signs, setting: "auto")

        #expect(choice.kind == .gnome && choice.reason.english.contains("43.9"))
        #expect((choice.wayOut == nil) == covers)
        #expect(AdapterChoice.make(signs, setting: "x11").isBlind)
    }

    @Test("asks to install the extension again after an update")
    func oldExtension() {
        let gnome = GnomeFacts(version: "0.1.0", shell: "43.9", covers: true)

        let choice = AdapterChoice.make(ScreenSigns(sessionType: "wayland", gnome: gnome), setting: "auto")

        #expect(choice.kind == .gnome)
        #expect(choice.wayOut?.english.contains("(0.1.0). Run `screentime desktop enable gnome`") == true)
    }

    @Test(
        "is none on a Wayland desktop that does not tell the window in front, and the way out says what would help",
        arguments: [
            ("ubuntu:GNOME", "gnome-shell", "screentime desktop enable gnome"),
            ("KDE", "kwin_wayland", "Plasma (X11)"),
        ]
    )
    func blindWayland(desktop: String, compositor: String, way: String) {
        let signs = ScreenSigns(
            sessionType: "wayland",
            desktop: desktop,
            wayland: Self.wayland(["wl_compositor"], compositor: compositor),
            x11: Self.x11(isXWayland: true)
        )

        let choice = AdapterChoice.make(signs, setting: "auto")

        #expect(choice.isBlind)
        #expect(choice.wayOut?.english.contains(way) == true)
    }

    @Test("is none where XWayland is all that can be reached")
    func xwaylandAlone() {
        let choice = AdapterChoice.make(ScreenSigns(x11: Self.x11(isXWayland: true)), setting: "auto")

        #expect(choice.isBlind)
        #expect(choice.reason.english.contains("XWayland"))
        #expect(choice.wayOut?.english.contains("WAYLAND_DISPLAY") == true)
    }

    @Test("is none in a Wayland session whose socket is not named")
    func unnamedSocket() {
        let signs = ScreenSigns(sessionType: "wayland", x11: Self.x11(isXWayland: true))

        let choice = AdapterChoice.make(signs, setting: "auto")

        #expect(choice.isBlind)
        #expect(choice.reason.english.contains("WAYLAND_DISPLAY is not set"))
    }

    @Test("is X11 though a stale WAYLAND_DISPLAY names a socket that does not answer")
    func stale() {
        let signs = ScreenSigns(
            sessionType: "x11",
            wayland: Self.wayland([], problem: "Connection refused"),
            x11: Self.x11()
        )

        let choice = AdapterChoice.make(signs, setting: "auto")

        #expect(choice.kind == .x11)
        #expect(choice.reason.english.contains("does not answer"))
    }

    @Test("is none without any display, and says what was tried")
    func nothing() {
        #expect(AdapterChoice.make(ScreenSigns(), setting: "auto").reason.english.contains("neither"))
        let signs = ScreenSigns(x11: Self.x11(problem: "Connection refused"))
        #expect(AdapterChoice.make(signs, setting: "auto").reason.english.contains("Connection refused"))
    }

    @Test("follows the settings only where they can see something")
    func settings() {
        let sway = ScreenSigns(
            wayland: Self.wayland([WaylandSign.windows]),
            x11: Self.x11(isXWayland: true)
        )

        #expect(AdapterChoice.make(sway, setting: "wlroots").kind == .wlroots)
        #expect(AdapterChoice.make(sway, setting: "none").isBlind)
        let wrong = AdapterChoice.make(sway, setting: "x11")
        #expect(wrong.isBlind)
        #expect(wrong.wayOut?.english.contains("auto") == true)
    }
}

@Suite("The session of a login and the display that is looked at")
struct LoginSessionTests {
    @Test(
        "belong together, or the display is another one that the account has started",
        arguments: [
            ("x11", ":0", AdapterKind.x11, ":0", true), ("x11", ":0", .x11, ":0.0", true),
            ("x11", ":0", .x11, ":5", false), ("x11", ":0", .wlroots, ":0", false),
            // A login that does not say its display.
            ("x11", "", .x11, ":5", true), ("tty", "", .x11, ":1", true), ("", "", .wlroots, ":0", true),
            ("wayland", "", .gnome, ":0", true), ("wayland", "", .x11, ":5", false),
        ]
    )
    func belong(type: String, login: String, kind: AdapterKind, display: String, isOwn: Bool) {
        let session = LoginSession(id: "1", path: "", type: type, display: login)
        #expect(session.shows(kind, ScreenSigns(x11: X11Sign(display: display))) == isOwn)
    }
}
