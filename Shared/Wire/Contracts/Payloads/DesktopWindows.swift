/// A window on the screen, and the app it was taken for.
package struct WindowView: WireBody, Codable, Equatable {
    package var window: String
    package var title: String?
    package var app: String?
    package var name: String?
    package var clue: AppClue?
    /// How the app was found out, as sentences in order.
    package var steps: [String]
    package var pid: Int64?
    package var isInFront: Bool
    package var isShown: Bool
    /// Why its app is never paused; nil: it may be.
    package var neverPaused: String?

    package init(
        window: String,
        title: String? = nil,
        app: String? = nil,
        name: String? = nil,
        clue: AppClue? = nil,
        steps: [String],
        pid: Int64? = nil,
        isInFront: Bool,
        isShown: Bool,
        neverPaused: String? = nil
    ) {
        self.window = window
        self.title = title
        self.app = app
        self.name = name
        self.clue = clue
        self.steps = steps
        self.pid = pid
        self.isInFront = isInFront
        self.isShown = isShown
        self.neverPaused = neverPaused
    }
}

package enum DesktopWindows: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Only this one.
        package var window: String?
        package var next: String?
        package var limit: Int64?

        package init(window: String? = nil, next: String? = nil, limit: Int64? = nil) {
            self.window = window
            self.next = next
            self.limit = limit
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var windows: [WindowView]
        package var next: String?

        package init(windows: [WindowView], next: String? = nil) {
            self.windows = windows
            self.next = next
        }
    }

    package static let limitMax: Int64 = 50
    package static let name = "desktop.windows"
    package static let kind = RouteKind.read
    package static let summary =
        "The windows on the screen, the apps they belong to, and how that was found out."
}
