import STPlatform
import STTestSupport

@testable import STSimulation

/// Kills processes of a simulation at random moments.
struct Strikes: Sendable {
    private let programs: [String]
    private let most: Int
    private let pauseMs: ClosedRange<Int>
    private let seed: UInt64

    /// At most so many, so that what is played comes to an end.
    init(_ programs: [String], most: Int, pauseMs: ClosedRange<Int> = 5...200, seed: UInt64) {
        self.programs = programs
        self.most = most
        self.pauseMs = pauseMs
        self.seed = seed
    }

    /// Kills until it is cancelled; says how often.
    func strike(_ backend: SystemBackend) async -> Int {
        var random = SeededRandom(seed: seed)
        var kills = 0
        while !Task.isCancelled, kills < most {
            try? await Task.sleep(for: .milliseconds(random.number(pauseMs)))
            guard let program = random.pick(programs) else { break }
            if await backend.strike(program) { kills += 1 }
        }
        return kills
    }

    /// What was called and told, when, and how it ended, without what the kills decide.
    ///
    /// That is how many attempts it took, and what an extension wrote: in an attempt that was cut short it stands twice. Of
    /// one moment in any order: an app and its extension go on beside each other, and whichever was held up is the later one.
    static func told(_ outcome: SimulationOutcome) -> [TimelineEntry] {
        outcome.timeline.map { entry in
            var entry = entry
            entry.callback?.attempt = 1
            entry.callback?.lines = []
            return entry
        }
        .sorted { ($0.atMs, "\($0)") < ($1.atMs, "\($1)") }
    }
}
