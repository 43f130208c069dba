package import STContracts
package import STPlatform

/// Pauses the processes of apps without harm, and resumes them.
///
/// `pids` are the processes of the app's windows, as the display server reports them.
package protocol AppPausing: Sendable {
    func verdict(app: String, pids: [Int32]) async -> PauseVerdict

    /// Records the pause on the disk before the first process is stopped. Has no effect on an app that is already paused.
    func pause(app: String, pids: [Int32]) async -> PauseOutcome

    /// Returns true while every process of the pause is still paused or has ended. The call is cheap.
    func isPaused(app: String) async -> Bool

    /// Has no effect on an app that is not paused.
    func thaw(app: String) async

    func thawAll() async

    /// Returns a sentence that names the app's current call or recording, or `nil` if none is detected.
    func activeRecording(app: String, pids: [Int32]) async -> Message?

    /// Sends SIGTERM to the app's processes, and resumes them so that they can end. Returns the number of processes signalled.
    func end(app: String, pids: [Int32]) async -> Int
}

/// The decision whether an app may be paused on this computer, and by which means.
package enum PauseVerdict: Sendable, Equatable {
    case allowed(PauseMeans)
    /// The app must never be paused. The message is for people: "It is a terminal: the programs in it would stop too."
    case never(Message)
    /// The app cannot be paused now, because its processes have ended or are unknown.
    case impossible(Message)
}

/// The result of pausing an app.
package enum PauseOutcome: Sendable, Equatable {
    /// The app is paused, with this number of processes.
    case paused(PauseMeans, processes: Int)
    /// Nothing is paused, for this reason.
    case refused(Message)
}
