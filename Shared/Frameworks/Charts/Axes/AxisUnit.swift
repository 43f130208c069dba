import Foundation
import STContracts

/// What a format says about the values of an axis.
struct AxisUnit {
    let page: PageUnit

    init?<F: FormatStyle>(_ format: F) {
        switch format {
        case is FloatingPointFormatStyle<Double>.Percent, is FloatingPointFormatStyle<Float>.Percent,
            is IntegerFormatStyle<Int>.Percent, is Decimal.FormatStyle.Percent:
            page = .percent
        case is Date.FormatStyle, is Date.ISO8601FormatStyle, is Date.VerbatimFormatStyle: page = .date
        default: return nil
        }
    }
}
