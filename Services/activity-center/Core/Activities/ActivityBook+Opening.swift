import STContracts
import STDomain
import STPlatform

extension WatchedActivity {
    /// Watching begins: an interval under way is told of at once, whatever the mode.
    mutating func open(at moment: BookMoment) -> [DueOccurrence] {
        let wallMs = moment.reading.wallMs
        let to = Passage(
            wallMs: wallMs,
            bootMs: moment.reading.bootMs,
            bootId: moment.bootId,
            zone: moment.zone
        )
        next = interval(atOrAfter: wallMs, moment.zone)
        guard let first = next, first.startWallMs <= wallMs else {
            // A warning whose moment has passed already would be no warning.
            if let next, let warningMs { toldWillStart = next.startWallMs - warningMs < wallMs }
            return []
        }
        var due = begin(first, at: wallMs, to, isFresh: true)
        if owesStart {
            owesStart = false
            due.append(occurrence(.intervalStarted, first, at: wallMs))
        }
        if let warningMs { toldWillEnd = first.endWallMs - warningMs < wallMs }
        return due
    }
}

extension ActivityBook {
    /// Watching begins; `past` is use from before it, for the events that ask for that.
    package mutating func open(
        _ activity: WatchedActivity,
        at moment: BookMoment,
        past: [Stretch] = []
    ) -> [DueOccurrence] {
        var activity = activity
        var due = activity.open(at: moment)
        due += activity.count(past: past.filter { isUse($0) }, at: moment)
        put(activity)
        clock = BookClock(moment)
        return due.sorted(by: DueOccurrence.isBefore)
    }
}

extension WatchedActivity {
    fileprivate mutating func count(past stretches: [Stretch], at moment: BookMoment) -> [DueOccurrence] {
        guard let current, let last = stretches.last else { return [] }
        var due: [DueOccurrence] = []
        for index in events.indices where events[index].budget.includesPast {
            for crossing in events[index].take(past: stretches, atBootMs: moment.reading.bootMs) {
                let note = "Counted from before the watching began."
                var told = occurrence(crossing, events[index], current, last, note: note)
                told.dueWallMs = moment.reading.wallMs
                due.append(told)
            }
        }
        return due
    }
}
