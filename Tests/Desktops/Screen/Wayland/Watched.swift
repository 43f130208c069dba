import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Synchronization

/// A screen with a listener, and all its events.
final class Watched: Sendable {
    private struct Told {
        var events: [DesktopEvent] = []
        var scene = DesktopModel()
        var thread: AdapterThread?
    }

    let screen: WaylandScreen
    private let told = Mutex(Told())

    /// Starts the adapter and waits until it is ready.
    init(
        _ sway: Sway,
        idleAfterMs: Int64 = 600_000,
        hasSwaySocket: Bool = true,
        isReady: Bool = true
    ) throws {
        var environment = sway.environment
        if !hasSwaySocket { environment["SWAYSOCK"] = nil }
        screen = WaylandScreen(environment: environment)
        try screen.start(idleAfterMs: idleAfterMs) { [self] event in
            told.withLock { told in
                told.events.append(event)
                if told.thread == nil { told.thread = AdapterThread.current() }
                told.scene.apply(event) { AppIdentity(id: $0.windowClass ?? "?", clue: .itself, steps: []) }
            }
        }
        guard isReady else { return }
        try eventuallyBlocking("the screen is ready") {
            guard scene.isKnown else { throw NotYet("\(events)") }
        }
    }

    var scene: DesktopModel { told.withLock(\.scene) }
    var events: [DesktopEvent] { told.withLock(\.events) }
    /// The adapter's own thread.
    var thread: AdapterThread? { told.withLock(\.thread) }

    var isLost: Bool {
        events.contains { if case .lost = $0 { true } else { false } }
    }

    func forget() { told.withLock { $0.events = [] } }

    /// Returns the window of that app or with that title.
    func window(_ name: String) -> DesktopWindow? {
        scene.windows.values.map(\.window).first { $0.windowClass == name || $0.title == name }
    }

    func wait(_ name: String) throws -> DesktopWindow {
        try eventuallyBlocking("a window \(name)") {
            guard let window = window(name) else { throw NotYet("\(scene.windows.values.map(\.window))") }
            return window
        }
    }

    /// Returns the frame of that window, once sway has made room for its title bar. For a moment a new window is at the very top.
    func frameBelowItsBar(_ name: String) throws -> ScreenRect {
        try eventuallyBlocking("\(name) below its title bar") {
            guard let frame = window(name)?.frame, frame.y > 0 else {
                throw NotYet("\(String(describing: window(name)))")
            }
            return frame
        }
    }

    var front: String? { scene.focusedWindow.flatMap { scene.windows[$0]?.window.title } }

    func paneEvents(_ id: PaneID) -> [PaneEvent] {
        events.compactMap { if case .pane(id, let event) = $0 { event } else { nil } }
    }

    func held(_ id: PaneID) -> Bool? {
        paneEvents(id).reversed().lazy.compactMap { if case .held(let held, _) = $0 { held } else { nil } }
            .first
    }

    func shown(_ id: PaneID) -> Bool {
        paneEvents(id).last { event in
            switch event {
            case .shown, .hidden: true
            default: false
            }
        }.map { $0 != .hidden } ?? false
    }
}

extension Sway {
    func window() throws -> LineProgram { try LineProgram(self, "screentime-wayland-window") }

    /// Makes a window float at a place, step by step, because a window that is still drawing its old size would keep that.
    func float(_ watched: Watched, title: String, frame: ScreenRect) throws {
        let before = try watched.wait(title).frame
        try command("[title=^\(title)$] floating enable")
        _ = comesTrue(within: .seconds(3)) { watched.window(title)?.frame != before }
        try eventuallyBlocking("\(title) is at \(frame)") {
            try command("[title=^\(title)$] resize set \(frame.width) \(frame.height)")
            try command("[title=^\(title)$] move absolute position \(frame.x) \(frame.y)")
            guard comesTrue(within: .seconds(1), { watched.window(title)?.frame == frame }) else {
                throw NotYet("it is at \(String(describing: watched.window(title)?.frame))")
            }
        }
    }

    func hands() throws -> LineProgram {
        let width = Int(Double(options.width) / options.scale) * options.outputs
        let height = Int(Double(options.height) / options.scale)
        let hands = try LineProgram(
            self,
            "screentime-wayland-observer",
            arguments: "drive",
            "\(width)",
            "\(height)"
        )
        _ = try hands.nextLine()
        return hands
    }

    /// Returns the present colour of one pixel.
    func colour(x: Int, y: Int, output: String? = nil) throws -> UInt32 {
        try colour(of: picture("look-\(Stopwatch.nanoseconds())", output: output), x: x, y: y)
    }
}
