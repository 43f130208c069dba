import STContracts
import STDesktop
import STPlatform
import Testing

@Suite("What is on the screen, folded from events")
struct DesktopSceneTests {
    private func window(_ id: String, isChrome: Bool = false) -> DesktopWindow {
        DesktopWindow(id: WindowID(id), windowClass: id, isChrome: isChrome)
    }

    private func app(_ window: DesktopWindow) -> AppIdentity? {
        AppIdentity(id: window.windowClass ?? "", clue: .itself, steps: [])
    }

    @Test("the app in front is that of the window in front; what is no app has none")
    func front() {
        var scene = DesktopScene()
        scene.take(.window(window("a")), app)
        scene.take(.window(window("panel", isChrome: true)), app)
        scene.take(.focus(WindowID("a"), atBootMs: 7), app)

        #expect(scene.appInFront?.id == "a")
        #expect(scene.windows[WindowID("panel")]?.app == nil)

        scene.take(.focus(WindowID("panel"), atBootMs: 8), app)
        #expect(scene.appInFront == nil)
    }

    @Test("a window that goes takes the focus with it, and another one keeps it")
    func gone() {
        var scene = DesktopScene()
        for id in ["a", "b"] { scene.take(.window(window(id)), app) }
        scene.take(.focus(WindowID("a"), atBootMs: 1), app)

        scene.take(.windowGone(WindowID("b")), app)
        #expect(scene.focus == WindowID("a"))
        scene.take(.windowGone(WindowID("a")), app)
        #expect(scene.focus == nil && scene.windows.isEmpty)
    }

    @Test("a display that is lost leaves nothing known")
    func lost() {
        var scene = DesktopScene()
        scene.take(.ready(ScreenAbilities()), app)
        scene.take(.window(window("a")), app)
        #expect(scene.isKnown)

        scene.take(.lost(Problem("x11.display_lost", "It is gone.")), app)

        #expect(scene == DesktopScene())
    }

    @Test("no more windows than the limit are remembered, and known ones still change")
    func limit() {
        var scene = DesktopScene()
        for number in 0..<DesktopScene.windowsMax + 10 { scene.take(.window(window("w\(number)")), app) }
        #expect(scene.windows.count == DesktopScene.windowsMax)

        var changed = window("w0")
        changed.title = "new"
        scene.take(.window(changed), app)
        #expect(scene.windows[WindowID("w0")]?.window.title == "new")
    }

    @Test("apps that are looked up anew belong to all windows but those of the desktop itself")
    func resolve() {
        var scene = DesktopScene()
        scene.take(.window(window("a")), app)
        scene.take(.window(window("panel", isChrome: true)), app)

        scene.resolve { _ in AppIdentity(id: "other", clue: .executable, steps: []) }

        #expect(scene.windows(of: "other").map(\.window.id) == [WindowID("a")])
    }
}
