import STPlatform

/// A valid schedule in a zone.
struct ScheduleRule: Sendable {
    /// An interval, with its length on the local clock.
    struct Occurrence: Sendable, Equatable {
        var start: WallTime
        var end: WallTime
        var shown: Duration
    }

    let start: SchedulePattern
    let end: SchedulePattern
    let zone: String
    let rules: ZoneRules
    /// Bit n is weekday n. Zero means every day.
    let days: UInt8
    /// The dates on which `days` is reversed, in days since 1970.
    let except: Set<Int>

    /// More than the hours of a day, the longest time that a zone skips.
    private static let stepsMax = 100

    func interval(_ span: Occurrence) -> Interval {
        Interval(startMs: span.start.ms, endMs: span.end.ms, zone: zone)
    }

    func span(atOrAfter now: WallTime) -> Occurrence? {
        let (latest, next) = around(now.ms)
        if let latest, now < latest.end { return latest }
        return next
    }

    func span(startingAtOrAfter ms: Int64) -> Occurrence? { around(ms &- 1).next }

    /// The last interval that has started at a moment, and the first that has not.
    private func around(_ ms: Int64) -> (latest: Occurrence?, next: Occurrence?) {
        guard ms > ZoneRules.firstMs, ms < ZoneRules.lastMs else { return (nil, nil) }
        // After the clock was set back, it has shown a later time than it shows now.
        let shown = rules.latestLocalMs(upToMs: ms)
        var latest: Occurrence?
        var next: Occurrence?
        var local = lastStart(atOrBefore: shown)
        var steps = 0
        while let at = local, latest == nil, steps < Self.stepsMax {
            if let span = span(from: at) {
                if span.start.ms <= ms { latest = span } else { next = span }
            }
            local = lastStart(atOrBefore: at - 1)
            steps += 1
        }
        local = next == nil ? firstStart(after: shown) : nil
        while let at = local, next == nil, steps < 2 * Self.stepsMax {
            next = span(from: at)
            local = firstStart(after: at)
            steps += 1
        }
        return (latest, next)
    }

    private func lastStart(atOrBefore localMs: Int64) -> Int64? {
        var found = start.latest(atOrBefore: localMs)
        for _ in 0..<excludedMax {
            guard let local = found, !isIncluded(local) else { return found }
            found = start.latest(atOrBefore: LocalClock.dayNumber(local) * LocalClock.dayMs - 1)
        }
        return found
    }

    private func firstStart(after localMs: Int64) -> Int64? {
        var found = start.first(after: localMs)
        for _ in 0..<excludedMax {
            guard let local = found, !isIncluded(local) else { return found }
            found = start.first(after: (LocalClock.dayNumber(local) + 1) * LocalClock.dayMs - 1)
        }
        return found
    }

    /// Upper bound on consecutive unwanted days. Each week without exceptions has a wanted day, if any day is wanted.
    private var excludedMax: Int { 7 * (except.count + 1) }

    private func isIncluded(_ localMs: Int64) -> Bool {
        let isNamed = days == 0 || days & (1 << LocalClock.weekday(localMs)) != 0
        return except.isEmpty ? isNamed : isNamed != except.contains(Int(LocalClock.dayNumber(localMs)))
    }

    /// The interval that starts when the clock shows `local`. `nil` if a clock change removes it completely.
    private func span(from local: Int64) -> Occurrence? {
        guard let startMs = startMs(local), let (endLocal, shownEnd) = end(after: local) else { return nil }
        var endMs = shownEnd.firstMs
        if case .once = end, endMs <= startMs, let again = shownEnd.secondMs {
            // A timer that is set within the repeated hour starts in the first one and ends in the second.
            endMs = again
        }
        // An end that the jump delayed would extend into the next interval.
        if let nextMs = nextStartMs(after: local) { endMs = min(endMs, nextMs) }
        guard endMs > startMs else { return nil }
        return Occurrence(
            start: WallTime(ms: startMs),
            end: WallTime(ms: endMs),
            shown: .milliseconds(endLocal - local)
        )
    }

    /// The start of an interval. `nil` on a skipped day, and for an hourly start in a skipped hour, because the next one comes at
    /// the same minutes.
    private func startMs(_ local: Int64) -> Int64? {
        let shown = rules.moment(showing: local)
        let missing = shown.missingMs
        return missing >= LocalClock.dayMs || (start.isHourly && missing > 0) ? nil : shown.firstMs
    }

