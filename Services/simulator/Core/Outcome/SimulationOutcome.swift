/// All that came of a scenario, without anything that differs from run to run.
package struct SimulationOutcome: Sendable, Equatable {
    /// Whether an expectation was met, and what happened instead.
    package struct Verdict: Sendable, Equatable {
        /// The expectation in words.
        package var expected: String
        package var isMet: Bool
        package var instead: String?
        package var path: String
    }

    package var name: String
    /// The zone of the device at the start.
    package var zone: String
    package var startWallMs: Int64
    package var endWallMs: Int64
    package var timeline: [TimelineEntry]
    /// What a phone would have kept silent about.
    package var silences: [String]
    package var verdicts: [Verdict]

    package var isMet: Bool { verdicts.allSatisfy(\.isMet) }
}
