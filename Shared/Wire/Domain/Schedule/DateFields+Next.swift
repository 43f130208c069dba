package import STPlatform

extension DateFields {
    /// More than a day of hours, and more than the days that a zone ever left out.
    private static let stepsMax = 100

    /// Refuses what no clock ever shows, or what is not said by year, month, day, weekday, hour, minute and second.
    package func checkMoment(code: String, field: String) throws(Problem) {
        guard case .failure(let misfit) = pattern() else { return }
        throw Problem(code, "\(misfit.why) Understood: \(listed).", field: field + misfit.field)
    }

    /// Whether there is more than one moment that fits.
    package var comesAgain: Bool { year == nil }

    /// The first moment after one at which the clocks of a zone show this; nil when there is none any more.
    ///
    /// As with schedules: what the clock jumps over comes as much later as the jump is long, and of what it shows twice
    /// the first counts.
    package func moment(after ms: Int64, zone device: String) -> Int64? {
        guard ms > ZoneRules.firstMs, ms < ZoneRules.lastMs, let rules = ZoneRules.of(zone ?? device),
            case .success(let pattern) = pattern()
        else { return nil }
        // What was jumped over lies behind what the clock shows, and still comes.
        var local = pattern.first(after: rules.localMs(atMs: ms) - LocalClock.dayMs)
        for _ in 0..<Self.stepsMax {
            guard let at = local else { return nil }
            let shown = rules.moment(showing: at)
            let isLeftOut = shown.missingMs >= LocalClock.dayMs || (pattern.isHourly && shown.missingMs > 0)
            if !isLeftOut, shown.firstMs > ms { return shown.firstMs }
            local = pattern.first(after: at)
        }
        return nil
    }
}
