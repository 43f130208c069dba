package import STContracts
package import STPlatform

/// The state of the screen at one moment. It is built from events only, so that it can be tested without a screen.
package struct DesktopModel: Sendable, Equatable {
    /// Upper bound on the number of windows. Further windows are ignored.
    package static let windowsMax = 2_000

    package private(set) var windows: [WindowID: IdentifiedWindow] = [:]
    package private(set) var focusedWindow: WindowID?
    package private(set) var outputs: [DesktopOutput] = []
    package private(set) var abilities = ScreenAbilities()
    /// False until the adapter has reported its initial state, and after the screen was lost.
    package private(set) var isKnown = false

    package init() {}

    /// The foreground app. `nil` if no app's window has the focus.
    package var foregroundApp: AppIdentity? { focusedWindow.flatMap { windows[$0]?.app } }

    package func windows(of app: String) -> [IdentifiedWindow] {
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

    /// `app` returns the app of a window. It is called for new windows and for changed windows.
    package mutating func apply(_ event: DesktopEvent, _ app: (DesktopWindow) -> AppIdentity?) {
        switch event {
        case .window(let window):
            guard windows[window.id] != nil || windows.count < Self.windowsMax else { return }
            windows[window.id] = IdentifiedWindow(window: window, app: window.isChrome ? nil : app(window))
        case .windowGone(let id):
            windows[id] = nil
            if focusedWindow == id { focusedWindow = nil }
        case .focus(let id, _): focusedWindow = id
        case .outputs(let outputs): self.outputs = outputs
        case .ready(let abilities):
            self.abilities = abilities
            isKnown = true
        case .lost: self = DesktopModel()
        case .quiet, .idle, .touched, .pane, .chosen: break
        }
    }

    /// Resolves the app of each window again, after an app was installed or removed.
    package mutating func resolve(_ app: (DesktopWindow) -> AppIdentity?) {
        for (id, seen) in windows where !seen.window.isChrome { windows[id]?.app = app(seen.window) }
    }
}

/// A window and the app that it belongs to.
package struct IdentifiedWindow: Sendable, Equatable {
    package var window: DesktopWindow
    /// `nil` if the window does not belong to an app, as for a panel or the desktop itself.
    package var app: AppIdentity?

    package init(window: DesktopWindow, app: AppIdentity? = nil) {
        self.window = window
        self.app = app
    }
}

/// The app of a window, and the clue that identified it.
package struct AppIdentity: Sendable, Equatable {
    /// The ID that usage and shields refer to: usually the name of the app's desktop entry.
    package var id: String
    /// The display name in the language of the system. `nil` if no desktop entry provides one.
    package var name: String?
    package var clue: AppClue
    /// The attempts to identify the app, in order, as sentences. The last one states the conclusion.
    package var steps: [Message]
    /// The path of an unknown program: a child's account can change it, and no guardian accepted it.
    /// Empty if the path cannot be determined.
    package var unknownProgram: String?

    package init(id: String, name: String? = nil, clue: AppClue, steps: [Message]) {
        self.id = id
        self.name = name
        self.clue = clue
        self.steps = steps
    }
}
