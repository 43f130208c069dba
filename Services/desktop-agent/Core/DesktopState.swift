package import STPlatform

/// What the agent is doing.
package struct DesktopState: Sendable, Equatable {
    var plays: [ScriptPlay] = []
    /// Observations that were written into the spool since the start.
    var seen: Int64 = 0
    /// Rows of the spool: seen but not yet accepted.
    var waiting: Int64 = 0
    /// What is shielded for whom.
    package var policy = ShieldPolicy()

    package var hasWaiting: Bool { waiting > 0 }

    /// When a script goes on, by this machine's boot time.
    package func nextBootMs(_ now: TimeReading, bootID: String) -> Int64? {
        plays.compactMap { play in
            play.nextWallMs.map { $0 - play.wallMs(now, bootId: bootID) + now.bootMs }
        }.min()
    }
}
