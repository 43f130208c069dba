import STContracts
import STPlatform

/// Chooses the positions of an axis that get a name in the available space.
struct ChartTicks {
    /// Upper bound on the examined positions of an axis.
    private static let placesMax = 4000

    let scale: ChartScale

    /// Returns the ticks of numbers, at the round steps of the scale.
    func numbers(_ count: Int) -> [ChartTick] {
        let length = scale.upper - scale.lower
        let size = ChartSteps.size(length, unit: scale.unit, count: count)
        var ticks: [ChartTick] = []
        var index = (scale.lower / size - 1e-9).rounded(.up)
        while ticks.count <= count + 1, scale.isWithin(index * size) {
            let value = index * size
            ticks.append(ChartTick(value: value, text: text(value, size)))
            index += 1
        }
        return ticks
    }

    /// Returns the ticks of the axis in ascending order, or nil if it sets none.
    func own() -> [ChartTick]? {
        guard let ticks = scale.axis?.ticks else { return nil }
        return ticks.prefix(Self.placesMax).compactMap { tick in
            let span = scale.span(tick.at)
            let hasWidth = scale.kind == .category || scale.isLocal
            let value = hasWidth ? (span.from + span.to) / 2 : span.from
            return scale.isWithin(value) ? ChartTick(value: value, text: tick.label ?? "") : nil
        }.sorted { $0.value < $1.value }
    }

    private func text(_ value: Double, _ size: Double) -> String {
        let numbers = PageNumbers(language: scale.language)
        // A remainder of rounding counts as zero.
        let value = abs(value) < size * 1e-6 ? 0 : value
        switch scale.unit {
        case .duration: return numbers.axisDuration(value, step: size)
        case .percent: return numbers.percent(value)
        case .number, .date, .category, .unknown: return numbers.number(value)
        }
    }

    func categories() -> [ChartTick] {
        scale.categories.enumerated().map { ChartTick(value: Double($0) + 0.5, text: $1) }
    }

    /// Returns sets of ticks for moments, from fine to coarse. The caller takes the first one that fits.
    func moments() -> [[ChartTick]] {
        let length = scale.upper - scale.lower
        switch scale.step {
        case .hour: return hours(length) + days(length, isCentred: false)
        case .day: return days(length, isCentred: true) + months(isCentred: true)
        case .week: return weeks() + months(isCentred: true)
        case .month: return months(isCentred: true)
        case nil, .unknown:
            if length <= 2 * ChartScale.dayMs { return hours(length) + days(length, isCentred: false) }
            if length <= 92 * ChartScale.dayMs {
                return days(length, isCentred: false) + months(isCentred: false)
            }
            return months(isCentred: false)
        }
    }

    private func local(_ value: Double) -> Int64 {
        let moment = Int64(min(max(value, -8e15), 8e15))
        return scale.isLocal ? moment : scale.clock.local(moment)
    }

    private func hours(_ length: Double) -> [[ChartTick]] {
        guard length / ChartScale.hourMs <= Double(Self.placesMax) else { return [] }
        let step = ChartScale.hourMs
        // Offsets of time zones may contain a half hour.
        let shift = Double(local(scale.lower)) - scale.lower
        var places: [(value: Double, hour: Int)] = []
        var value = ((scale.lower + shift) / step).rounded(.up) * step - shift
        while value < scale.upper {
            places.append((value, scale.clock.hour(local: local(value))))
            value += step
        }
        return [1, 2, 3, 6, 12, 24].map { every in
            places.filter { $0.hour % every == 0 }.map {
                ChartTick(value: $0.value, text: scale.clock.hourName($0.hour))
            }
        }
    }

    private func days(_ length: Double, isCentred: Bool) -> [[ChartTick]] {
        let step = ChartScale.dayMs
        guard length / step <= Double(Self.placesMax) else { return [] }
        let shift = Double(local(scale.lower)) - scale.lower
        var starts: [Double] = []
        var value = ((scale.lower + shift) / step).rounded(.up) * step - shift
        while value < scale.upper {
            starts.append(value)
            value += step
        }
        let isWeek = starts.count <= 7
        return [1, 2, 3, 7, 14, 28].map { every in
            stride(from: 0, to: starts.count, by: every).map { index in
                let start = local(starts[index])
                return ChartTick(
                    value: starts[index] + (isCentred ? step / 2 : 0),
                    text: isWeek ? scale.clock.weekday(local: start) : scale.clock.day(local: start)
                )
            }
        }
    }

    private func weeks() -> [[ChartTick]] {
        let step = 7 * ChartScale.dayMs
        let count = Int(min(((scale.upper - scale.lower) / step).rounded(.up), Double(Self.placesMax)))
        return [1, 2, 4, 8, 13, 26, 52].map { every in
            stride(from: 0, to: count, by: every).map { index in
                let start = scale.lower + Double(index) * step
                return ChartTick(value: start + step / 2, text: scale.clock.day(local: Int64(start)))
            }
        }
    }

    private func months(isCentred: Bool) -> [[ChartTick]] {
        let first = local(scale.lower)
        let shift = scale.isLocal ? 0 : Double(first) - scale.lower
        var starts: [Int64] = []
        var index = scale.clock.date(local: first).day == 1 ? 0 : 1
        while starts.count <= Self.placesMax {
            let start = scale.clock.month(local: first, adding: index)
            guard Double(start) - shift < scale.upper else { break }
            starts.append(start)
            index += 1
        }
        return [1, 2, 3, 6, 12, 24, 60, 120, 600].map { every in
            starts.filter { start in
                let date = scale.clock.date(local: start)
                return every < 12
                    ? (date.month - 1) % every == 0 : date.month == 1 && date.year % (every / 12) == 0
            }.map { start in
                let next = scale.clock.month(local: start, adding: 1)
                let half = isCentred ? Double(next - start) / 2 : 0
                return ChartTick(
                    value: Double(start) - shift + half,
                    text: scale.clock.monthName(local: start)
                )
            }
        }
    }
}

/// A named position on an axis.
struct ChartTick: Equatable {
    /// The position in values of the scale.
    var value: Double
    var text: String
}
