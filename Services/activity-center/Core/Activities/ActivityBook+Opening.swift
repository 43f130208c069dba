import STContracts
import STDomain

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
    /// The book has been brought up to this moment.
    mutating func settle(at moment: BookMoment) { clock = BookClock(moment) }
}
