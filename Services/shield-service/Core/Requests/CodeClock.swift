import STContracts
package import STPlatform

/// The clock that codes are held against: it follows the wall clock forward and never goes back.
///
/// Within a boot it goes on with boot time, which nobody can set. What it showed last is written down, so that neither
/// a clock that was set back nor a new start of the machine makes an old code good again.
package struct CodeClock: WireBody, Codable, Equatable {
    package var highMs: Int64
    package var bootMs: Int64
    package var bootID: String

    package init(_ now: TimeReading, bootID: String) {
        highMs = now.wallMs
        bootMs = now.bootMs
        self.bootID = bootID
    }

    package func wallMs(_ now: TimeReading, bootID: String) -> Int64 {
        let elapsedMs = bootID == self.bootID ? max(0, now.bootMs - bootMs) : 0
        return max(now.wallMs, highMs + elapsedMs)
    }

    /// So long it may go without being written down, which a new start of the machine would take from it.
    package static let keepMs: Int64 = 3_600_000

    /// When it wants to be written down again.
    package func due(bootID: String) -> DueMoments {
        DueMoments(bootMs: bootID == self.bootID ? bootMs + Self.keepMs : 0)
    }

    package mutating func move(_ now: TimeReading, bootID: String) {
        highMs = wallMs(now, bootID: bootID)
        bootMs = now.bootMs
        self.bootID = bootID
    }
}
