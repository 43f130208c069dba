import Foundation

/// A length of time as a `DateComponentsFormatter` wants it.
struct LengthText {
    private struct Part {
        var unit: Duration.UnitsFormatStyle.Unit
        var count: Int64
    }

    private static let units: [(NSCalendar.Unit, Duration.UnitsFormatStyle.Unit, Int64)] = [
        (.weekOfMonth, .weeks, 604_800), (.day, .days, 86_400), (.hour, .hours, 3_600),
        (.minute, .minutes, 60),
        (.second, .seconds, 1),
    ]

    private let style: DateComponentsFormatter.UnitsStyle
    private let zeros: DateComponentsFormatter.ZeroFormattingBehavior
    private let countMax: Int
    private let allowed: NSCalendar.Unit
    private let locale: Locale

    init(_ formatter: DateComponentsFormatter) {
        style = formatter.unitsStyle
        countMax = formatter.maximumUnitCount > 0 ? formatter.maximumUnitCount : Self.units.count
        allowed = formatter.allowedUnits.isEmpty ? [.day, .hour, .minute, .second] : formatter.allowedUnits
        locale = formatter.calendar?.locale ?? .current
        let isDefault = formatter.zeroFormattingBehavior.contains(.default)
        // Positional keeps what stands after the first number, or it could not be read.
        zeros =
            isDefault ? (style == .positional ? .dropLeading : .dropAll) : formatter.zeroFormattingBehavior
    }

    func text(_ seconds: Int64) -> String {
        let shown = kept(parts(of: abs(seconds))).prefix(countMax)
        let sign = seconds < 0 && shown.contains { $0.count > 0 } ? "-" : ""
        return sign + (style == .positional ? positional(Array(shown)) : words(Array(shown)))
    }

    private func parts(of seconds: Int64) -> [Part] {
        var rest = seconds
        return Self.units.filter { allowed.contains($0.0) }.map { _, unit, length in
            defer { rest %= length }
            return Part(unit: unit, count: rest / length)
        }
    }

    /// Never empty: of nothing but zeros the last one stays.
    private func kept(_ parts: [Part]) -> [Part] {
        let first = parts.firstIndex { $0.count > 0 } ?? parts.count
        let last = parts.lastIndex { $0.count > 0 } ?? -1
        let kept = parts.enumerated().filter { index, part in
            if part.count > 0 { return true }
            if index < first { return !zeros.contains(.dropLeading) }
            if index > last { return !zeros.contains(.dropTrailing) }
            return !zeros.contains(.dropMiddle)
        }.map(\.element)
        return kept.isEmpty ? parts.suffix(1) : kept
    }

    private func positional(_ parts: [Part]) -> String {
        let pads = zeros.contains(.pad)
        return parts.enumerated().map { index, part in
            let digits = String(part.count)
            return (index > 0 || pads) && digits.count < 2 ? "0" + digits : digits
        }.joined(separator: ":")
    }

    private func words(_ parts: [Part]) -> String {
        let width: Duration.UnitsFormatStyle.UnitWidth =
            switch style {
            case .abbreviated: .narrow
            case .short, .brief: .abbreviated
            default: .wide
            }
        return parts.map { part in
            let seconds = Self.units.first { $0.1 == part.unit }.map { $0.2 * part.count } ?? 0
            return Duration.seconds(seconds).formatted(
                .units(allowed: [part.unit], width: width, zeroValueUnits: .show(length: 1)).locale(locale)
            )
        }.joined(separator: style == .abbreviated ? " " : ", ")
    }
}
