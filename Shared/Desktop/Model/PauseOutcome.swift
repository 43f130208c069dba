package import STContracts

/// What became of the wish to pause an app.
package enum PauseOutcome: Sendable, Equatable {
    /// Held, with so many processes.
    case paused(PauseMeans, processes: Int)
    /// Nothing is held; the sentence says why.
    case refused(String)
}
