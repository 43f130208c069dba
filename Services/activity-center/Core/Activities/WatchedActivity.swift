package import STContracts
package import STDomain

/// One activity that is watched, and how far its interval has come.
package struct WatchedActivity: WireBody, Codable, Equatable {
    package var key: ActivityKey
    package var schedule: Schedule
    package var events: [WatchedEvent]
    package var mode: ScheduleMode
    package var warningMs: Int64?
    /// What the schedule was taken to mean, in words.
    package var understood: String

    /// The interval under way.
    package var current: IntervalSpan?
    /// The one after it, or the one to come.
    package var next: IntervalSpan?
    /// The wall clock was set back to before the start of `current`, which stays under way all the same.
    package var isAhead = false
    package var toldWillStart = false
    package var toldWillEnd = false
    /// On a phone, what there is to tell waits for the first use of the device.
    package var owesStart = false
    package var owesEnd: IntervalSpan?

    /// Use before this moment of that start of the machine does not count.
    package var fromBootMs: Int64
    package var fromBootId: String
    /// The same moment in wall time, for what was seen during another start of the machine and comes late.
    package var fromWallMs: Int64 = .min
    /// When the last interval ended, while none is under way: use up to then may still be on its way here.
    package var endedWallMs: Int64?
    /// The latest interval that began with a fresh allowance; one that is entered again gets none.
    package var armedStartMs: Int64?

    package init(
        key: ActivityKey,
        schedule: Schedule,
        events: [WatchedEvent],
        mode: ScheduleMode,
        warningMs: Int64?,
        understood: String,
        fromBootMs: Int64,
        fromBootId: String
    ) {
        self.key = key
        self.schedule = schedule
        self.events = events
        self.mode = mode
        self.warningMs = warningMs
        self.understood = understood
        self.fromBootMs = fromBootMs
        self.fromBootId = fromBootId
    }

    /// The moments at which something may have to be told, in wall time.
    package var dueWallMs: Int64? {
        var moments: [Int64] = []
        if let current {
            moments.append(isAhead ? current.startWallMs : current.endWallMs)
            if !isAhead, !toldWillEnd, let warningMs {
                moments.append(max(current.startWallMs, current.endWallMs - warningMs))
            }
        }
        if let next {
            if current == nil { moments.append(next.startWallMs) }
            if !toldWillStart, let warningMs { moments.append(next.startWallMs - warningMs) }
        }
        return moments.min()
    }

    package var isOver: Bool { current == nil && next == nil && owesEnd == nil && !owesStart }

    func interval(atOrAfter wallMs: Int64, _ zone: String) -> IntervalSpan? {
        schedule.interval(atOrAfter: wallMs, zone: zone).map { IntervalSpan($0) }
    }

    func interval(after span: IntervalSpan, _ zone: String) -> IntervalSpan? {
        schedule.next(after: span.interval, zone: zone).map { IntervalSpan($0) }
    }
}

extension IntervalSpan {
    init(_ interval: Interval) {
        self.init(startWallMs: interval.startMs, endWallMs: interval.endMs, zone: interval.zone)
    }

    var interval: Interval { Interval(startMs: startWallMs, endMs: endWallMs, zone: zone) }
}
