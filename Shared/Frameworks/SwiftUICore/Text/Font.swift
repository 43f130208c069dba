public import Foundation
package import STContracts

/// How letters look.
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

    /// With what the text itself says.
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

    /// The system's letters in that size.
    public static func system(size: CGFloat, weight: Font.Weight? = nil, design: Font.Design? = nil) -> Font {
        Font(.system(size: Double(size)), [weight.map { .weight($0) }, design.map { .design($0) }])
    }

    /// The system's letters for that purpose.
    public static func system(
        _ style: Font.TextStyle,
        design: Font.Design? = nil,
        weight: Font.Weight? = nil
    ) -> Font {
        Font(.style(style), [weight.map { .weight($0) }, design.map { .design($0) }])
    }

    /// In that size; letters of an app's own are not drawn, so these are the system's.
    public static func custom(_ name: String, size: CGFloat) -> Font {
        Font(.system(size: Double(size)), [FontChange.named(name)])
    }

    /// In that size; letters of an app's own are not drawn, so these are the system's.
    public static func custom(_ name: String, size: CGFloat, relativeTo textStyle: Font.TextStyle) -> Font {
        custom(name, size: size)
    }

    /// In that size; letters of an app's own are not drawn, so these are the system's.
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font { custom(name, size: fixedSize) }
}

extension Font {
    /// The largest title.
    public static let largeTitle = Font(.style(.largeTitle))
    /// A title.
    public static let title = Font(.style(.title))
    /// A smaller title.
    public static let title2 = Font(.style(.title2))
    /// The smallest title.
    public static let title3 = Font(.style(.title3))
    /// A heading.
    public static let headline = Font(.style(.headline))
    /// What stands below a heading.
    public static let subheadline = Font(.style(.subheadline))
    /// Text.
    public static let body = Font(.style(.body))
    /// A remark.
    public static let callout = Font(.style(.callout))
    /// A note.
    public static let footnote = Font(.style(.footnote))
    /// What stands at a picture.
    public static let caption = Font(.style(.caption))
    /// The same, smaller.
    public static let caption2 = Font(.style(.caption2))

    /// Bold.
    public func bold() -> Font { changed(.weight(.bold)) }
    /// Slanted.
    public func italic() -> Font { changed(.italic(true)) }
    /// With lines of that weight.
    public func weight(_ weight: Font.Weight) -> Font { changed(.weight(weight)) }
    /// With letters of one width.
    public func monospaced() -> Font { changed(.design(.monospaced)) }
    /// With digits of one width, which they are anyway.
    public func monospacedDigit() -> Font { self }
    /// With small capitals, which are not drawn.
    public func smallCaps() -> Font { self }
    /// With small capitals, which are not drawn.
    public func lowercaseSmallCaps() -> Font { self }
    /// With small capitals, which are not drawn.
    public func uppercaseSmallCaps() -> Font { self }
    /// Narrower or wider, which is not drawn.
    public func width(_ width: Font.Width) -> Font { self }
    /// With lines nearer or further apart, which is not drawn.
    public func leading(_ leading: Font.Leading) -> Font { self }
}
