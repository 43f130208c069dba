import STContracts
import STDomain
import STPlatform

/// How the intervals of one activity come and go.
extension WatchedActivity {
    /// As many borders as one look may cross; beyond it the clock is nonsense, and the next look goes on.
    private static let bordersMax = 10_000

    /// After a start of the machine its boot times begin anew; all use from then on is later than the interval's start.
    mutating func restart(bootId: String) {
        fromBootId = bootId
        fromBootMs = .min
    }

    /// Time has passed to this moment.
    mutating func pass(_ to: Passage) -> [DueOccurrence] {
        var due: [DueOccurrence] = []
        for _ in 0..<Self.bordersMax {
            if let current {
                if isAhead {
                    guard current.startWallMs <= to.wallMs else { break }
                    // The clock was set back, and has come to this start once more, this time by itself.
                    due += end(
                        at: current.startWallMs,
                        to,
                        note: "The clock had been set forward and back again."
                    )
                    due += begin(current, at: current.startWallMs, to, isFresh: true)
                    continue
                }
                if current.endWallMs <= to.wallMs {
                    due += warnOfStart(to)
                    due += end(at: current.endWallMs, to)
                    continue
                }
                due += warnOfEnd(to)
                due += warnOfStart(to)
                break
            }
            guard let next else { break }
            guard next.startWallMs <= to.wallMs else {
                due += warnOfStart(to)
                break
            }
            if next.endWallMs <= to.wallMs, schedule.repeats {
                // Nothing ran while it came and went, so nobody saw any of it.
                self.next = interval(after: next, to.zone)
                continue
            }
            due += begin(next, at: next.startWallMs, to, isFresh: true)
        }
        return due
    }

    /// The clock was set, from where it had come by itself to where `to` says.
    mutating func jump(_ to: Passage, byMs ms: Int64) -> [DueOccurrence] {
        let note = "The clock was set \(ms > 0 ? "forward" : "back") by \(TextFormat.duration(ms: abs(ms)))."
        var due: [DueOccurrence] = []
        if let current {
            if to.wallMs < current.startWallMs {
                isAhead = true
                return []
            }
            if to.wallMs < current.endWallMs {
                isAhead = false
                return []
            }
            isAhead = false
            due += end(at: to.wallMs, to, note: note)
        }
        return due + enter(to, note: note)
    }

    /// The computer is in another zone from now on: an interval ends at the same time of day there.
    mutating func move(_ to: Passage) -> [DueOccurrence] {
        let note = "The time zone became \(to.zone)."
        guard let current else { return enter(to, note: note) }
        self.current?.endWallMs = schedule.end(of: current.interval, movedTo: to.zone)
        self.current?.zone = to.zone
        next = interval(after: current, to.zone)
        guard let moved = self.current, moved.endWallMs <= to.wallMs else { return [] }
        return end(at: to.wallMs, to, note: note) + enter(to, note: note)
    }

    /// Finds out anew where this moment lies.
    ///
    /// An interval that is entered in its middle, by a clock or a zone that was set, brings no fresh allowance.
    private mutating func enter(_ to: Passage, note: String) -> [DueOccurrence] {
        guard schedule.repeats || armedStartMs == nil else {
            next = nil
            return []
        }
        toldWillStart = false
        next = interval(atOrAfter: to.wallMs, to.zone)
        guard let next, next.startWallMs <= to.wallMs else {
            if let next, let warningMs { toldWillStart = next.startWallMs - warningMs < to.wallMs }
            return []
        }
        return begin(next, at: to.wallMs, to, isFresh: armedStartMs == nil, note: note)
    }

    // MARK: - The borders of an interval

