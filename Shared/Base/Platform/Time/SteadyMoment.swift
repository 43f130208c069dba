/// A moment that lies a known time ahead, kept so that setting the wall clock brings no advantage.
///
/// It serves two purposes. A wait (a person hopes for its end) is over when the machine has run, or slept, for the whole
/// length: only boot time counts. What is left of it is written down now and then, and the count goes on after the next
/// start; time in which the machine was off does not count, as only the wall clock knows of it. A permission (a person
/// hopes that it lasts) ends by the wall clock or by boot time, whichever comes first.
package struct SteadyMoment: Sendable, Hashable, Codable {
    package var wallMs: Int64
    package var bootMs: Int64
    package var bootID: String
    /// What was left of it when it was last written down.
    package var lengthMs: Int64

    package init(afterMs lengthMs: Int64, from now: TimeReading, bootID: String) {
        wallMs = now.wallMs + lengthMs
        bootMs = now.bootMs + lengthMs
        self.bootID = bootID
        self.lengthMs = lengthMs
    }

    /// The running time that may pass before the rest is written down again; another start may lose that much of it.
    package static let keepMs: Int64 = 300_000

    /// Whether a wait is over: setting the clock forward does not bring it nearer.
    package func hasCome(_ now: TimeReading, bootID: String) -> Bool {
        now.bootMs >= dueBootMs(bootID)
    }

    /// When to look whether a wait is over.
    package func wait(bootID: String) -> DueMoments { DueMoments(bootMs: dueBootMs(bootID)) }

    /// Whether a permission is over: it ends at the earlier of the two, so setting the clock back does not lengthen it.
    package func isOver(_ now: TimeReading, bootID: String) -> Bool {
        end(bootID: bootID).isReached(at: now)
    }

    /// When to look whether a permission is over.
    package func end(bootID: String) -> DueMoments {
        DueMoments(wallMs: wallMs, bootMs: dueBootMs(bootID))
    }

    /// How long a permission lasts yet.
    package func leftMs(_ now: TimeReading, bootID: String) -> Int64 {
        max(0, min(wallMs - now.wallMs, dueBootMs(bootID) - now.bootMs))
    }

    private func dueBootMs(_ bootID: String) -> Int64 { self.bootID == bootID ? bootMs : lengthMs }

    package mutating func lengthen(byMs ms: Int64) {
        wallMs += ms
        bootMs += ms
        lengthMs += ms
    }

    // MARK: - Writing down what is left

    /// When to write down again what is left; never, when it ends before that.
    package func keeping(bootID: String) -> DueMoments {
        guard self.bootID == bootID else { return DueMoments(bootMs: 0) }
        return lengthMs > Self.keepMs ? DueMoments(bootMs: bootMs - lengthMs + Self.keepMs) : DueMoments()
    }

    /// Writes down what is left of a permission: its moment on the wall clock stays.
    package mutating func keep(_ now: TimeReading, bootID: String) {
        lengthMs = max(0, dueBootMs(bootID) - now.bootMs)
        bootMs = now.bootMs + lengthMs
        self.bootID = bootID
    }

    /// Writes down what is left of a wait: its moment on the wall clock is only a forecast, and is made anew.
    package mutating func keepWait(_ now: TimeReading, bootID: String) {
        keep(now, bootID: bootID)
        wallMs = now.wallMs + lengthMs
    }
}
