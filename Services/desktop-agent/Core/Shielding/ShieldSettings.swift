package import STContracts

/// How shields are on this desktop.
package struct ShieldSettings: Sendable, Equatable {
    package var escalation: Escalation
    package var escalateAfterMs: Int64
    package var language: String
    package var appearance: DrawAppearance
    /// Whether a window's frame is told in pixels: so on X11.
    package var framesArePixels: Bool

    package init(
        escalation: Escalation = .pause,
        escalateAfterMs: Int64 = 60_000,
        language: String = "en",
        appearance: DrawAppearance = .light,
        framesArePixels: Bool = true
    ) {
        self.escalation = escalation
        self.escalateAfterMs = escalateAfterMs
        self.language = language
        self.appearance = appearance
        self.framesArePixels = framesArePixels
    }

    /// Whether shields hold their apps at all.
    var holds: Bool { escalation == .pause || escalation == .close || escalation == .end }
}
