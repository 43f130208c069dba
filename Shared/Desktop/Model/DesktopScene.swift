package import STContracts
package import STPlatform

/// What is on the screen at one moment; made of nothing but events, so that it can be tested without a screen.
package struct DesktopScene: Sendable, Equatable {
    /// More windows than these are not remembered: no person looks at so many.
    package static let windowsMax = 2_000

    package private(set) var windows: [WindowID: SeenWindow] = [:]
    package private(set) var focus: WindowID?
    package private(set) var outputs: [DesktopOutput] = []
    package private(set) var abilities = ScreenAbilities()
    /// False until the adapter has reported everything that is there, and after the screen was lost.
    package private(set) var isKnown = false

    package init() {}

    /// The app in front; nil for the bare desktop.
    package var appInFront: AppIdentity? { focus.flatMap { windows[$0]?.app } }

    package func windows(of app: String) -> [SeenWindow] {
        windows.values.filter { $0.app?.id == app }.sorted { $0.window.id.rawValue < $1.window.id.rawValue }
    }

    /// Processes that show panels, docks and the like, and no window of an app.
    package var chromePids: Set<Int32> {
        var chrome: Set<Int32> = []
        var apps: Set<Int32> = []
        for seen in windows.values {
            guard let pid = seen.window.pid else { continue }
            if seen.window.isChrome { chrome.insert(pid) } else { apps.insert(pid) }
        }
        return chrome.subtracting(apps)
    }

    /// `app` returns the app of a window; it is called for new windows and for those that changed.
    package mutating func take(_ event: DesktopEvent, _ app: (DesktopWindow) -> AppIdentity?) {
        switch event {
        case .window(let window):
            guard windows[window.id] != nil || windows.count < Self.windowsMax else { return }
            windows[window.id] = SeenWindow(window: window, app: window.isChrome ? nil : app(window))
        case .windowGone(let id):
            windows[id] = nil
            if focus == id { focus = nil }
        case .focus(let id, _): focus = id
        case .outputs(let outputs): self.outputs = outputs
        case .ready(let abilities):
            self.abilities = abilities
            isKnown = true
        case .lost: self = DesktopScene()
        case .quiet, .idle, .touched, .pane, .chosen: break
        }
    }

    /// After an app was installed or removed: the app of each window is looked up anew.
    package mutating func resolve(_ app: (DesktopWindow) -> AppIdentity?) {
        for (id, seen) in windows where !seen.window.isChrome { windows[id]?.app = app(seen.window) }
    }
}

/// A window and the app that it belongs to.
package struct SeenWindow: Sendable, Equatable {
    package var window: DesktopWindow
    /// Nil for what is not an app: a panel, the desktop itself.
    package var app: AppIdentity?

    package init(window: DesktopWindow, app: AppIdentity? = nil) {
        self.window = window
        self.app = app
    }
}

/// Which app a window belongs to, and how that was found out.
package struct AppIdentity: Sendable, Equatable {
    /// As it is counted and shielded: mostly the name of its desktop entry.
    package var id: String
    /// What people call it, in the language of the system; nil when nothing says so.
    package var name: String?
    package var clue: AppClue
    /// What was tried, in order, as sentences; the last one is what decided.
    package var steps: [Message]
    /// The path of an unknown program: a child's account can change it, and no guardian accepted it. Empty if the path cannot be determined.
    package var unknownProgram: String?

    package init(id: String, name: String? = nil, clue: AppClue, steps: [Message]) {
        self.id = id
        self.name = name
        self.clue = clue
        self.steps = steps
    }
}
