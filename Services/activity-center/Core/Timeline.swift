package import STContracts
import STPlatform

/// Turns what one agent saw of one member into stretches of time.
///
/// Pure. Durations come from boot time alone; what the agent's silence leaves open is `unobserved`, and what the
/// machine slept through is `suspended`, with or without anybody saying so.
package struct Timeline: Sendable, Equatable {
    /// An active agent speaks every few seconds; a longer silence means that it saw nothing.
    package static let silenceMs: Int64 = 15_000
    /// How much the open stretch may grow before its followers are told.
    package static let tellEveryMs: Int64 = 30_000

    package enum Output: Sendable, Equatable {
        case opened(Segment)
        /// The open stretch has grown; followers may be told later.
        case grown(Segment)
        case closed(Segment)
    }

    /// Its end is the last beat.
    package private(set) var open: Segment?
    /// The most that boot minus monotonic time has been since the start of the machine.
    ///
    /// The two clocks are not read at one instant, so it may look smaller for a moment; it never is.
    private var suspendedMs: Int64

    package init(open: Segment?, suspendedMs: Int64) {
        self.open = open
        self.suspendedMs = suspendedMs
    }

    package init() { self.init(open: nil, suspendedMs: 0) }

    package var lastSuspendedMs: Int64 { suspendedMs }

    package mutating func take(_ seen: Observation, agent: String, run: String) throws -> [Output] {
        guard let current = open, current.bootId == seen.bootId else {
            // Boot times of two starts of the machine cannot be compared: the stretch ends where it was last seen.
            var outputs = close(at: open?.endBootMs)
            suspendedMs = seen.reading.suspendedMs
            outputs.append(begin(seen, agent, run, at: seen.bootMs, part: 0))
            return outputs
        }
        guard seen.bootMs >= current.endBootMs else {
            throw Problem(
                "usage.time_backwards",
                "Boot time went backwards from \(current.endBootMs) to \(seen.bootMs) within one start of the machine.",
                field: "/observations/boot_ms"
            )
        }
        let slept = max(0, min(seen.reading.suspendedMs - suspendedMs, seen.bootMs - current.endBootMs))
        if slept > 0 { return wake(seen, agent, run, current, slept) }
        let silence = seen.bootMs - current.endBootMs
        if current.presence == .active, silence > Self.silenceMs { return blind(seen, agent, run, current) }
        if isSame(current, seen) { return grow(to: seen.bootMs) }
        var outputs = close(at: seen.bootMs)
        outputs.append(begin(seen, agent, run, at: seen.bootMs, part: 0))
        return outputs
    }

    private func isSame(_ current: Segment, _ seen: Observation) -> Bool {
        current.presence == seen.presence && current.app == seen.app && current.domain == seen.domain
            && current.zone == seen.zone
    }

    private mutating func grow(to bootMs: Int64) -> [Output] {
        open?.endBootMs = bootMs
        return open.map { [.grown($0)] } ?? []
    }

    /// The agent was silent although somebody was active: what lies between was seen by nobody.
    private mutating func blind(_ seen: Observation, _ agent: String, _ run: String, _ current: Segment)
        -> [Output]
    {
        between(seen, agent, run, [(.unobserved, seen.bootMs)], from: current.endBootMs)
    }

    private mutating func wake(
        _ seen: Observation,
        _ agent: String,
        _ run: String,
        _ current: Segment,
        _ slept: Int64
    ) -> [Output] {
        // When exactly it fell asleep is not known; the awake part belongs to what was in front, unless that is
        // longer than an active agent is ever silent.
        let asleepMs = seen.bootMs - slept
        guard current.presence == .active, asleepMs - current.endBootMs > Self.silenceMs else {
            return between(seen, agent, run, [(.suspended, seen.bootMs)], from: asleepMs)
        }
        let gaps = [(Presence.unobserved, asleepMs), (.suspended, seen.bootMs)]
        return between(seen, agent, run, gaps, from: current.endBootMs)
    }

    private mutating func between(
        _ seen: Observation,
        _ agent: String,
        _ run: String,
        _ gaps: [(presence: Presence, endBootMs: Int64)],
        from bootMs: Int64
    ) -> [Output] {
        var outputs = close(at: bootMs)
        var startMs = bootMs
        for (part, (presence, endMs)) in gaps.enumerated() {
            var gap = segment(seen, agent, run, at: startMs, part: part)
            gap.presence = presence
            gap.app = nil
            gap.domain = nil
            gap.endBootMs = endMs
            outputs.append(.closed(gap))
            startMs = endMs
        }
        outputs.append(begin(seen, agent, run, at: seen.bootMs, part: gaps.count))
        return outputs
    }

    private mutating func close(at bootMs: Int64?) -> [Output] {
        guard var current = open, let bootMs else { return [] }
        current.endBootMs = bootMs
        open = nil
        return [.closed(current)]
    }

    private mutating func begin(
        _ seen: Observation,
        _ agent: String,
        _ run: String,
        at bootMs: Int64,
        part: Int
    ) -> Output {
        let next = segment(seen, agent, run, at: bootMs, part: part)
        open = next
        suspendedMs = max(suspendedMs, seen.reading.suspendedMs)
        return .opened(next)
    }

    private func segment(_ seen: Observation, _ agent: String, _ run: String, at bootMs: Int64, part: Int)
        -> Segment
    {
        Segment(
            segment: "\(agent)/\(run)/\(seen.sequence)\(part == 0 ? "" : "/\(part)")",
            agent: agent,
            run: run,
            sequence: seen.sequence,
            member: seen.member,
            presence: seen.presence,
            app: seen.app,
            domain: seen.domain,
            bootId: seen.bootId,
            startBootMs: bootMs,
            endBootMs: bootMs,
            startWallMs: seen.wallMs - (seen.bootMs - bootMs),
            zone: seen.zone
        )
    }
}
