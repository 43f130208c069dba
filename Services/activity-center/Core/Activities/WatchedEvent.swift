package import STContracts
package import STDomain
import STPlatform

/// One event of an activity: the threshold of use of its targets, and the usage counted so far.
package struct WatchedEvent: WireBody, Codable, Equatable {
    /// The event as it was requested, including tokens, for replies.
    package var spec: ActivityEventSpec
    package var budget: Budget
    package private(set) var progress = BudgetProgress()
    /// The part of the usage from before a step of the clock entered this interval.
    package private(set) var carried = Duration.zero
    /// The latest stretches that counted.
    package private(set) var parts: [EvidencePart] = []
    package private(set) var more: Int64 = 0
    /// The moment up to which it has counted, for an event that starts again after a rest.
    package private(set) var counted: CountedUntil?

    /// Small, because the parts are in the event, in its delivery and in the data that every observation saves.
    private static let partsMax = 4

    /// Counted usage is stored separately (`ActivityCounts`), because it changes with every observation.
    package enum CodingKeys: String, CodingKey {
        case spec, budget
    }

    package init(spec: ActivityEventSpec, budget: Budget) {
        self.spec = spec
        self.budget = budget
    }

    package var used: Duration { .milliseconds(progress.usedMs) }

    package func matches(_ stretch: UsageInterval) -> Bool {
        // A person in front of a shield is resting, even if that time counts as use.
        if spec.restMs != nil, stretch.isShielded { return false }
        return budget.target.matches(app: stretch.app, category: stretch.category, domain: stretch.domain)
    }

    /// Returns the parts of a stretch that no other stretch has counted yet, in its boot time.
    func parts(of stretch: UsageInterval, from: BootTime, to: BootTime, beside: [UsageInterval]) -> [(
        from: BootTime, to: BootTime
    )] {
        guard spec.overlap == .once, !beside.isEmpty else { return [(from, to)] }
        let counted = TimeRangeSet(beside.filter(matches).map { TimeRange($0.fromWall.ms, $0.endWall.ms) })
        return counted.gaps(in: TimeRange(stretch.wall(at: from).ms, stretch.wall(at: to).ms)).map {
            (stretch.boot(at: WallTime(ms: $0.startMs)), stretch.boot(at: WallTime(ms: $0.endMs)))
        }
    }

    var isExhausted: Bool { progress.usedMs >= budget.thresholdMs }

    /// Begins an interval with a new allowance. If `isReached` is true, there is none left, as phones do at times.
    mutating func resetAllowance(isReached: Bool = false) {
        progress = BudgetProgress(usedMs: 0, reached: isReached, warned: isReached)
        carried = .zero
        parts = []
        more = 0
    }

    /// Enters an interval after a step of the clock or the zone. The counted usage remains.
    mutating func carryUsage() { carried = used }

    /// Counts a part of a stretch. Returns the warning and the threshold that it crosses.
    mutating func count(_ stretch: UsageInterval, from: BootTime, to: BootTime) -> [BudgetCrossing] {
        if let restMs = spec.restMs {
            if let counted, counted.pause(until: stretch, at: from) >= .milliseconds(restMs) {
                resetAllowance()
            }
            counted = CountedUntil(
                bootId: stretch.bootId,
                bootMs: to.ms,
                wallMs: stretch.wall(at: to).ms,
                isBusy: stretch.isBusy ? true : nil
            )
        }
        addEvidence(stretch, from: from, length: to - from)
        if spec.restMs != nil, stretch.isBusy {
            // A threshold that is crossed now is due when the film is over.
            progress.count((to - from).ms)
            return []
        }
        return progress.add(fromBootMs: from.ms, toBootMs: to.ms, of: budget)
    }

    /// Takes back counted usage. Returns true if the threshold was reached and no longer is.
    ///
    /// This applies to built-in rules only. An app's extension was already called, once in an interval, and its effects remain.
    mutating func retract(_ stretch: UsageInterval, length: Duration, isOfRules: Bool) -> Bool {
        if let index = parts.lastIndex(where: { $0.segment == stretch.segment }) {
            parts[index].ms -= min(length.ms, parts[index].ms)
            if parts[index].ms == 0 { parts.remove(at: index) }
        }
        if let until = counted, until.bootId == stretch.bootId, until.bootMs > stretch.fromBoot.ms {
            counted = CountedUntil(
                bootId: until.bootId,
                bootMs: stretch.fromBoot.ms,
                wallMs: stretch.fromWall.ms
            )
        }
        var left = progress
        let isReturned = left.subtract(length.ms, of: budget)
        progress =
            isOfRules
            ? left : BudgetProgress(usedMs: left.usedMs, reached: progress.reached, warned: progress.warned)
        return isOfRules && isReturned
    }

    /// Counts use from before watching began. Its crossings are due now.
    mutating func count(past stretches: [UsageInterval], at boot: BootTime) -> [BudgetCrossing] {
        var counted: [String: TimeRangeSet] = [:]
        for stretch in stretches where stretch.presence == .active && matches(stretch) {
            let span = TimeRange(stretch.fromWall.ms, stretch.endWall.ms)
            var ms = max(0, span.durationMs)
            if spec.overlap == .once {
                let device = stretch.device ?? ""
                let others = TimeRangeSet(counted.filter { $0.key != device }.flatMap(\.value.ranges))
                ms = others.gaps(in: span).reduce(0) { $0 + $1.durationMs }
                counted[device, default: TimeRangeSet()].insert(span)
            }
            progress.count(ms)
            addEvidence(stretch, from: stretch.fromBoot, length: .milliseconds(ms))
        }
        return progress.add(fromBootMs: boot.ms, toBootMs: boot.ms, of: budget)
    }

    mutating func restore(
        _ progress: BudgetProgress,
        carried: Duration,
        parts: [EvidencePart],
        more: Int64,
        counted: CountedUntil? = nil
    ) {
        self.counted = counted
        self.progress = progress
        self.carried = carried
        self.parts = parts
        self.more = more
    }

    mutating func removeEvidence(_ segments: Set<String>) -> Bool {
        let before = parts.count
        parts.removeAll { segments.contains($0.segment) }
        return parts.count != before
    }

    private mutating func addEvidence(_ stretch: UsageInterval, from: BootTime, length: Duration) {
        if let last = parts.indices.last, parts[last].segment == stretch.segment {
            parts[last].ms += length.ms
            return
        }
        parts.append(
            EvidencePart(
                segment: stretch.segment,
                app: stretch.app,
                domain: stretch.domain,
                category: stretch.category,
                startWallMs: stretch.wall(at: from).ms,
                ms: length.ms
            )
        )
        let older = parts.count - Self.partsMax
        guard older > 0 else { return }
        parts.removeFirst(older)
        more += Int64(older)
    }
}

