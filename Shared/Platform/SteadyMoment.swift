/// A moment that lies a known time ahead, kept so that setting the wall clock gains nobody anything.
///
/// Within the boot in which it was made, boot time tells when it has come. After another start of the machine the wall
/// clock does, or once that start itself is as long ago as the whole time was.
package struct SteadyMoment: Sendable, Hashable, Codable {
    package var wallMs: Int64
    package var bootMs: Int64
    package var bootID: String
    /// From when it was made to when it comes.
    package var lengthMs: Int64

    package enum CodingKeys: String, CodingKey {
        case wallMs = "wall_ms"
        case bootMs = "boot_ms"
        case bootID = "boot_id"
        case lengthMs = "length_ms"
    }

    package init(afterMs lengthMs: Int64, from now: TimeReading, bootID: String) {
        wallMs = now.wallMs + lengthMs
        bootMs = now.bootMs + lengthMs
        self.bootID = bootID
        self.lengthMs = lengthMs
    }

    /// For what somebody waits for: a clock set forward does not bring it nearer.
    package func hasCome(_ now: TimeReading, bootID: String) -> Bool {
        wait(bootID: bootID).isReached(at: now)
    }

    /// When to look whether what somebody waits for has come.
    package func wait(bootID: String) -> DueMoments {
        self.bootID == bootID ? DueMoments(bootMs: bootMs) : DueMoments(wallMs: wallMs, bootMs: lengthMs)
    }

    /// For what somebody would like to last: it ends at the earlier of both, so a clock set back does not lengthen it.
    package func isOver(_ now: TimeReading, bootID: String) -> Bool {
        end(bootID: bootID).isReached(at: now)
    }

    /// When to look whether what lasts is over.
    package func end(bootID: String) -> DueMoments {
        DueMoments(wallMs: wallMs, bootMs: self.bootID == bootID ? bootMs : lengthMs)
    }
}
