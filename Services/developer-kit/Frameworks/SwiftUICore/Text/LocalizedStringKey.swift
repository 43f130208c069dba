public import Foundation
import STFoundationTypes
import Synchronization
import UIKit

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation, Sendable {
    enum Part: Equatable, Sendable {
        case literal(String)
        /// A value and its placeholder in the key.
        case value(Text, String)
    }

    let parts: [Part]

    public init(_ value: String) { parts = [.literal(value)] }

    public init(stringLiteral value: String) { self.init(value) }

    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// The key in a table of translations, for example `%lld apps`.
    var key: String {
        parts.map {
            switch $0 {
            case .literal(let text): text.replacing("%", with: "%%")
            case .value(_, let name): name
            }
        }.joined()
    }

    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.literal(literal)) }
        }

        public mutating func appendInterpolation(_ string: String) {
            parts.append(.value(Text(verbatim: string), "%@"))
        }

        public mutating func appendInterpolation<Subject: NSObject>(
            _ subject: Subject,
            formatter: Formatter? = nil
        ) {
            appendInterpolation(formatter?.string(for: subject) ?? subject.description)
        }

        public mutating func appendInterpolation<Subject: ReferenceConvertible>(
            _ subject: Subject,
            formatter: Formatter? = nil
        ) {
            appendInterpolation(formatter?.string(for: subject) ?? "\(subject)")
        }

        public mutating func appendInterpolation<F: FormatStyle>(_ input: F.FormatInput, format: F)
        where F.FormatInput: Equatable, F.FormatOutput == String {
            parts.append(.value(Text(input, format: format), "%@"))
        }

        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) {
            let arg = value._plain
            parts.append(.value(Text(.made(FormattedValue { locale, _ in arg.text(locale) })), arg.name))
        }

        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T, specifier: String) {
            let arg = value._plain
            let formatted = FormattedValue { locale, _ in arg.text(specifier: specifier, locale: locale) }
            parts.append(.value(Text(.made(formatted)), specifier))
        }

        public mutating func appendInterpolation(_ text: Text) { parts.append(.value(text, "%@")) }

        public mutating func appendInterpolation(_ image: Image) { parts.append(.value(Text(image), "%@")) }

        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            parts.append(.value(Text(date, style: style), "%@"))
        }

        public mutating func appendInterpolation(_ dates: ClosedRange<Date>) {
            parts.append(.value(Text(dates), "%@"))
        }

        public mutating func appendInterpolation(_ interval: DateInterval) {
            parts.append(.value(Text(interval), "%@"))
        }
    }

    /// A part of the resolved text.
    enum Shown {
        case literal(String)
        case text(Text)
    }

    func resolved(_ environment: EnvironmentValues, table: String?) -> [Shown] {
        let values = parts.compactMap { part -> Text? in
            if case .value(let text, _) = part { text } else { nil }
        }
        if let found = AppStrings.current.text(key, table: table, environment.locale) {
            return Self.filled(found, values)
        }
        return parts.map {
            switch $0 {
            case .literal(let text): .literal(text)
            case .value(let text, _): .text(text)
            }
        }
    }

    static func filled(_ format: String, _ values: [Text]) -> [Shown] {
        Placeholders.parts(of: format).compactMap { part in
            switch part {
            case .literal(let text): .literal(text)
            case .value(let place): values.indices.contains(place) ? .text(values[place]) : nil
            }
        }
    }
}

public protocol _FormatSpecifiable: Equatable {
    var _plain: _PlainNumber { get }
}

public enum _PlainNumber: Sendable {
    case whole(Int64)
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

    /// Returns the number in `printf` format. The specifier must match the type of the number, because any other specifier would
    /// read invalid memory.
    func text(specifier: String, locale: Locale) -> String {
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
    public var _plain: _PlainNumber { .whole(Int64(clamping: self)) }
}

extension _FormatSpecifiable where Self: BinaryFloatingPoint {
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

/// The app's translations. Their file is `ko.lproj/Localizable.strings`, for Korean, in one of the folders of the bundle.
final class AppStrings: Sendable {
    static let current = AppStrings(places: AppFolder.places)

    private static let bytesMax = 1024 * 1024

    private let places: [String]
    private let tables = Mutex<[String: [String: String]]>([:])

    init(places: [String]) { self.places = places }

    func text(_ key: String, table: String?, _ locale: Locale) -> String? {
        let table = table ?? "Localizable"
        guard !table.contains("/"), let language = locale.language.languageCode?.identifier else {
            return nil
        }
        let name = "\(language).lproj/\(table).strings"
        if let known = tables.withLock({ $0[name] }) { return known[key] }
        let read = places.lazy.compactMap { Self.read("\($0)/\(name)") }.first ?? [:]
        tables.withLock { $0[name] = read }
        return read[key]
    }

    private static func read(_ path: String) -> [String: String]? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: bytesMax + 1), data.count <= bytesMax else { return nil }
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let words = list as? [String: String]
        else {
            FrameworkLog.drawing.error("\(path) cannot be read: it is not a list of \"key\" = \"words\";")
            return nil
        }
        return words
    }
}
