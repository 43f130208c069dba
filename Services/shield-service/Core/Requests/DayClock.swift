import STContracts
package import STPlatform

/// The clock by which the grants of a day are counted: setting the wall clock forward makes no new day.
///
/// Within a boot it goes on with boot time alone. After another start of the machine it takes the wall clock, as nothing
/// else knows how long it was off, and never goes back.
package struct DayClock: WireBody, Codable, Equatable {
    package private(set) var highMs: Int64
    package private(set) var bootMs: Int64
    package private(set) var bootID: String

    package init(_ now: TimeReading, bootID: String) {
        highMs = now.wallMs
        bootMs = now.bootMs
        self.bootID = bootID
    }

    package func wallMs(_ now: TimeReading, bootID: String) -> Int64 {
        bootID == self.bootID ? highMs + max(0, now.bootMs - bootMs) : max(now.wallMs, highMs)
    }

    /// When it wants to be written down again.
    package func due(bootID: String) -> DueMoments {
        DueMoments(bootMs: bootID == self.bootID ? bootMs + CodeClock.keepMs : 0)
    }

    package mutating func move(_ now: TimeReading, bootID: String) {
        highMs = wallMs(now, bootID: bootID)
        bootMs = now.bootMs
        self.bootID = bootID
    }
}
