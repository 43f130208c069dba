package import STContracts

/// One member's time on this device: a lane for each start of the machine that agents still report.
///
/// Boot times of two starts cannot be compared, so a new start ends the lane before it, and what comes of an old
/// one afterwards is too late. But the machine's own start never counts as old: beside it there is room for one
/// other: an agent's spool of an earlier start, or a script.
package struct Timeline: Sendable, Equatable {
    /// An active agent reports every few seconds; a longer silence means that it saw nothing.
    package static let silenceMs: Int64 = 15_000
    /// The longest gap after an agent was killed that counts as use of an unknown app. After a minute, account-door reports the use.
    package static let countedGapMsMax: Int64 = 90_000
    /// The wall clock runs a little faster or slower to come right; by more than this it was set.
    package static let stepMs: Int64 = 1_000
    /// How far apart two clocks may look when they are read one after the other; a sleep is longer.
    package static let readApartMs: Int64 = 20
    /// Starts of the machine that are known to be over.
    package static let pastMax = 64
    /// At most so much use is taken back at once, as much as an agent may be told to wait before it says that a person left.
    package static let takenBackMaxMs: Int64 = 3_600_000
    /// Stretches of a lane that may still be taken back.
    package static let heldMax = 20
    /// A window may come or go so long after the touch that brought it.
    package static let touchMs: Int64 = 2_000

    package private(set) var lanes: [Lane]
    /// Oldest first.
    package private(set) var past: [String]

    package init(lanes: [Lane] = [], past: [String] = []) {
        self.lanes = lanes
        self.past = past
    }

    /// The stretches that are not in the ledger yet; of each lane the one under way is the last.
    package var open: [Segment] { lanes.flatMap { $0.held + [$0.open] } }

    /// `home` is the start of the machine that this process lives in.
    package mutating func take(
        _ words: AgentWords,
        home: String,
        category: (String?, String?) -> String? = { _, _ in nil }
    ) throws -> TimelineNews {
        let bootId = words.seen.bootId
        if let index = lanes.firstIndex(where: { $0.bootId == bootId }) {
            return try lanes[index].take(words, category)
        }
        guard bootId == home || !past.contains(bootId) else { return TimelineNews(isLate: true) }
        var news = TimelineNews(isLate: false)
        for lane in lanes where bootId == home || lane.bootId != home {
            past.append(lane.bootId)
            news.outputs += (lane.held + [lane.open]).map { .closed($0) }
            news.hasRetired = true
        }
        lanes.removeAll { bootId == home || $0.bootId != home }
        past.removeAll { $0 == bootId }
        past.removeFirst(max(0, past.count - Self.pastMax))
        let lane = Lane(words, category)
        lanes.append(lane)
        news.outputs.append(.opened(lane.open))
        return news
    }

    /// Forgets the last reports of silent agents: they are of no use, and a person may want them forgotten.
    mutating func dropStaleSeats() {
        for index in lanes.indices { lanes[index].dropStaleSeats() }
    }
}

/// What came of one observation.
package struct TimelineNews: Sendable, Equatable {
    package enum Output: Sendable, Equatable {
        /// A piece of time has become known: in order, and each moment of a start of the machine once.
        case passed(Stretch)
        /// A piece of time that had passed as use was none.
        case takenBack(Stretch)
        case opened(Segment)
        /// The open stretch has grown so much that the stream announces it again.
        case grown(Segment)
        case closed(Segment)
    }

    package var outputs: [Output] = []
    /// Another agent reported that time earlier, and its report stands.
    package var isLate: Bool
    /// Whether a start of the machine is over that was not before.
    package var hasRetired: Bool = false
}

/// An observation, and who made it.
package struct AgentWords: Sendable {
    package var agent: String
    package var run: String
    package var seen: Observation
    /// Whether a gap in active use counts as use of an unknown app, as for children on a protected computer.
    package var countsGaps: Bool

    package init(agent: String, run: String, seen: Observation, countsGaps: Bool = false) {
        self.agent = agent
        self.run = run
        self.seen = seen
        self.countsGaps = countsGaps
    }
}
