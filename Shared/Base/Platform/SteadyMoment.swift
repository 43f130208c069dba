/// A moment that lies a known time ahead, kept so that setting the wall clock gains nobody anything.
///
/// What somebody waits for comes when the machine has run, or slept, for so long: boot time alone counts it, whatever the
/// wall clock shows. How much of it is left is written down now and then and counted on after another start; time in
/// which the machine was off does not count, as only the wall clock knows of that. What somebody would like to last ends
/// by the wall clock or by boot time, whichever comes first.
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

    /// So much running time may go without being written down, which another start would take from it.
    package static let keepMs: Int64 = 300_000

    /// For what somebody waits for: a clock set forward does not bring it nearer.
    package func hasCome(_ now: TimeReading, bootID: String) -> Bool {
        now.bootMs >= dueBootMs(bootID)
    }

    /// When to look whether what somebody waits for has come.
    package func wait(bootID: String) -> DueMoments { DueMoments(bootMs: dueBootMs(bootID)) }

    /// For what somebody would like to last: it ends at the earlier of both, so a clock set back does not lengthen it.
    package func isOver(_ now: TimeReading, bootID: String) -> Bool {
        end(bootID: bootID).isReached(at: now)
    }

    /// When to look whether what lasts is over.
    package func end(bootID: String) -> DueMoments {
        DueMoments(wallMs: wallMs, bootMs: dueBootMs(bootID))
    }

    private func dueBootMs(_ bootID: String) -> Int64 { self.bootID == bootID ? bootMs : lengthMs }

    package mutating func lengthen(byMs ms: Int64) {
        wallMs += ms
        bootMs += ms
        lengthMs += ms
    }

    // MARK: - Writing down what is left

    /// When it wants to be written down again; never once it comes before that anyway.
    package func keeping(bootID: String) -> DueMoments {
        guard self.bootID == bootID else { return DueMoments(bootMs: 0) }
        return lengthMs > Self.keepMs ? DueMoments(bootMs: bootMs - lengthMs + Self.keepMs) : DueMoments()
    }

    /// Of what lasts: the moment of the wall clock stays.
    package mutating func keep(_ now: TimeReading, bootID: String) {
        lengthMs = max(0, dueBootMs(bootID) - now.bootMs)
        bootMs = now.bootMs + lengthMs
        self.bootID = bootID
    }

    /// Of what somebody waits for: the wall clock only says when that will be as things stand.
    package mutating func keepWait(_ now: TimeReading, bootID: String) {
        keep(now, bootID: bootID)
        wallMs = now.wallMs + lengthMs
    }
}
