/// How much is written down about changes of policy, so that its limits need no counting.
package struct ChangeLogSize: Sendable, Equatable {
    package var rows: Int64 = 0
    package var bytes: Int64 = 0
    /// Since when changes are written down; what was before is folded into one.
    package var sinceWallMs: Int64 = 0
}
