/// What the agent is doing.
package struct DesktopState: Sendable, Equatable {
    var plays: [ScriptPlay] = []
    var seen: Int64 = 0
    /// Rows of the spool: seen but not yet accepted.
    var waiting: Int64 = 0

    package var hasWaiting: Bool { waiting > 0 }

    /// The next moment of a script, in wall time.
    package var nextWallMs: Int64? { plays.compactMap(\.nextWallMs).min() }
}