    mutating func begin(
        _ interval: IntervalSpan,
        at wallMs: Int64,
        _ to: Passage,
        isFresh: Bool,
        note: String? = nil
    ) -> [DueOccurrence] {
        current = interval
        next = self.interval(after: interval, to.zone)
        isAhead = false
        toldWillStart = false
        toldWillEnd = false
        endedWallMs = nil
        fromBootId = to.bootId
        fromBootMs = to.bootMs(atWallMs: wallMs)
        fromWallMs = wallMs
        let isNew = armedStartMs.map { interval.startWallMs > $0 } ?? true
        if isFresh, isNew {
            armedStartMs = interval.startWallMs
            for index in events.indices { events[index].rearm() }
        } else {
            for index in events.indices { events[index].carry() }
        }
        guard mode == .wallClock else {
            owesStart = true
            return []
        }
        return [occurrence(.intervalStarted, interval, at: wallMs, note: note)]
    }

    mutating func end(at wallMs: Int64, _ to: Passage, note: String? = nil) -> [DueOccurrence] {
        guard let ended = current else { return [] }
        current = nil
        endedWallMs = wallMs
        isAhead = false
        toldWillEnd = false
        guard mode == .wallClock else {
            // A phone that nobody used in the interval says nothing of it.
            if owesStart { owesStart = false } else { owesEnd = ended }
            return []
        }
        return [occurrence(.intervalEnded, ended, at: wallMs, note: note)]
    }

    private mutating func warnOfEnd(_ to: Passage) -> [DueOccurrence] {
        guard let current, let warningMs, !toldWillEnd else { return [] }
        let at = max(current.startWallMs, current.endWallMs - warningMs)
        guard at <= to.wallMs else { return [] }
        toldWillEnd = true
        if mode == .firstUse, owesStart { return [] }
        return [occurrence(.intervalWillEnd, current, at: at)]
    }

    private mutating func warnOfStart(_ to: Passage) -> [DueOccurrence] {
        guard let next, let warningMs, !toldWillStart, next.startWallMs - warningMs <= to.wallMs else {
            return []
        }
        toldWillStart = true
        return [occurrence(.intervalWillStart, next, at: next.startWallMs - warningMs)]
    }

    /// The device is used in this stretch: what waited for that is told, at the first moment of use after it.
    mutating func use(in stretch: Stretch) -> [DueOccurrence] {
        var due: [DueOccurrence] = []
        if let ended = owesEnd, Self.isUsed(stretch, since: ended.endWallMs) {
            owesEnd = nil
            due.append(
                told(
                    .intervalEnded,
                    ended,
                    border: ended.endWallMs,
                    stretch,
                    "Told at the first use after it."
                )
            )
        }
        if owesStart, let current, Self.isUsed(stretch, since: current.startWallMs) {
            owesStart = false
            let border = current.startWallMs
            due.append(
                told(.intervalStarted, current, border: border, stretch, "Told at the first use in it.")
            )
        }
        return due
    }

    /// Whether any of it lies after a border: what is only told of late may lie before.
    private static func isUsed(_ stretch: Stretch, since wallMs: Int64) -> Bool {
        stretch.endWallMs > wallMs || stretch.fromBootMs == stretch.toBootMs && stretch.endWallMs == wallMs
    }

    private func told(
        _ occasion: ActivityOccasion,
        _ interval: IntervalSpan,
        border wallMs: Int64,
        _ stretch: Stretch,
        _ note: String
    ) -> DueOccurrence {
        let at = min(stretch.endWallMs, max(stretch.fromWallMs, wallMs))
        var due = occurrence(occasion, interval, at: at, note: note)
        due.dueBootMs = stretch.bootMs(atWallMs: at)
        return due
    }

    // MARK: - Telling

    func occurrence(
        _ occasion: ActivityOccasion,
        _ interval: IntervalSpan,
        at wallMs: Int64,
        note: String? = nil
    ) -> DueOccurrence {
        DueOccurrence(
            key: key,
            event: nil,
            occasion: occasion,
            dueWallMs: wallMs,
            dueBootMs: nil,
            interval: interval,
            evidence: ActivityEvidence(rule: understood, warningMs: warningMs, parts: [], more: 0, note: note)
        )
    }
}
