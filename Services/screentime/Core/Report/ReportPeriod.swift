package import STPlatform

/// The stretch of time that a report is about.
package struct ReportPeriod: Sendable, Equatable {
    package var fromWallMs: Int64
    /// Not part of it any more.
    package var toWallMs: Int64
    package var firstDay: CivilDate
    /// The last day that it touches.
    package var lastDay: CivilDate

    package init(fromWallMs: Int64, toWallMs: Int64, _ clock: LocalClock) {
        self.fromWallMs = fromWallMs
        self.toWallMs = toWallMs
        firstDay = clock.day(fromWallMs)
        lastDay = clock.day(max(fromWallMs, toWallMs - 1))
    }

    /// Whole days, the last one included.
    package init(_ first: CivilDate, _ last: CivilDate, _ clock: LocalClock) {
        self.init(
            fromWallMs: clock.start(of: first),
            toWallMs: clock.start(of: last.adding(days: 1)),
            clock
        )
    }

    /// How many days it touches.
    package var days: Int { lastDay.daysSinceEpoch - firstDay.daysSinceEpoch + 1 }

    package func contains(_ wallMs: Int64) -> Bool { (fromWallMs..<toWallMs).contains(wallMs) }

    package func isWholeDays(_ clock: LocalClock) -> Bool {
        clock.start(of: firstDay) == fromWallMs && clock.start(of: lastDay.adding(days: 1)) == toWallMs
    }

    /// As many days directly before it.
    package func before(_ clock: LocalClock) -> ReportPeriod {
        ReportPeriod(firstDay.adding(days: -days), firstDay.adding(days: -1), clock)
    }
}

extension CivilDate {
    /// The Monday that its week began with.
    package var monday: CivilDate { adding(days: -((weekday + 5) % 7)) }
}