    private func nextStartMs(after local: Int64) -> Int64? {
        var next = firstStart(after: local)
        for _ in 0..<Self.stepsMax {
            guard let at = next else { return nil }
            if let ms = startMs(at) { return ms }
            next = firstStart(after: at)
        }
        return nil
    }

    private func end(after local: Int64) -> (Int64, ZoneRules.LocalTimeMatch)? {
        if case .once(let only) = end { return (only, rules.moment(showing: only)) }
        var next = end.first(after: local)
        for _ in 0..<Self.stepsMax {
            guard let at = next else { return nil }
            let shown = rules.moment(showing: at)
            guard end.isHourly, shown.missingMs > 0 else { return (at, shown) }
            next = end.first(after: at)
        }
        return nil
    }

    static let code = "activity.invalid_date_components"

    /// Validates a schedule. Throws if it is empty or contradicts itself.
    init(_ schedule: Schedule, zone: String, field: String = "/schedule") throws {
        func refused(_ why: Message, _ place: String = "") -> Problem {
            Problem(
                Self.code,
                "\(why, "why") Screen Time read it as: \(schedule.listed, "fields").",
                key: "activity.understood",
                field: field + place,
                details: ["start": schedule.start.listed, "end": schedule.end.listed]
            )
        }
        func pattern(_ fields: DateFields, _ name: String) throws -> SchedulePattern {
            switch fields.pattern() {
            case .success(let pattern): return pattern
            case .failure(let misfit):
                let why =
                    name == "start"
                    ? Message("activity.of-the-start", "The start: \(misfit.reason, "why")")
                    : Message("activity.of-the-end", "The end: \(misfit.reason, "why")")
                throw refused(why, "/\(name)\(misfit.field)")
            }
        }
        start = try pattern(schedule.start, "start")
        end = try pattern(schedule.end, "end")
        let named = schedule.start.zone ?? schedule.end.zone
        guard (schedule.end.zone ?? named) == named else {
            throw refused(
                Message(
                    "activity.two-zones",
                    "The start and the end have different time zones. Use the same time zone for both."
                ),
                "/end/zone"
            )
        }
        guard let rules = ZoneRules.load(named ?? zone) else {
            throw refused(
                Message(
                    "activity.unknown-zone",
                    "The time zone of the device is unknown; give a name such as Europe/Berlin."
                ),
                "/zone"
            )
        }
        self.zone = named ?? zone
        self.rules = rules
        if let why = Self.mixedUnits(schedule.start.units, schedule.end.units) { throw refused(why, "/end") }
        let dates = schedule.start.units.intersection(.dates)
        guard dates.isEmpty || !schedule.repeats else {
            throw refused(
                Message(
                    "activity.date-repeats",
                    "A date does not repeat. Give only hour, minute and second, or set repeats to false."
                ),
                "/repeats"
            )
        }
        if let why = Self.invalidDays(schedule) { throw refused(why, "/days") }
        days = (schedule.days ?? []).reduce(0) { $0 | 1 << UInt8($1) }
        let other = schedule.except ?? []
        except = Set(other.compactMap { CivilDate(text: $0)?.daysSinceEpoch })
        guard other.count <= Schedule.exceptMax, except.count == other.count else {
            throw refused(
                Message(
                    "activity.too-many-exceptions",
                    "Give at most \(Schedule.exceptMax, "most") different dates such as 2026-12-25."
                ),
                "/except"
            )
        }
    }

    /// The problem if both ends are not of one kind: times of day, weekdays with times, or dates.
    private static func mixedUnits(_ start: DateFields.Units, _ end: DateFields.Units) -> Message? {
        let larger: DateFields.Units = [.year, .month, .day, .weekday]
        guard start.intersection(larger) == end.intersection(larger) else {
            return Message(
                "activity.mixed-kinds",
                """
                Start and end are of different kinds. Give hour, minute and second on both ends, or full \
                dates on both.
                """
            )
        }
        if start.isDisjoint(with: larger), start.contains(.hour) != end.contains(.hour) {
            return Message(
                "activity.mixed-hours",
                """
                One end has an hour and the other has none. Give hour, minute and second on both ends, or \
                full dates on both.
                """
            )
        }
        return nil
    }

    private static func invalidDays(_ schedule: Schedule) -> Message? {
        guard let days = schedule.days ?? (schedule.except == nil ? nil : [1]) else { return nil }
        guard !days.isEmpty, days.count <= 7 else {
            return Message("activity.days-count", "Give one to seven days, or leave out days.")
        }
        guard days.allSatisfy((1...7).contains) else {
            return Message("activity.days-numbers", "A day must be a number from 1 (Sunday) to 7 (Saturday).")
        }
        let units = schedule.start.units
        guard units.isDisjoint(with: [.year, .month, .day, .weekday]) else {
            return Message(
                "activity.days-with-date",
                "Days can be combined only with a time of day; this schedule already has a date or weekday."
            )
        }
        return nil
    }
}

