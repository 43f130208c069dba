package import STPlatform

/// The state of desktop-agent: the scripts under way, the size of the spool, and the policy.
package struct DesktopState: Sendable, Equatable {
    var plays: [ScriptPlay] = []
    /// The number of observations that were written into the spool since the process started.
    var seen: Int64 = 0
    /// The number of rows in the spool: observations that activity-center has not accepted yet.
    var waiting: Int64 = 0
    /// The policy of shield-service, with the facts and members that decisions need.
    package var policy = ShieldPolicy()

    package var hasWaiting: Bool { waiting > 0 }

    /// Returns the boot time of this machine at which the next observation of a script is due, or nil if no script is under way.
    package func nextObservation(_ now: TimeReading, bootID: String) -> BootTime? {
        plays.compactMap { play in
            play.next.map { now.boot + ($0 - play.wall(now, bootId: bootID)) }
        }.min()
    }
}
