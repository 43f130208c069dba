/// Holds the processes of apps without harm, and lets go of them.
///
/// `pids` are the processes of the app's windows as the display server knows them.
package protocol AppPausing: Sendable {
    func verdict(app: String, pids: [Int32]) async -> PauseVerdict

    /// Written down and synced before the first process is held; harmless when it is held already.
    func pause(app: String, pids: [Int32]) async -> PauseOutcome

    /// Whether all that was held of it still is; cheap.
    func isHeld(app: String) async -> Bool

    /// Harmless when it is not held.
    func thaw(app: String) async

    func thawAll() async

    /// The sentence that says which call or recording of the app is under way; nil: none that anybody can see.
    func underway(app: String, pids: [Int32]) async -> String?

    /// Tells its processes to end (SIGTERM), and thaws them so that they can; says how many were told.
    func end(app: String, pids: [Int32]) async -> Int
}
