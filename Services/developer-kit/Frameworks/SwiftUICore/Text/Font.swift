public import Foundation
package import STContracts

public struct Font: Hashable, Sendable {
    enum Base: Hashable, Sendable {
        case system(size: Double)
        case style(TextStyle)
    }

    private let base: Base
    private var changes: [FontChange] = []

    private init(_ base: Base, _ changes: [FontChange?] = []) {
        self.base = base
        self.changes = changes.compactMap { $0 }
    }

    func changed(_ change: FontChange) -> Font {
        var font = self
        font.changes.append(change)
        return font
    }

    /// Returns the font for a page, with further changes.
    package func page(_ more: [FontChange] = []) -> PageFont {
        var font: PageFont
        switch base {
        case .system(let size): font = PageFont(size: size.isFinite ? min(1_000, max(1, size)) : 17)
        case .style(let style):
            font = PageFont(size: style.size)
            if style == .headline { font.weight = Weight.semibold.value }
        }
        for change in changes + more { change.apply(to: &font) }
        return font
    }

    public static func system(size: CGFloat, weight: Font.Weight? = nil, design: Font.Design? = nil) -> Font {
        Font(.system(size: Double(size)), [weight.map { .weight($0) }, design.map { .design($0) }])
    }

    public static func system(
        _ style: Font.TextStyle,
        design: Font.Design? = nil,
        weight: Font.Weight? = nil
    ) -> Font {
        Font(.style(style), [weight.map { .weight($0) }, design.map { .design($0) }])
    }

    /// Returns the system font with the weight or design in the name, because an app's own fonts are not loaded.
    public static func custom(_ name: String, size: CGFloat) -> Font {
        Font(.system(size: Double(size)), [FontChange.named(name)])
    }

    /// Returns the system font with the weight or design in the name, because an app's own fonts are not loaded.
    public static func custom(_ name: String, size: CGFloat, relativeTo textStyle: Font.TextStyle) -> Font {
        custom(name, size: size)
    }

    /// Returns the system font with the weight or design in the name, because an app's own fonts are not loaded.
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font { custom(name, size: fixedSize) }

    public static let largeTitle = Font(.style(.largeTitle))
    public static let title = Font(.style(.title))
    public static let title2 = Font(.style(.title2))
    public static let title3 = Font(.style(.title3))
    public static let headline = Font(.style(.headline))
    public static let subheadline = Font(.style(.subheadline))
    public static let body = Font(.style(.body))
    public static let callout = Font(.style(.callout))
    public static let footnote = Font(.style(.footnote))
    public static let caption = Font(.style(.caption))
    public static let caption2 = Font(.style(.caption2))

    public func bold() -> Font { changed(.weight(.bold)) }
    public func italic() -> Font { changed(.italic(true)) }
    public func weight(_ weight: Font.Weight) -> Font { changed(.weight(weight)) }
    public func monospaced() -> Font { changed(.design(.monospaced)) }
    // No effect. Digits always have the same width.
    public func monospacedDigit() -> Font { self }
    public func smallCaps() -> Font { self }
    public func lowercaseSmallCaps() -> Font { self }
    public func uppercaseSmallCaps() -> Font { self }
    public func width(_ width: Font.Width) -> Font { self }
    public func leading(_ leading: Font.Leading) -> Font { self }

    public enum TextStyle: CaseIterable, Sendable {
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption
        case caption2

        /// The default size on a phone.
        var size: Double {
            switch self {
            case .largeTitle: 34
            case .title: 28
            case .title2: 22
            case .title3: 20
            case .headline, .body: 17
            case .callout: 16
            case .subheadline: 15
            case .footnote: 13
            case .caption: 12
            case .caption2: 11
            }
        }
    }

    public struct Weight: Hashable, Sendable {
        let value: Int

        public static let ultraLight = Weight(value: 100)
        public static let thin = Weight(value: 200)
        public static let light = Weight(value: 300)
        public static let regular = Weight(value: 400)
        public static let medium = Weight(value: 500)
        public static let semibold = Weight(value: 600)
        public static let bold = Weight(value: 700)
        public static let heavy = Weight(value: 800)
        public static let black = Weight(value: 900)
    }

    public enum Design: Hashable, Sendable {
        case `default`, serif, rounded, monospaced
    }

    public struct Width: Hashable, Sendable {
        public var value: CGFloat

        public init(_ value: CGFloat) { self.value = value }

        public static let compressed = Width(-0.4)
        public static let condensed = Width(-0.2)
        public static let standard = Width(0)
        public static let expanded = Width(0.2)
    }

    public enum Leading: Hashable, Sendable {
        case standard, tight, loose
    }
}

package enum FontChange: Hashable, Sendable {
    case weight(Font.Weight)
    case italic(Bool)
    case design(Font.Design)

    package func apply(to font: inout PageFont) {
        switch self {
        case .weight(let weight): font.weight = weight == .regular ? nil : weight.value
        case .italic(let isItalic): font.italic = isItalic ? true : nil
        case .design(let design):
            font.design =
                switch design {
                case .default: nil
                case .serif: "serif"
                case .rounded: "rounded"
                case .monospaced: "monospaced"
                }
        }
    }

    /// Returns the change that the name of a font implies.
    static func named(_ name: String) -> FontChange? {
        let name = name.lowercased()
        if name.contains("bold") || name.contains("heavy") || name.contains("black") { return .weight(.bold) }
        if name.contains("medium") { return .weight(.medium) }
        if name.contains("light") || name.contains("thin") { return .weight(.light) }
        return name.contains("mono") || name.contains("courier") ? .design(.monospaced) : nil
    }
}
