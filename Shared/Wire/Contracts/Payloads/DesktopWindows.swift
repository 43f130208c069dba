package import STPlatform

/// A window on the screen and the app to which it was assigned.
package struct WindowView: WireBody, Codable, Equatable {
    package var window: String
    package var title: String?
    package var app: String?
    package var name: String?
    package var clue: AppClue?
    /// The steps that identified the app, as sentences in order.
    package var steps: [Message]
    package var pid: Int64?
    package var isInFront: Bool
    package var isShown: Bool
    /// The reason why the app is never paused. `nil` if it may be paused.
    package var neverPaused: Message?

    package init(
        window: String,
        title: String? = nil,
        app: String? = nil,
        name: String? = nil,
        clue: AppClue? = nil,
        steps: [Message],
        pid: Int64? = nil,
        isInFront: Bool,
        isShown: Bool,
        neverPaused: Message? = nil
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
        /// The only window to return.
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
        "Lists the windows on the screen, the app of each window, and the steps that identified the app."
}

/// An event in the history of a shield on the screen.
package struct ScreenShieldStep: WireBody, Codable, Equatable {
    package var wallMs: Int64
    package var text: Message

    package init(wallMs: Int64, text: Message) {
        self.wallMs = wallMs
        self.text = text
    }
}

/// A shield on the screen of this desktop.
package struct ScreenShield: WireBody, Codable, Equatable {
    package var app: String
    package var name: String?
    /// The shield's name at shield-service. `nil` until shield-service has replied.
    package var shield: String?
    package var stage: ScreenShieldStage
    package var windows: [String]
    /// The mechanism that pauses the app. `nil` if the app is not paused.
    package var means: PauseMeans?
    /// The reason why the app is covered but not paused.
    package var notPaused: Message?
    /// The latest events, oldest first.
    package var steps: [ScreenShieldStep]

    package static let stepsMax = 20

    package init(
        app: String,
        name: String? = nil,
        shield: String? = nil,
        stage: ScreenShieldStage,
        windows: [String],
        means: PauseMeans? = nil,
        notPaused: Message? = nil,
        steps: [ScreenShieldStep]
    ) {
        self.app = app
        self.name = name
        self.shield = shield
        self.stage = stage
        self.windows = windows
        self.means = means
        self.notPaused = notPaused
        self.steps = steps
    }
}

package enum DesktopShields: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var shields: [ScreenShield]
        /// The strongest measure that shields take on this desktop.
        package var escalation: Escalation

        package init(shields: [ScreenShield], escalation: Escalation) {
            self.shields = shields
            self.escalation = escalation
        }
    }

    package static let name = "desktop.shields"
    package static let kind = RouteKind.read
    package static let summary =
        "Lists the current shields on the screen, with the stage and the latest events of each."
}
