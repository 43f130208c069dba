/// One thing that happened to a shield on the screen.
package struct ScreenShieldStep: WireBody, Codable, Equatable {
    package var wallMs: Int64
    package var text: String

    package init(wallMs: Int64, text: String) {
        self.wallMs = wallMs
        self.text = text
    }
}

/// A shield that is on the screen of this desktop.
package struct ScreenShield: WireBody, Codable, Equatable {
    package var app: String
    package var name: String?
    /// Its name at shield-service; nil while that has not answered.
    package var shield: String?
    package var stage: ScreenShieldStage
    package var windows: [String]
    /// How its app is held; nil: it is not.
    package var means: PauseMeans?
    /// Why the app is covered and not paused.
    package var notPaused: String?
    /// The last ones, oldest first.
    package var steps: [ScreenShieldStep]

    package static let stepsMax = 20

    package init(
        app: String,
        name: String? = nil,
        shield: String? = nil,
        stage: ScreenShieldStage,
        windows: [String],
        means: PauseMeans? = nil,
        notPaused: String? = nil,
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
        /// How far shields go here.
        package var escalation: Escalation

        package init(shields: [ScreenShield], escalation: Escalation) {
            self.shields = shields
            self.escalation = escalation
        }
    }

    package static let name = "desktop.shields"
    package static let kind = RouteKind.read
    package static let summary = "The shields on the screen at this moment, and what was done to their apps."
}
