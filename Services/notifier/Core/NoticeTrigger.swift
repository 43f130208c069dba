import STContracts
import STDomain
import STPlatform

/// The times of a notification with a trigger.
enum NoticeTrigger {
    /// The readings of this machine's clocks.
    struct Clock: Sendable, Equatable {
        var now: TimeReading
        var zone: String
        var bootID: String
    }

    /// A notification does not repeat if the clock was set back by at most this much.
    private static let backMax = Duration.seconds(3_600)
    private static let code = "notify.bad_trigger"

    static func check(_ trigger: NotifyTrigger) throws {
        switch try trigger.kind.required("/trigger/kind") {
        case .interval:
            guard trigger.fields == nil, let afterMs = trigger.afterMs else {
                throw Problem(
                    code,
                    "An interval trigger must have after_ms and no fields.",
                    key: "notify.bad_trigger.an-interval-has",
                    field: "/trigger/after_ms"
                )
            }
            guard afterMs > 0, afterMs <= NotifyPost.afterMaxMs else {
                throw Problem(
                    code,
                    "An interval must be at least 1 ms and at most a year.",
                    key: "notify.bad_trigger.an-interval-lasts",
                    field: "/trigger/after_ms"
                )
            }
            guard !trigger.repeats || afterMs >= NotifyPost.repeatMinMs else {
                throw Problem(
                    code,
                    """
                    A repeating notification can be shown at most once in \
                    \(MessageValue.duration(ms: NotifyPost.repeatMinMs), "time").
                    """,
                    key: "notify.bad_trigger.what-repeats-comes",
                    field: "/trigger/after_ms"
                )
            }
        case .calendar:
            guard trigger.afterMs == nil, let fields = trigger.fields else {
                throw Problem(
                    code,
                    "A calendar trigger must have fields and no after_ms.",
                    key: "notify.bad_trigger.a-calendar-trigger",
                    field: "/trigger/fields"
                )
            }
            try fields.checkMoment(code: code, field: "/trigger/fields")
            guard !trigger.repeats || fields.isRecurring else {
                throw Problem(
                    code,
                    "A calendar trigger with a year cannot repeat.",
                    key: "notify.bad_trigger.a-moment-with",
                    field: "/trigger/repeats"
                )
            }
        case .unknown: break
        }
    }

    /// Returns the first time of a new notification.
    static func first(_ trigger: NotifyTrigger, _ clock: Clock) throws -> NoticeDue {
        if let afterMs = trigger.afterMs {
            return interval(endingAt: clock.now.boot + .milliseconds(afterMs), clock)
        }
        guard let wallMs = trigger.fields?.moment(after: clock.now.wallMs, zone: clock.zone) else {
            throw Problem(
                code,
                "That time has passed and will not occur again.",
                key: "notify.bad_trigger.that-moment-has",
                field: "/trigger/fields"
            )
        }
        return NoticeDue(wall: WallTime(ms: wallMs))
    }

    private static func interval(endingAt boot: BootTime, _ clock: Clock) -> NoticeDue {
        NoticeDue(wall: clock.now.wall + (boot - clock.now.boot), boot: boot, bootID: clock.bootID)
    }

    static func isReached(_ due: NoticeDue, _ clock: Clock) -> Bool {
        if let boot = due.boot, due.bootID == clock.bootID { return boot <= clock.now.boot }
        return due.wall <= clock.now.wall
    }

    /// Returns the next time after a delivery, or `nil` if it does not repeat.
    ///
    /// Missed times are skipped.
    static func next(_ trigger: NotifyTrigger, after due: NoticeDue, _ clock: Clock) -> NoticeDue? {
        guard trigger.repeats else { return nil }
        if let afterMs = trigger.afterMs {
            let end = due.bootID == clock.bootID ? due.boot ?? BootTime(ms: 0) : clock.now.boot
            let lateMs = max(.zero, clock.now.boot - end).ms
            return interval(endingAt: clock.now.boot + .milliseconds(afterMs - lateMs % afterMs), clock)
        }
        let past = max(clock.now.wall, due.wall)
        return trigger.fields?.moment(after: past.ms, zone: clock.zone).map {
            NoticeDue(wall: WallTime(ms: $0), last: due.wall)
        }
    }

    /// Returns the same moment by the present clocks. These may have been set, or be in another time zone or boot.
    static func adjusted(_ trigger: NotifyTrigger, due: NoticeDue, clock: Clock) -> NoticeDue {
        if trigger.afterMs != nil {
            if let boot = due.boot, due.bootID == clock.bootID {
                return interval(endingAt: boot, clock)
            }
            // After a restart, the rest of the interval follows the wall clock.
            return interval(endingAt: clock.now.boot + max(.zero, due.wall - clock.now.wall), clock)
        }
        // A recent notification does not repeat because the clock was set back a little.
        let now = clock.now.wall
        let isJustTold = due.last.map { $0 > now && $0 - now <= backMax } ?? false
        let past = isJustTold ? due.last ?? now : now
        guard let wallMs = trigger.fields?.moment(after: past.ms, zone: clock.zone) else { return due }
        return NoticeDue(wall: WallTime(ms: wallMs), last: due.last)
    }
}
