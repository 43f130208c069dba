/// A moment at a known distance in the future. Setting the wall clock does not give a person an advantage.
///
/// A moment has one of two purposes:
/// - A wait, whose end benefits the person. It ends after the machine has run or slept for the whole length, so only boot time
///   counts. The rest is saved from time to time, and the count continues after the next start. Time while the machine is off does
///   not count, because only the wall clock measures it.
/// - A permission, whose duration benefits the person. It ends by the wall clock or by boot time, whichever comes first.
package struct StableDeadline: Sendable, Hashable, Codable {
    package var wallMs: Int64
    package var bootMs: Int64
    package var bootID: String
    /// The rest of the length when it was last saved.
    package var lengthMs: Int64

    package init(afterMs lengthMs: Int64, from now: TimeReading, bootID: String) {
        wallMs = now.wallMs + lengthMs
        bootMs = now.bootMs + lengthMs
        self.bootID = bootID
        self.lengthMs = lengthMs
    }

    /// The running time after which the rest is saved again. A restart can lose at most that much of it.
    package static let persistIntervalMs: Int64 = 300_000

    /// True if a wait is over. Setting the clock forward does not shorten it.
    package func isReached(_ now: TimeReading, bootID: String) -> Bool {
        now.bootMs >= dueBootMs(bootID)
    }

    /// The moments at which to check if a wait is over.
    package func startDeadlines(bootID: String) -> Deadlines { Deadlines(bootMs: dueBootMs(bootID)) }

    /// True if a permission is over. It ends at the earlier of the two moments, so setting the clock back does not extend it.
    package func isOver(_ now: TimeReading, bootID: String) -> Bool {
        endDeadlines(bootID: bootID).isDue(at: now)
    }

    /// The moments at which to check if a permission is over.
    package func endDeadlines(bootID: String) -> Deadlines {
        Deadlines(wallMs: wallMs, bootMs: dueBootMs(bootID))
    }

    /// The remaining time of a permission.
    package func remainingMs(_ now: TimeReading, bootID: String) -> Int64 {
        max(0, min(wallMs - now.wallMs, dueBootMs(bootID) - now.bootMs))
    }

    private func dueBootMs(_ bootID: String) -> Int64 { self.bootID == bootID ? bootMs : lengthMs }

    package mutating func lengthen(byMs ms: Int64) {
        wallMs += ms
        bootMs += ms
        lengthMs += ms
    }

    // MARK: - Saving the rest

    /// The moments at which to save the rest again. Never, if the whole length ends before that.
    package func updateDeadlines(bootID: String) -> Deadlines {
        guard self.bootID == bootID else { return Deadlines(bootMs: 0) }
        return lengthMs > Self.persistIntervalMs
            ? Deadlines(bootMs: bootMs - lengthMs + Self.persistIntervalMs) : Deadlines()
    }

    /// Saves the rest of a permission. Its moment on the wall clock stays the same.
    package mutating func update(_ now: TimeReading, bootID: String) {
        lengthMs = max(0, dueBootMs(bootID) - now.bootMs)
        bootMs = now.bootMs + lengthMs
        self.bootID = bootID
    }

    /// Saves the rest of a wait. Its moment on the wall clock is only a forecast, and is computed again.
    package mutating func updateStart(_ now: TimeReading, bootID: String) {
        update(now, bootID: bootID)
        wallMs = now.wallMs + lengthMs
    }
}
