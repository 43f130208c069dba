package import STContracts

/// What one agent told last.
package struct Seat: Sendable, Equatable, Codable {
    package var run: String
    package var sequence: Int64
    package var presence: Presence
    package var app: String?
    package var domain: String?
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
        heardBootMs = seen.bootMs
        heardAwakeMs = seen.monotonicMs
        let turnsUp = seen.presence == .active && before?.presence != .active
        inputBootMs = seen.inputBootMs ?? (turnsUp ? seen.bootMs : before?.inputBootMs ?? seen.bootMs)
    }
}
