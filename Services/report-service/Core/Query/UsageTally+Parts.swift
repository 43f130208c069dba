import STPlatform

extension UsagePlan.Window {
    func holds(_ hour: LivedHour) -> Bool {
        hour.startMs >= fromMs && hour.startMs < toMs && days.contains(hour.day)
    }
}

extension UsageTally {
    /// What is read as days, and what as hours.
    ///
    /// A day of any zone that certainly lies within the time is read whole; of those at the edges the hours decide.
    struct Parts {
        private(set) var days: ClosedRange<Int64>?
        /// In seconds.
        private(set) var hours: [Range<Int64>] = []
        private let window: UsagePlan.Window

        init(_ window: UsagePlan.Window, isByHour: Bool) {
            self.window = window
            let dayS: Int64 = 86_400
            let margin = UsageTables.marginS
            let fromS = LivedTime.floor(window.fromMs + 999, 1000) / 1000
            let toS = LivedTime.floor(window.toMs + 999, 1000) / 1000
            guard fromS < toS else { return }
            let first = LivedTime.floor(fromS + margin + dayS - 1, dayS) / dayS
            let last = LivedTime.floor(toS - margin, dayS) / dayS - 1
            guard !isByHour, first <= last else {
                hours = [fromS..<toS]
                return
            }
            let (low, high) = (max(first, window.days.lowerBound), min(last, window.days.upperBound))
            if low <= high { days = low...high }
            if window.days.lowerBound < first {
                hours.append(fromS..<min(toS, first * dayS + margin))
            }
            if window.days.upperBound > last {
                hours.append(max(fromS, (last + 1) * dayS - margin)..<toS)
            }
            // Two edges of a short time may touch the same hours.
            if hours.count == 2, hours[0].upperBound > hours[1].lowerBound {
                hours = [hours[0].lowerBound..<hours[1].upperBound]
            }
        }

        func takesHours(ofDay day: Int64) -> Bool {
            window.days.contains(day) && days?.contains(day) != true
        }

        /// Months that lie within days with all of theirs.
        static func months(in days: ClosedRange<Int64>) -> (
            months: ClosedRange<Int64>, days: ClosedRange<Int64>
        )? {
            var low = UsageTables.month(ofDay: days.lowerBound)
            if start(ofMonth: low) < days.lowerBound { low += 1 }
            let high = UsageTables.month(ofDay: days.upperBound + 1) - 1
            guard low <= high else { return nil }
            return (low...high, start(ofMonth: low)...(start(ofMonth: high + 1) - 1))
        }

        private static func start(ofMonth month: Int64) -> Int64 {
            let date = CivilDate(year: Int(month / 12), month: Int(month % 12) + 1, day: 1)
            return Int64(date.daysSinceEpoch)
        }
    }
}
