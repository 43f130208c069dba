import STActivityCore
import STContracts
import STDomain
import STPlatform

/// An `WatchedActivities` with adjustable clocks, and the occurrences that it announced.
struct BookDesk {
    /// 2026-11-20 12:00 in UTC, a Friday.
    static let noon: Int64 = 1_795_176_000_000
    static let hour: Int64 = 3_600_000
    static let minute: Int64 = 60_000

    var book = WatchedActivities()
    var moment: ZonedReading
    private(set) var told: [DueOccurrence] = []
    private var segments = 0

    init(wallMs: Int64 = BookDesk.noon, zone: String = "UTC") {
        moment = ZonedReading(
            reading: TimeReading(wallMs: wallMs, bootMs: 1_000_000, monotonicMs: 1_000_000),
            bootId: "boot",
            zone: zone
        )
        _ = book.advance(to: moment)
    }

    static func daily(
        _ start: (Int, Int) = (0, 0),
        _ end: (Int, Int) = (0, 0),
        warningMinutes: Int? = nil,
        repeats: Bool = true
    ) -> Schedule {
        var first = DateFields()
        first.hour = start.0
        first.minute = start.1
        var last = DateFields()
        last.hour = end.0
        last.minute = end.1
        var warning: DateFields?
        if let warningMinutes {
            warning = DateFields()
            warning?.minute = warningMinutes
        }
        return Schedule(start: first, end: last, repeats: repeats, warning: warning)
    }

    static func event(_ name: String, apps: Set<String>, minutes: Int) -> WatchedEvent {
        var threshold = DateFields()
        threshold.minute = minutes
        let targets = apps.sorted().map { ActivityTarget(kind: .application, id: $0) }
        return WatchedEvent(
            spec: ActivityEventSpec(
                name: name,
                targets: targets,
                threshold: threshold,
                includesPastActivity: false
            ),
            budget: Budget(target: BudgetTarget(apps: apps), thresholdMs: Int64(minutes) * minute)
        )
    }

    mutating func watch(
        _ name: String,
        schedule: Schedule,
        events: [WatchedEvent] = [],
        mode: ScheduleMode = .wallClock,
        warningMs: Int64? = nil,
        faults: [PhoneFault] = []
    ) {
        told += book.add(
            WatchedActivity(
                key: ActivityKey(app: "app", member: "child", activity: name),
                schedule: schedule,
                events: events.map {
                    var event = $0
                    event.budget.warningMs = warningMs
                    return event
                },
                mode: mode,
                warning: warningMs.map { .milliseconds($0) },
                understood: "test",
                from: moment.reading.boot,
                fromBootId: moment.bootId,
                faults: faults
            ),
            at: moment
        )
    }

    /// Replaces the events of an activity, as a restart does.
    mutating func replace(_ name: String, _ events: [WatchedEvent]) {
        guard var activity = self[name] else { return }
        activity.events = events
        book = WatchedActivities([activity], clock: book.clock)
    }

    subscript(name: String) -> WatchedActivity? {
        book[ActivityKey(app: "app", member: "child", activity: name)]
    }

    /// Advances the time, and the book at every due moment, as the service's timer does.
    mutating func pass(_ ms: Int64) {
        let end = moment.reading.wallMs + ms
        while let due = book.dueTime?.ms, due <= end {
            move(max(0, due - moment.reading.wallMs))
            let before = told.count
            told += book.advance(to: moment)
            if told.count == before, book.dueTime?.ms == due { break }
        }
        move(end - moment.reading.wallMs)
        told += book.advance(to: moment)
    }

    /// Changes the wall clock.
    mutating func step(_ ms: Int64) {
        moment.reading.wallMs += ms
        told += book.advance(to: moment)
    }

    mutating func travel(_ zone: String) {
        moment.zone = zone
        told += book.advance(to: moment)
    }

    mutating func restart(offFor ms: Int64) {
        moment.reading.wallMs += ms
        moment.reading.bootMs = 5_000
        moment.reading.monotonicMs = 5_000
        moment.bootId += "'"
        told += book.advance(to: moment)
    }

    /// Uses an app for this time, with an observation at every moment that the book requests.
    mutating func use(
        _ app: String,
        _ ms: Int64,
        presence: Presence = .active,
        member: String = "child",
        isBusy: Bool = false
    ) {
        segments += 1
        let end = moment.reading.bootMs + ms
        told += book.releaseHeld(stretch(app, ms: 0, presence: presence, member: member))
        while moment.reading.bootMs < end {
            let open = stretch(app, ms: 0, presence: presence, member: member)
            let check = book.checkTime(open).map { max($0.ms, moment.reading.bootMs + 1) }
            let due = book.dueTime.map { moment.reading.bootMs + max(1, ($0 - moment.reading.wall).ms) }
            let next = min(end, check ?? end, due ?? end)
            var part = stretch(app, ms: next - moment.reading.bootMs, presence: presence, member: member)
            part.isBusy = isBusy
            // Intervals that are over end before the usage up to this moment counts.
            move(next - moment.reading.bootMs)
            told += book.advance(to: moment)
            told += book.count(part)
        }
    }

    private func stretch(_ app: String, ms: Int64, presence: Presence, member: String) -> UsageInterval {
        UsageInterval(
            member: member,
            segment: "segment-\(segments)",
            presence: presence,
            app: app,
            domain: nil,
            category: nil,
            bootId: moment.bootId,
            fromBoot: moment.reading.boot,
            toBoot: moment.reading.boot + .milliseconds(ms),
            fromWall: moment.reading.wall
        )
    }

    private mutating func move(_ ms: Int64) {
        moment.reading.wallMs += ms
        moment.reading.bootMs += ms
        moment.reading.monotonicMs += ms
    }

    /// One line per announced occurrence: minutes after noon, occasion, name.
    var lines: [String] {
        told.map {
            let minutes = Double($0.dueWallMs - Self.noon) / Double(Self.minute)
            let name = $0.event.map { "\($0)" } ?? $0.key.activity
            let text = minutes == minutes.rounded() ? "\(Int(minutes))" : "\(minutes)"
            return "\(text) \($0.occasion.rawValue) \(name)"
        }
    }
}
