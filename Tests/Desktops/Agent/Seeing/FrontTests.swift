import STContracts
import STDesktop
import STDesktopCore
import Testing

@Suite("The foreground app while a child keeps the focus in a small window")
struct FrontTests {
    private static let monitor = ScreenRect(x: 0, y: 0, width: 1_920, height: 1_080)

    /// Returns a scene in which the small window `notes` has the focus.
    private static func scene(
        _ windows: [(app: String, frame: ScreenRect?, isFullscreen: Bool)],
        notes: ScreenRect = ScreenRect(x: 0, y: 0, width: 300, height: 200)
    ) -> DesktopModel {
        var scene = DesktopModel()
        let app = { (window: DesktopWindow) in
            AppIdentity(id: window.windowClass ?? "", clue: .itself, steps: []) as AppIdentity?
        }
        scene.apply(.outputs([DesktopOutput(name: "one", frame: monitor, scale: 1)]), app)
        for window in windows + [("notes", notes, false)] {
            let window = DesktopWindow(
                id: WindowID(window.app),
                windowClass: window.app,
                frame: window.frame,
                isFullscreen: window.isFullscreen
            )
            scene.apply(.window(window), app)
        }
        scene.apply(.focus(WindowID("notes"), atBootMs: 1), app)
        return scene
    }

    private static func front(_ scene: DesktopModel, isGuarded: Bool = true) -> String? {
        var front = ForegroundTracker(isGuarded: isGuarded)
        return front.app(in: scene, panes: 0)
    }

    @Test("A large window of another app is the foreground app if the child's account is protected")
    func large() {
        let scene = Self.scene([("game", Self.monitor, false)])
        #expect(Self.front(scene) == "game")
        #expect(Self.front(scene, isGuarded: false) == "notes")
    }

    @Test("The focused window is in the foreground if it is not small, or if no other window is large")
    func focused() {
        let half = ScreenRect(x: 0, y: 0, width: 960, height: 1_080)
        #expect(Self.front(Self.scene([("game", Self.monitor, false)], notes: half)) == "notes")
        let small = ScreenRect(x: 500, y: 500, width: 800, height: 500)
        #expect(Self.front(Self.scene([("game", small, false)])) == "notes")
        #expect(Self.front(Self.scene([("game", nil, false)])) == "notes")
        #expect(Self.front(Self.scene([("notes", Self.monitor, false)])) == "notes")
    }

    @Test(
        "Of several large windows, a full-screen window is preferred, then the one that had the focus most recently"
    )
    func several() {
        let windows = [("editor", Self.monitor, false), ("game", Self.monitor, false)]
        var scene = Self.scene(windows)
        var front = ForegroundTracker(isGuarded: true)
        for id in ["game", "editor", "notes"] {
            scene.apply(.focus(WindowID(id), atBootMs: 2)) { _ in nil }
            _ = front.app(in: scene, panes: 0)
        }
        #expect(front.app(in: scene, panes: 0) == "editor")
        // A dialog of the editor.
        scene.apply(
            .window(
                DesktopWindow(
                    id: WindowID("dialog"),
                    windowClass: "editor",
                    frame: ScreenRect(x: 9, y: 9, width: 300, height: 200)
                )
            )
        ) { AppIdentity(id: $0.windowClass ?? "", clue: .itself, steps: []) }
        scene.apply(.focus(WindowID("dialog"), atBootMs: 3)) { _ in nil }
        #expect(front.app(in: scene, panes: 0) == "editor" && front.window == WindowID("dialog"))
        #expect(Self.front(Self.scene([windows[0], ("film", Self.monitor, true)])) == "film")
    }
}