/// The moment up to which an event has counted.
package struct CountedUntil: Codable, Sendable, Equatable {
    var bootId: String
    var bootMs: Int64
    var wallMs: Int64
    /// True if a film or a call was running, which delays crossings.
    var isBusy: Bool?

    /// Returns the time without counted use before this moment of a stretch. Between two boots, only wall times can be compared.
    func pause(until stretch: UsageInterval, at boot: BootTime) -> Duration {
        stretch.bootId == bootId ? boot - BootTime(ms: bootMs) : stretch.wall(at: boot) - WallTime(ms: wallMs)
    }
}

/// Describes events.
enum EventText {
    private static let namesMax = 5

    static func ruleText(_ budget: Budget) -> Message {
        let length = MessageValue.duration(ms: budget.thresholdMs)
        return Message("evidence.time-of", "\(length, "length") of \(targetText(budget.target), "apps")")
    }

    static func targetText(_ target: BudgetTarget) -> Message {
        if target.isEverything { return Message("evidence.any-use", "any use") }
        let names =
            target.apps.sorted() + target.domains.sorted().map { "site:\($0)" }
            + target.categories.sorted().map { "category:\($0)" }
        let shown = names.prefix(namesMax).joined(separator: ", ")
        guard names.count > namesMax else { return Message(verbatim: shown) }
        let rest = names.count - namesMax
        return Message("evidence.names-and-more", "\(shown, "names") and \(rest, "count") more")
    }
}
