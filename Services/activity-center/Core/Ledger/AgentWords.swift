package import STContracts

/// An observation, and who made it.
package struct AgentWords: Sendable {
    package var agent: String
    package var run: String
    package var seen: Observation

    package init(agent: String, run: String, seen: Observation) {
        self.agent = agent
        self.run = run
        self.seen = seen
    }
}

extension Segment {
    /// Begins at a moment, with what the holder's agent told last.
    ///
    /// It is named by the observation that led to it, which may be another agent's: no two stretches share a name.
    init(
        _ words: AgentWords,
        seat: Seat,
        holder: String? = nil,
        atBootMs bootMs: Int64,
        part: Int = 0,
        _ category: (String?, String?) -> String?
    ) {
        let seen = words.seen
        self.init(
            segment: "\(words.agent)/\(words.run)/\(seen.sequence)\(part == 0 ? "" : "/\(part)")",
            agent: holder ?? words.agent,
            run: seat.run,
            sequence: seat.sequence,
            member: seen.member,
            presence: seat.presence,
            app: seat.app,
            domain: seat.domain,
            bootId: seen.bootId,
            startBootMs: bootMs,
            endBootMs: bootMs,
            startWallMs: seen.wallMs - (seen.bootMs - bootMs),
            zone: seen.zone,
            category: category(seat.app, seat.domain),
            knownBy: .seen,
            shielded: seat.shielded
        )
    }

    func shows(_ seat: Seat, zone: String) -> Bool {
        presence == seat.presence && app == seat.app && domain == seat.domain
            && (shielded ?? false) == (seat.shielded ?? false) && self.zone == zone
    }
}

extension Stretch {
    init(_ segment: Segment, fromBootMs: Int64, toBootMs: Int64) {
        self.init(
            member: segment.member,
            segment: segment.segment,
            presence: segment.presence,
            app: segment.app,
            domain: segment.domain,
            category: segment.category,
            isShielded: segment.shielded == true,
            bootId: segment.bootId,
            fromBootMs: fromBootMs,
            toBootMs: toBootMs,
            fromWallMs: segment.startWallMs + (fromBootMs - segment.startBootMs)
        )
    }
}
