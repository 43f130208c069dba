import STPlatform

extension UsagePlan.Window {
    func holds(_ hour: LivedHour) -> Bool {
        hour.startMs >= fromMs && hour.startMs < toMs && days.contains(hour.day)
    }
}

extension UsageTally {
    /// What is read as days, and what as hours.
    ///
    /// A day of which every hour lies within the time is read whole; of the others the hours decide.
    struct Parts {
        private(set) var days: ClosedRange<Int64>?
        /// In seconds.
        private(set) var hours: [Range<Int64>] = []
        private let window: UsagePlan.Window

        /// `lived` tells of the days that have hours beginning in a time when their first and their last one begins.
        init(
            _ window: UsagePlan.Window,
            isByHour: Bool,
            lived: (Range<Int64>) throws -> [Int64: ClosedRange<Int64>]
        ) rethrows {
            self.window = window
            let fromS = LivedTime.floor(window.fromMs + 999, 1000) / 1000
            let toS = LivedTime.floor(window.toMs + 999, 1000) / 1000
            guard fromS < toS else { return }
            guard !isByHour else {
                hours = [fromS..<toS]
                return
            }
            // Of a day of any zone that lies between these nobody has to look.
            let margin = UsageTables.marginS
            let first = LivedTime.floor(fromS + margin + Self.dayS - 1, Self.dayS) / Self.dayS
            let last = LivedTime.floor(toS - margin, Self.dayS) / Self.dayS - 1
            let time = fromS..<toS
            if first <= last {
                let low = try lived((fromS - Self.edgeS)..<(first * Self.dayS + margin))
                let high = try lived(((last + 1) * Self.dayS - margin)..<(toS + Self.edgeS))
                take(first...last, low, high, within: time)
            } else {
                let near = try lived((fromS - Self.edgeS)..<(toS + Self.edgeS))
                let whole = near.filter { Self.isWhole($0.value, time) }.keys.sorted()
                guard let middle = whole.first else {
                    hours = [time]
                    return
                }
                take(middle...middle, near, near, within: time)
            }
        }

        private static let dayS: Int64 = 86_400
        /// Further from its beginning or end no day that touches a time reaches.
        private static let edgeS: Int64 = 2 * 86_400

        private static func isWhole(_ span: ClosedRange<Int64>, _ time: Range<Int64>) -> Bool {
            span.lowerBound >= time.lowerBound && span.upperBound < time.upperBound
        }

        private mutating func take(
            _ sure: ClosedRange<Int64>,
            _ before: [Int64: ClosedRange<Int64>],
            _ after: [Int64: ClosedRange<Int64>],
            within time: Range<Int64>
        ) {
            var (low, high) = (sure.lowerBound, sure.upperBound)
            while let span = before[low - 1], Self.isWhole(span, time) { low -= 1 }
            while let span = after[high + 1], Self.isWhole(span, time) { high += 1 }
            let (from, to) = (max(low, window.days.lowerBound), min(high, window.days.upperBound))
            if from <= to { days = from...to }
            func touches(_ days: [Int64: ClosedRange<Int64>]) -> [Range<Int64>] {
                days.filter { takesHours(ofDay: $0.key) }
                    .map { ($0.value.lowerBound..<($0.value.upperBound + 1)).clamped(to: time) }
                    .filter { !$0.isEmpty }
            }
            let parts = [touches(before.filter { $0.key < low }), touches(after.filter { $0.key > high })]
            hours = parts.compactMap { ranges in
                guard let from = ranges.map(\.lowerBound).min(), let to = ranges.map(\.upperBound).max()
                else {
                    return nil
                }
                return from..<to
            }
            // Two edges of a short time may touch the same hours.
            if hours.count == 2, hours[0].upperBound > hours[1].lowerBound {
                hours = [hours[0].lowerBound..<max(hours[0].upperBound, hours[1].upperBound)]
            }
        }

        func takesHours(ofDay day: Int64) -> Bool {
            window.days.contains(day) && days?.contains(day) != true
        }
    }
}

extension UsageTally.Parts {
    /// Days as months: of one that lies within them by more than half the others are taken off again.
    struct Months {
        private(set) var whole: ClosedRange<Int64>?
        private(set) var more: [ClosedRange<Int64>] = []
        private(set) var less: [ClosedRange<Int64>] = []

        init(_ days: ClosedRange<Int64>) {
            var first = UsageTables.month(ofDay: days.lowerBound)
            var last = UsageTables.month(ofDay: days.upperBound)
            let (start, end) = (Self.start(ofMonth: first), Self.start(ofMonth: last + 1) - 1)
            if first == last {
                let inside = days.upperBound - days.lowerBound + 1
                guard end - start + 1 < 2 * inside else {
                    more = [days]
                    return
                }
                if start < days.lowerBound { less.append(start...(days.lowerBound - 1)) }
                if days.upperBound < end { less.append((days.upperBound + 1)...end) }
                whole = first...last
                return
            }
            let second = Self.start(ofMonth: first + 1)
            if days.lowerBound - start >= second - days.lowerBound {
                more.append(days.lowerBound...(second - 1))
                first += 1
            } else if start < days.lowerBound {
                less.append(start...(days.lowerBound - 1))
            }
            let latest = Self.start(ofMonth: last)
            if end - days.upperBound >= days.upperBound - latest + 1 {
                more.append(latest...days.upperBound)
                last -= 1
            } else if days.upperBound < end {
                less.append((days.upperBound + 1)...end)
            }
            if first <= last { whole = first...last }
        }

        private static func start(ofMonth month: Int64) -> Int64 {
            let date = CivilDate(year: Int(month / 12), month: Int(month % 12) + 1, day: 1)
            return Int64(date.daysSinceEpoch)
        }
    }
}
