package import STContracts
package import STPlatform

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

    /// The sentence that says which call or recording of the app is under way; nil when none can be seen.
    func underway(app: String, pids: [Int32]) async -> Message?

    /// Asks its processes to end (SIGTERM), and thaws them so that they can; returns how many it asked.
    func end(app: String, pids: [Int32]) async -> Int
}

/// Whether an app may be paused here, and how.
package enum PauseVerdict: Sendable, Equatable {
    case allowed(PauseMeans)
    /// Never, with the sentence that a person reads: "It is a terminal: what runs in it would stop too."
    case never(Message)
    /// Not now: its processes are gone, or not known.
    case impossible(Message)
}

/// The result of pausing an app.
package enum PauseOutcome: Sendable, Equatable {
    /// It is held, with this number of processes.
    case paused(PauseMeans, processes: Int)
    /// Nothing is held; the sentence says why.
    case refused(Message)
}
