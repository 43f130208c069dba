package import STContracts

/// One desktop to look at and to put our windows on: X11, a wlroots compositor, or a stand-in for tests.
///
/// Implementations live on a thread of their own, sleep until the display tells them something, and never poll where
/// it tells.
package protocol DesktopScreen: Sendable {
    var kind: AdapterKind { get }

    /// Connects and returns; `heard` is called in order, on the adapter's own thread, until `close` has returned.
    ///
    /// Throws a `Problem` when there is nothing to connect to.
    func start(idleAfterMs: Int64, _ heard: @escaping @Sendable (DesktopEvent) -> Void) throws

    /// In order; returns at once.
    func perform(_ acts: [DesktopAct])

    /// When a key or a pointer was last touched, in boot time; nil where the display does not say.
    func lastInputBootMs() async -> Int64?

    /// Comes back once the display has answered, which may be never while somebody has it to himself.
    func answers() async

    /// Takes all our windows off the screen; never from the adapter's own thread.
    func close()
}

extension DesktopScreen {
    /// For those that nobody can have to himself.
    package func answers() async {}
}
