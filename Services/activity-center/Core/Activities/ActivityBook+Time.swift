import STContracts
import STDomain
import STPlatform

/// Time that passes, and clocks that people set.
extension ActivityBook {
    /// Brings every interval up to this moment, and says what there is to tell, in its order.
    package mutating func advance(to moment: BookMoment) -> [DueOccurrence] {
        var due: [DueOccurrence] = []
        let before = clock ?? BookClock(moment)
        let natural = before.naturalWallMs(moment)
        let stepMs = moment.reading.wallMs - natural
        let isRestart = before.bootId != moment.bootId
        // The zone in which time has passed is the one there was; a new one counts from now.
        let passed = Passage(
            wallMs: natural,
            bootMs: moment.reading.bootMs,
            bootId: moment.bootId,
            zone: before.zone
        )
        forEach { activity in
            let old = activity
            if isRestart { activity.restart(bootId: moment.bootId) }
            due += activity.pass(passed)
            var now = passed
            now.wallMs = moment.reading.wallMs
            if stepMs != 0 { due += activity.jump(now, byMs: stepMs) }
            if before.zone != moment.zone {
                now.zone = moment.zone
                due += activity.move(now)
            }
            return activity == old ? .none : .all
        }
        clock = BookClock(moment)
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// Removes what is over: an activity that does not repeat, after its only interval.
    mutating func takeOver() -> [ActivityKey] {
        let over = activities.filter(\.isOver).map(\.key)
        for key in over { remove(key) }
        return over
    }
}
