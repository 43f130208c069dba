import STEngine
import STPlatform

/// What the agent is doing.
package struct DesktopState: Sendable, Equatable {
    var plays: [ScriptPlay] = []
    var seen: Int64 = 0
    /// Rows of the spool: seen but not yet accepted.
    var waiting: Int64 = 0
    /// What is shielded for whom.
    package var policy = ShieldPolicy()

    package var hasWaiting: Bool { waiting > 0 }

    /// The next moment of a script.
    func nextBootMs(_ context: RequestContext) -> Int64? {
        plays.compactMap { play in
            play.nextWallMs.map { $0 - play.wallMs(context.now, bootId: context.bootID) + context.now.bootMs }
        }.min()
    }
}
