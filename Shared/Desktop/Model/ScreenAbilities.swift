/// What can be seen and done on this desktop; `doctor` says what is missing.
package struct ScreenAbilities: Sendable, Equatable {
    package var seesFocus = false
    /// Which process a window belongs to.
    package var seesProcesses = false
    /// Where windows are; without that a shield covers the whole monitor.
    package var seesFrames = false
    package var seesIdle = false
    package var covers = false
    /// Whether a cover can take pointer and keyboard from what lies beneath; without that nothing may be paused.
    package var holdsInput = false
    package var minimizes = false
    package var activates = false
    package var asksToClose = false

    package init() {}
}
