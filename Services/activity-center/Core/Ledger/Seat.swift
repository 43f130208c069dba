package import STContracts

/// What one agent told last.
package struct Seat: Sendable, Equatable, Codable {
    package var run: String
    package var sequence: Int64
    package var presence: Presence
    package var app: String?
    package var domain: String?
    /// True where somebody looked at a shield; nobody who is not there does.
    package var shielded: Bool?
    /// The moment it told of.
    package var heardBootMs: Int64
    /// In monotonic time: nobody is silent while the machine sleeps.
    package var heardAwakeMs: Int64
    /// When somebody last touched something there, or turned up if the agent cannot say.
    package var inputBootMs: Int64

    init(_ seen: Observation, run: String, after before: Seat?) {
        self.run = run
        sequence = seen.sequence
        presence = seen.presence
        app = seen.app
        domain = seen.domain
        shielded = seen.shielded == true && seen.presence == .active ? true : nil
        heardBootMs = seen.bootMs
        heardAwakeMs = seen.monotonicMs
        let turnsUp = seen.presence == .active && before?.presence != .active
        inputBootMs = seen.inputBootMs ?? (turnsUp ? seen.bootMs : before?.inputBootMs ?? seen.bootMs)
    }
}
