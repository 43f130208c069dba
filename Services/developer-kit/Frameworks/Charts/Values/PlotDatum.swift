import Foundation
import STContracts
import SwiftUICore

/// A value of a chart.
enum PlotDatum: Hashable {
    case number(Double)
    case text(String)
    case date(Date)

    init(_ plotted: some Plottable) {
        let primitive: Any = plotted.primitivePlottable
        self =
            switch primitive {
            case let text as String: .text(text)
            case let date as Date: .date(date)
            case let number as Double: .number(number)
            case let number as Float: .number(Double(number))
            case let number as CGFloat: .number(Double(number))
            case let number as Decimal: .number(NSDecimalNumber(decimal: number).doubleValue)
            case let number as any BinaryInteger: .number(Double(number))
            // The app declared its own primitive type.
            default: .text(String(describing: primitive))
            }
    }

    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var date: Date? { if case .date(let date) = self { date } else { nil } }

    /// The largest absolute value of a number. Larger numbers are mistakes, and their sums overflow.
    private static let numberMost = 1e15
    /// The accepted seconds since 1970, from about 1900 to 2200.
    private static let seconds = -2_208_988_800.0...7_258_118_400.0

    /// False for NaN, infinities and values outside the accepted range.
    var isDrawable: Bool {
        switch self {
        case .number(let number): abs(number) <= Self.numberMost
        case .date(let date): Self.seconds.contains(date.timeIntervalSince1970)
        case .text: true
        }
    }

    /// The value as the name of a series.
    var name: String {
        switch self {
        case .text(let text): text
        case .number(let number):
            number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        case .date(let date): date.formatted(date: .abbreviated, time: .omitted)
        }
    }

    var page: PageDatum {
        switch self {
        case .number(let number): PageDatum(number: number)
        case .text(let text): PageDatum(text: text)
        case .date(let date): PageDatum(wallMs: Int64(clamping: date))
        }
    }

    /// Creates the value from a value of a page.
    init?(page: PageDatum) {
        if let number = page.number {
            self = .number(number)
        } else if let wallMs = page.wallMs {
            self = .date(Date(timeIntervalSince1970: Double(wallMs) / 1000))
        } else if let text = page.text {
            self = .text(text)
        } else {
            return nil
        }
    }

    /// Returns the value as an app's type. Returns `nil` if it cannot be converted.
    func value<P: Plottable>(as type: P.Type = P.self) -> P? {
        let candidates: [Any]
        switch self {
        case .text(let text): candidates = [text]
        case .date(let date): candidates = [date]
        case .number(let number):
            let whole = Int64(clamping: number)
            candidates = [
                number, Float(number), CGFloat(number), Decimal(number), Int(clamping: whole), whole,
                Int32(clamping: whole), Int16(clamping: whole), Int8(clamping: whole), UInt(clamping: whole),
                UInt64(clamping: whole), UInt32(clamping: whole), UInt16(clamping: whole),
                UInt8(clamping: whole),
            ]
        }
        return candidates.lazy.compactMap { $0 as? P.PrimitivePlottable }.first
            .flatMap { P(primitivePlottable: $0) }
    }
}

extension Int64 {
    /// The largest integer that a Double holds exactly.
    private static let most = 9_007_199_254_740_992.0

    /// Rounds and clamps a number. NaN becomes 0.
    init(clamping number: Double) {
        self = number.isNaN ? 0 : Int64(Swift.min(Swift.max(number.rounded(), -Self.most), Self.most))
    }

    /// Converts a date to milliseconds since 1970.
    init(clamping date: Date) { self.init(clamping: date.timeIntervalSince1970 * 1000) }
}

/// A value of a mark, with its label and unit.
struct PlotValue {
    var label: Text
    var start: PlotDatum
    var end: PlotDatum?
    var unit: Calendar.Component?

    init(_ plotted: PlottableValue<some Plottable>) {
        label = plotted.label
        start = PlotDatum(plotted.value)
        end = plotted.end.map { PlotDatum($0) }
        unit = plotted.unit
        // The bar of a day begins at the start of the day, whatever the hour of the date.
        if let unit, let date = start.date, let interval = plotted.calendar.dateInterval(of: unit, for: date)
        {
            start = .date(interval.start)
        }
    }

    /// The number, or the length of a range.
    var size: Double? {
        guard let from = start.number else { return nil }
        guard let to = end?.number else { return from }
        return to - from
    }
}
