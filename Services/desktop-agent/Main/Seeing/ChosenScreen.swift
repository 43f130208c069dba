import STDesktop
import STScreen

/// What is looked at, and why.
struct ChosenScreen: Sendable {
    var signs = ScreenSigns()
    var choice: AdapterChoice
    /// Not started yet; nil where nothing can be seen.
    var screen: (any DesktopScreen)?
}

/// Finds out which screen there is now; may take seconds, so it is never called on the bus thread.
typealias ScreenChooser = @Sendable () -> ChosenScreen

/// Which app a window belongs to; asked on the bus thread for every change of a window, so it remembers.
typealias AppNaming = @Sendable (DesktopWindow) -> AppIdentity?
