import Foundation

/// Where values stand on an axis, when an app has words of its own for them.
enum AxisTicks {
    static let most = 100
    private static let usual = 5

    /// About so many numbers between two, at distances that are easily read.
    static func numbers(from: Double, to: Double, about count: Int?) -> [Double] {
        let count = min(max(count ?? usual, 1), most)
        guard from.isFinite, to.isFinite, to > from else { return from.isFinite ? [from] : [] }
        let rough = (to - from) / Double(count)
        guard rough.isFinite, rough > 0 else { return [from, to] }
        let power = pow(10, log10(rough).rounded(.down))
        guard power.isFinite, power > 0 else { return [from, to] }
        let step = ([1, 2, 5, 10].first { $0 * power >= rough * 0.999 } ?? 10) * power
        return numbers(from: (from / step).rounded(.up) * step, to: to, by: step)
    }

    static func numbers(from: Double, to: Double, by step: Double) -> [Double] {
        guard step > 0, step.isFinite, from.isFinite, to.isFinite else { return [] }
        let count = ((to - from) / step + 1e-9).rounded(.down)
        guard count >= 0 else { return [] }
        return (0...Int(min(count, Double(most - 1)))).map { from + Double($0) * step }
    }

    /// The beginnings of hours, days and so on.
    static func dates(
        from: Date,
        to: Date,
        by unit: Calendar.Component,
        _ count: Int,
        _ calendar: Calendar
    ) -> [Date] {
        guard var date = calendar.dateInterval(of: unit, for: from)?.start else { return [from] }
        var found: [Date] = []
        while date <= to, found.count < most {
            if date >= from { found.append(date) }
            guard let next = calendar.date(byAdding: unit, value: max(1, count), to: date), next > date else {
                break
            }
            date = next
        }
        return found
    }

    /// A unit and how many of it, so that there are about as many as can be read.
    static func calendarStep(from: Date, to: Date, about count: Int?) -> (Calendar.Component, Int) {
        let seconds = to.timeIntervalSince(from) / Double(min(max(count ?? usual, 1), most))
        let steps: [(Calendar.Component, Int, Double)] = [
            (.hour, 1, 3_600), (.hour, 3, 10_800), (.hour, 6, 21_600), (.day, 1, 86_400), (.day, 2, 172_800),
            (.weekOfYear, 1, 604_800), (.month, 1, 2_678_400), (.month, 3, 8_035_200), (.year, 1, 31_622_400),
        ]
        let fitting = steps.first { $0.2 >= seconds * 0.999 } ?? steps[steps.count - 1]
        return (fitting.0, fitting.1)
    }
}
