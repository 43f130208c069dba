import Foundation
import STContracts

/// What a value is to a chart.
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
            // A kind that an app has declared itself.
            default: .text(String(describing: primitive))
            }
    }

    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var date: Date? { if case .date(let date) = self { date } else { nil } }

    /// Beyond it numbers are mistakes, and sums of them have no end.
    private static let numberMost = 1e15
    /// From 1900 to 2200, about.
    private static let seconds = -2_208_988_800.0...7_258_118_400.0

    /// NaN, what has no end and what is far beyond all use cannot be drawn.
    var isDrawable: Bool {
        switch self {
        case .number(let number): abs(number) <= Self.numberMost
        case .date(let date): Self.seconds.contains(date.timeIntervalSince1970)
        case .text: true
        }
    }

    /// As a series is called.
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

    /// As it was put on a page.
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

    /// What an app calls it, if it has a name for it.
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
    /// What a number with a fraction holds exactly.
    private static let most = 9_007_199_254_740_992.0

    /// Rounded; a number without end is the last there is.
    init(clamping number: Double) {
        self = number.isNaN ? 0 : Int64(Swift.min(Swift.max(number.rounded(), -Self.most), Self.most))
    }

    /// Milliseconds since 1970.
    init(clamping date: Date) { self.init(clamping: date.timeIntervalSince1970 * 1000) }
}
