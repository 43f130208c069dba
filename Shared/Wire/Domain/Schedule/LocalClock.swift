import STPlatform

/// What a clock shows, taken apart and put together: arithmetic only, no zone.
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
