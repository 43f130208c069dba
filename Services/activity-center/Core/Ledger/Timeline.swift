package import STContracts

/// One member's time on this device, with one lane for each boot of the machine that agents still report.
///
/// Boot times of two boots cannot be compared. A new boot therefore ends the lane of an earlier boot, and later reports of an ended
/// boot are late. The current boot never ends this way. Beside it there is room for one other: observations that an agent stored
/// during an earlier boot, or a script.
///
/// A timeline is pure. `apply` applies one observation and returns its effects, which the caller stores and publishes:
///
/// ```swift
/// var timeline = Timeline()
/// let words = AgentObservation(agent: "desktop", run: "1", seen: observation)
/// let news = try timeline.apply(words, home: bootID)
/// for case .closed(let segment) in news.outputs {
///     print(segment.app ?? "no app", segment.durationMs, "ms")
/// }
/// ```
package struct Timeline: Sendable, Equatable {
    /// An active agent reports every few seconds. During a longer silence, it observed nothing.
    package static let silence = Duration.seconds(15)
    /// The longest gap after an agent was killed that counts as use of an unknown app. After a minute, account-door reports the
    /// use.
    package static let countedGapMax = Duration.seconds(90)
    /// A larger step means that the wall clock was set. Synchronisation makes smaller steps.
    package static let step = Duration.seconds(1)
    /// The largest difference that two clocks may show because they are read one after the other. A sleep is longer.
    package static let readingTolerance = Duration.milliseconds(20)
    /// Upper bound on `past`.
    package static let pastMax = 64
    /// Upper bound on the use that one report takes back. It equals the upper bound of an agent's `idle_ms`.
    package static let retractionMax = Duration.seconds(3_600)
    /// Upper bound on the segments of a lane that may still be taken back.
    package static let heldMax = 20
    /// The time after an input in which a window may still appear or disappear because of it.
    package static let touchEffect = Duration.seconds(2)

    package private(set) var lanes: [BootTimeline]
    /// The boots that have ended, the oldest first.
    package private(set) var past: [String]

    package init(lanes: [BootTimeline] = [], past: [String] = []) {
        self.lanes = lanes
        self.past = past
    }

    /// The segments that are not in the ledger yet. In each lane, the segment under way is the last.
    package var open: [Segment] { lanes.flatMap { $0.held + [$0.open] } }

    /// Applies one observation. `home` is the boot in which this process runs.
    ///
    /// Throws `usage.time_backwards` if the same run of an agent reports an earlier boot time than before.
    package mutating func apply(
        _ words: AgentObservation,
        home: String,
        category: (String?, String?) -> String? = { _, _ in nil }
    ) throws -> TimelineChanges {
        let bootId = words.observation.bootId
        if let index = lanes.firstIndex(where: { $0.bootId == bootId }) {
            return try lanes[index].apply(words, category)
        }
        guard bootId == home || !past.contains(bootId) else { return TimelineChanges(isLate: true) }
        var news = TimelineChanges(isLate: false)
        for lane in lanes where bootId == home || lane.bootId != home {
            past.append(lane.bootId)
            news.outputs += (lane.held + [lane.open]).map { .closed($0) }
            news.hasRetired = true
        }
        lanes.removeAll { bootId == home || $0.bootId != home }
        past.removeAll { $0 == bootId }
        past.removeFirst(max(0, past.count - Self.pastMax))
        let lane = BootTimeline(words, category)
        lanes.append(lane)
        news.outputs.append(.opened(lane.open))
        return news
    }

    /// Removes the last reports of silent agents. They have no effect, and a person may want them deleted.
    mutating func dropStaleSeats() {
        for index in lanes.indices { lanes[index].dropStaleSeats() }
    }
}

/// The effects of one observation.
package struct TimelineChanges: Sendable, Equatable {
    package enum Output: Sendable, Equatable {
        /// An interval has become known. Intervals are in order, and contain each moment of a boot once.
        case counted(UsageInterval)
        /// Usage that was counted earlier is taken back.
        case retracted(UsageInterval)
        case opened(Segment)
        /// The open segment has grown so much that the stream announces it again.
        case extended(Segment)
        case closed(Segment)
    }

    package var outputs: [Output] = []
    /// True if another agent has already reported that time. The earlier report remains valid.
    package var isLate: Bool
    /// True if another boot has ended.
    package var hasRetired: Bool = false
}

/// An observation, and the agent that made it.
package struct AgentObservation: Sendable {
    package var agent: String
    package var run: String
    package var observation: Observation
    /// True if a gap in active use counts as use of an unknown app, as for children on a protected computer.
    package var countsGaps: Bool

    package init(agent: String, run: String, seen: Observation, countsGaps: Bool = false) {
        self.agent = agent
        self.run = run
        self.observation = seen
        self.countsGaps = countsGaps
    }
}
