import Foundation

/// A number that can stand among words.
public protocol _FormatSpecifiable: Equatable {
    /// What it is, for the words to be made.
    var _plain: _PlainNumber { get }
}

/// A number of either kind.
public enum _PlainNumber: Sendable {
    /// A whole one.
    case whole(Int64)
    /// Any other.
    case fraction(Double)

    var name: String {
        switch self {
        case .whole: "%lld"
        case .fraction: "%lf"
        }
    }

    func text(_ locale: Locale) -> String {
        switch self {
        case .whole(let number): number.formatted(.number.locale(locale))
        case .fraction(let number):
            number.formatted(.number.grouping(.never).precision(.fractionLength(6)).locale(locale))
        }
    }

    /// As `printf` has it; a specifier for another kind of number would read what is not there.
    func text(_ specifier: String, _ locale: Locale, _ zone: TimeZone) -> String {
        guard specifier.hasPrefix("%"), let kind = specifier.last else { return text(locale) }
        let flags = specifier.dropFirst().dropLast().filter { !"hlqLzjt".contains($0) }
        guard flags.allSatisfy({ "0123456789.+-# '".contains($0) }), flags.utf8.count <= 10 else {
            return text(locale)
        }
        switch kind {
        case "d", "i", "u", "x", "X", "o":
            return String(format: "%\(flags)ll\(kind)", locale: locale, whole)
        case "f", "F", "e", "E", "g", "G": return String(format: "%\(flags)\(kind)", locale: locale, real)
        default: return text(locale)
        }
    }

    private var whole: Int64 {
        switch self {
        case .whole(let number): number
        case .fraction(let number): Int64(exactly: number.rounded(.towardZero)) ?? 0
        }
    }

    private var real: Double {
        switch self {
        case .whole(let number): Double(number)
        case .fraction(let number): number
        }
    }
}

extension _FormatSpecifiable where Self: FixedWidthInteger {
    /// For words.
    public var _plain: _PlainNumber { .whole(Int64(clamping: self)) }
}

extension _FormatSpecifiable where Self: BinaryFloatingPoint {
    /// For words.
    public var _plain: _PlainNumber { .fraction(Double(self)) }
}

extension Int: _FormatSpecifiable {}
extension Int8: _FormatSpecifiable {}
extension Int16: _FormatSpecifiable {}
extension Int32: _FormatSpecifiable {}
extension Int64: _FormatSpecifiable {}
extension UInt: _FormatSpecifiable {}
extension UInt8: _FormatSpecifiable {}
extension UInt16: _FormatSpecifiable {}
extension UInt32: _FormatSpecifiable {}
extension UInt64: _FormatSpecifiable {}
extension Double: _FormatSpecifiable {}
extension Float: _FormatSpecifiable {}
extension CGFloat: _FormatSpecifiable {}
