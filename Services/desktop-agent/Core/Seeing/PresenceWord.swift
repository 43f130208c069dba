package import STContracts

/// Whether somebody is there, as the session and the display say together.
package struct PresenceWord: Sendable, Equatable {
    package var presence: Presence
    /// Since when, in boot time.
    package var atBootMs: Int64
    /// When a key or a pointer was last touched; nil where nobody says.
    package var inputBootMs: Int64?

    package init(_ presence: Presence, atBootMs: Int64, inputBootMs: Int64? = nil) {
        self.presence = presence
        self.atBootMs = atBootMs
        self.inputBootMs = inputBootMs
    }
}
