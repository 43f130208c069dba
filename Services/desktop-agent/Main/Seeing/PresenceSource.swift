import STDesktop
import STDesktopCore
import STScreen

/// Whether somebody is there: what the session and the display say, put together.
///
/// All of it is called on the bus thread.
protocol PresenceSource: Sendable {
    /// `told` may be called from any thread, in order, until `stop`.
    func start(_ told: @escaping @Sendable (PresenceWord) -> Void)

    /// All that the display tells; keys and pointers are among it.
    func take(_ event: DesktopEvent)

    /// What is in front from now on: what plays there counts as use of it.
    func front(_ app: FrontApp?)

    func stop()
}
