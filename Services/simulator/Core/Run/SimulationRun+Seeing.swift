import STContracts
import STPlatform

/// Telling activity-center what was seen, and asking it what that would lead to.
extension SimulationRun {
    static let agent = ServiceName.desktop.rawValue
    /// Each look comes closer; two are enough unless several people cross at almost one moment.
    private static let looksMax = 100

    /// Everything seen up to now.
    func tellSeen() async throws { try await tell(eyes.tell(untilMs: time.elapsedMs, time)) }

    func tell(_ observations: [Observation]) async throws {
        var rest = actual(observations)[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(UsageObserve.batchMax))
            rest = rest.dropFirst(part.count)
            _ = try await backend.call(
                UsageObserve.self,
                .init(agent: Self.agent, run: eyes.run, observations: part)
            )
        }
    }

    /// The first moment at which what will be seen until then makes something come true; else the target itself.
    func firstCrossing(before targetMs: Int64) async throws -> Int64 {
        var target = targetMs
        for _ in 0..<Self.looksMax {
            guard target > time.elapsedMs else { return target }
            let planned = eyes.look(untilMs: target, time)
            guard !planned.isEmpty else { return target }
            let request = UsagePreview.Request(
                agent: Self.agent,
                run: eyes.run,
                observations: Array(actual(planned).prefix(UsageObserve.batchMax))
            )
            guard let due = try await backend.call(UsagePreview.self, request).dueBootMs else {
                return target
            }
            // What comes true with the first moment of use is only seen once a moment has been used.
            let crossing = max(time.elapsedMs(atBootMs: due), time.elapsedMs + 1)
            guard crossing < target else { return target }
            target = crossing
        }
        return target
    }

    private func actual(_ observations: [Observation]) -> [Observation] {
        observations.map { seen in
            var seen = seen
            seen.member = timeline.actual(seen.member)
            return seen
        }
    }
}