/// The times at which a local clock matches one end of a schedule, without a zone.
enum SchedulePattern: Sendable, Hashable {
    case hourly(past: Duration)
    case daily(time: Duration)
    case weekly(weekday: Int, time: Duration)
    /// In a month without the day, the first day of the next month, as in Foundation.
    case monthly(day: Int, time: Duration)
    case yearly(month: Int, day: Int, time: Duration)
    case once(localMs: Int64)

    /// The latest matching time at or before another.
    func latest(atOrBefore localMs: Int64) -> Int64? {
        switch self {
        case .hourly(let past): before(localMs, every: LocalClock.hourMs, from: past.ms)
        case .daily(let time): before(localMs, every: LocalClock.dayMs, from: time.ms)
        case .weekly(let weekday, let time):
            before(localMs, every: Self.weekMs, from: Self.weekStart(weekday) + time.ms)
        case .monthly, .yearly: around(localMs).last { $0 <= localMs }
        case .once(let only): only <= localMs ? only : nil
        }
    }

    /// The first matching time after another.
    func first(after localMs: Int64) -> Int64? {
        switch self {
        case .hourly(let past): after(localMs, every: LocalClock.hourMs, from: past.ms)
        case .daily(let time): after(localMs, every: LocalClock.dayMs, from: time.ms)
        case .weekly(let weekday, let time):
            after(localMs, every: Self.weekMs, from: Self.weekStart(weekday) + time.ms)
        case .monthly, .yearly: around(localMs).first { $0 > localMs }
        case .once(let only): only > localMs ? only : nil
        }
    }

    var isHourly: Bool { if case .hourly = self { true } else { false } }

    private static let weekMs = 7 * LocalClock.dayMs

    /// The first such weekday since the epoch, which was a Thursday.
    private static func weekStart(_ weekday: Int) -> Int64 {
        LocalClock.floorModulo(Int64(weekday) - 5, 7) * LocalClock.dayMs
    }

    private func before(_ localMs: Int64, every period: Int64, from phase: Int64) -> Int64 {
        LocalClock.floorDivide(localMs - phase, period) * period + phase
    }

    private func after(_ localMs: Int64, every period: Int64, from phase: Int64) -> Int64 {
        before(localMs, every: period, from: phase) + period
    }

    /// The matches in the months or years around a time, in order.
    private func around(_ localMs: Int64) -> [Int64] {
        let date = LocalClock.date(localMs)
        switch self {
        case .monthly(let day, let time):
            let month = date.year * 12 + date.month - 1
            return (-2...2).map { Self.match(month: month + $0, day: day) + time.ms }
        case .yearly(let month, let day, let time):
            return (-2...2).map { Self.match(month: (date.year + $0) * 12 + month - 1, day: day) + time.ms }
        default: return []
        }
    }

    /// The match in a month. `month` counts continuously through the years.
    private static func match(month: Int, day: Int) -> Int64 {
        let year = Int(LocalClock.floorDivide(Int64(month), 12))
        let date = CivilDate(year: year, month: month - year * 12 + 1, day: 1)
        let exists = day <= CivilDate.daysIn(month: date.month, year: date.year)
        return LocalClock.start(of: exists ? CivilDate(year: date.year, month: date.month, day: day) : date)
            + (exists ? 0 : Int64(CivilDate.daysIn(month: date.month, year: date.year)) * LocalClock.dayMs)
    }
}

/// Arithmetic on the time of a local clock, without a zone.
enum LocalClock {
    static let dayMs: Int64 = 86_400_000
    static let hourMs: Int64 = 3_600_000

    static func dayNumber(_ localMs: Int64) -> Int64 { floorDivide(localMs, dayMs) }

    static func date(_ localMs: Int64) -> CivilDate { CivilDate(daysSinceEpoch: Int(dayNumber(localMs))) }

    static func start(of date: CivilDate) -> Int64 { Int64(date.daysSinceEpoch) * dayMs }

    /// 1 is Sunday.
    static func weekday(_ localMs: Int64) -> Int { date(localMs).weekday }

    static func floorDivide(_ value: Int64, _ by: Int64) -> Int64 { (value - floorModulo(value, by)) / by }

    static func floorModulo(_ value: Int64, _ by: Int64) -> Int64 {
        let rest = value % by
        return rest < 0 ? rest + by : rest
    }
}
