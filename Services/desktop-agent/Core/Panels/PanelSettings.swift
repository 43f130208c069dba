package import STContracts

/// How panels look and which there are.
package struct PanelSettings: Sendable, Equatable {
    /// Such as `ko_KR`; nil is English.
    package var language: String?
    package var appearance: DrawAppearance
    /// Whether corners may be seen through on this screen.
    package var isRounded: Bool
    package var hasCountdown: Bool
    /// Whether the screen measures in pixels, as X displays do.
    package var framesArePixels: Bool

    package init(
        language: String? = nil,
        appearance: DrawAppearance = .light,
        isRounded: Bool = false,
        hasCountdown: Bool = false,
        framesArePixels: Bool = true
    ) {
        self.language = language
        self.appearance = appearance
        self.isRounded = isRounded
        self.hasCountdown = hasCountdown
        self.framesArePixels = framesArePixels
    }
}
