package import STContracts

/// Whether an app may be paused here, and how.
package enum PauseVerdict: Sendable, Equatable {
    case allowed(PauseMeans)
    /// Never, with the sentence that a person reads: "It is a terminal: what runs in it would stop too."
    case never(String)
    /// Not now: its processes are gone, or nobody knows which they are.
    case impossible(String)
}
