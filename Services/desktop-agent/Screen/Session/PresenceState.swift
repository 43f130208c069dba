package import STContracts

/// Whether somebody is there.
package struct PresenceState: Sendable, Equatable {
    package var presence: Presence
    /// Since when it is so: of a touch its own moment, and not the later one when we heard of it.
    package var sinceBootMs: Int64
    /// When the last sign of a person was; nil while there was none.
    package var inputBootMs: Int64?
    /// One sentence for a person.
    package var why: String
}
