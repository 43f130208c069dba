import STPlatform

/// When a clock shows what one end of a schedule says, without any zone.
enum SchedulePattern: Sendable, Hashable {
    case hourly(pastMs: Int64)
    case daily(timeMs: Int64)
    case weekly(weekday: Int, timeMs: Int64)
    /// In a month that has no such day, the first day of the month after it, as Foundation has it.
    case monthly(day: Int, timeMs: Int64)
    case yearly(month: Int, day: Int, timeMs: Int64)
    case once(localMs: Int64)

    /// The latest time that matches, at or before one.
    func latest(atOrBefore localMs: Int64) -> Int64? {
        switch self {
        case .hourly(let pastMs): before(localMs, every: LocalClock.hourMs, from: pastMs)
        case .daily(let timeMs): before(localMs, every: LocalClock.dayMs, from: timeMs)
        case .weekly(let weekday, let timeMs):
            before(localMs, every: Self.weekMs, from: Self.weekStart(weekday) + timeMs)
        case .monthly, .yearly: around(localMs).last { $0 <= localMs }
        case .once(let only): only <= localMs ? only : nil
        }
    }

    /// The first time that matches, after one.
    func first(after localMs: Int64) -> Int64? {
        switch self {
        case .hourly(let pastMs): after(localMs, every: LocalClock.hourMs, from: pastMs)
        case .daily(let timeMs): after(localMs, every: LocalClock.dayMs, from: timeMs)
        case .weekly(let weekday, let timeMs):
            after(localMs, every: Self.weekMs, from: Self.weekStart(weekday) + timeMs)
        case .monthly, .yearly: around(localMs).first { $0 > localMs }
        case .once(let only): only > localMs ? only : nil
        }
    }

    var isHourly: Bool { if case .hourly = self { true } else { false } }

    private static let weekMs = 7 * LocalClock.dayMs

    /// The first day of that name since the epoch, which was a Thursday.
    private static func weekStart(_ weekday: Int) -> Int64 {
        LocalClock.floorModulo(Int64(weekday) - 5, 7) * LocalClock.dayMs
    }

    private func before(_ localMs: Int64, every period: Int64, from phase: Int64) -> Int64 {
        LocalClock.floorDivide(localMs - phase, period) * period + phase
    }

    private func after(_ localMs: Int64, every period: Int64, from phase: Int64) -> Int64 {
        before(localMs, every: period, from: phase) + period
    }

    /// The matches of the months or years around a time, in order.
    private func around(_ localMs: Int64) -> [Int64] {
        let date = LocalClock.date(localMs)
        switch self {
        case .monthly(let day, let timeMs):
            let month = date.year * 12 + date.month - 1
            return (-2...2).map { Self.match(month: month + $0, day: day) + timeMs }
        case .yearly(let month, let day, let timeMs):
            return (-2...2).map { Self.match(month: (date.year + $0) * 12 + month - 1, day: day) + timeMs }
        default: return []
        }
    }

    /// Months are counted through the years.
    private static func match(month: Int, day: Int) -> Int64 {
        let year = Int(LocalClock.floorDivide(Int64(month), 12))
        let date = CivilDate(year: year, month: month - year * 12 + 1, day: 1)
        let exists = day <= CivilDate.daysIn(month: date.month, year: date.year)
        return LocalClock.start(of: exists ? CivilDate(year: date.year, month: date.month, day: day) : date)
            + (exists ? 0 : Int64(CivilDate.daysIn(month: date.month, year: date.year)) * LocalClock.dayMs)
    }
}
