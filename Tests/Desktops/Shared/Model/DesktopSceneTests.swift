import STContracts
import STDesktop
import STPlatform
import Testing

@Suite("Desktop scene from events")
struct DesktopSceneTests {
    private func window(_ id: String, isChrome: Bool = false) -> DesktopWindow {
        DesktopWindow(id: WindowID(id), windowClass: id, isChrome: isChrome)
    }

    private func app(_ window: DesktopWindow) -> AppIdentity? {
        AppIdentity(id: window.windowClass ?? "", clue: .itself, steps: [])
    }

    @Test("The foreground app is the app of the focused window, and a panel has no app")
    func front() {
        var scene = DesktopModel()
        scene.apply(.window(window("a")), app)
        scene.apply(.window(window("panel", isChrome: true)), app)
        scene.apply(.focus(WindowID("a"), atBootMs: 7), app)

        #expect(scene.foregroundApp?.id == "a")
        #expect(scene.windows[WindowID("panel")]?.app == nil)

        scene.apply(.focus(WindowID("panel"), atBootMs: 8), app)
        #expect(scene.foregroundApp == nil)
    }

    @Test("A focused window that closes clears the focus, and another window that closes does not")
    func gone() {
        var scene = DesktopModel()
        for id in ["a", "b"] { scene.apply(.window(window(id)), app) }
        scene.apply(.focus(WindowID("a"), atBootMs: 1), app)

        scene.apply(.windowGone(WindowID("b")), app)
        #expect(scene.focusedWindow == WindowID("a"))
        scene.apply(.windowGone(WindowID("a")), app)
        #expect(scene.focusedWindow == nil && scene.windows.isEmpty)
    }

    @Test("A lost display empties the scene")
    func lost() {
        var scene = DesktopModel()
        scene.apply(.ready(ScreenAbilities()), app)
        scene.apply(.window(window("a")), app)
        #expect(scene.isKnown)

        scene.apply(.lost(Problem("x11.display_lost", "It is gone.")), app)

        #expect(scene == DesktopModel())
    }

    @Test("The scene keeps windows up to its limit, and known windows still change")
    func limit() {
        var scene = DesktopModel()
        for number in 0..<DesktopModel.windowsMax + 10 { scene.apply(.window(window("w\(number)")), app) }
        #expect(scene.windows.count == DesktopModel.windowsMax)

        var changed = window("w0")
        changed.title = "new"
        scene.apply(.window(changed), app)
        #expect(scene.windows[WindowID("w0")]?.window.title == "new")
    }

    @Test("Resolving apps again changes all windows except those of the desktop itself")
    func resolve() {
        var scene = DesktopModel()
        scene.apply(.window(window("a")), app)
        scene.apply(.window(window("panel", isChrome: true)), app)

        scene.resolve { _ in AppIdentity(id: "other", clue: .executable, steps: []) }

        #expect(scene.windows(of: "other").map(\.window.id) == [WindowID("a")])
    }
}
