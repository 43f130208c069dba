public import Foundation
import STFoundationTypes

/// The system font, or a font by name. The drawing program selects the installed font.
public final class UIFont: NSObject, Sendable {
    public struct Weight: RawRepresentable, Hashable, Sendable {
        public static let ultraLight = Weight(rawValue: -0.8)
        public static let thin = Weight(rawValue: -0.6)
        public static let light = Weight(rawValue: -0.4)
        public static let regular = Weight(rawValue: 0)
        public static let medium = Weight(rawValue: 0.23)
        public static let semibold = Weight(rawValue: 0.3)
        public static let bold = Weight(rawValue: 0.4)
        public static let heavy = Weight(rawValue: 0.56)
        public static let black = Weight(rawValue: 0.62)

        public let rawValue: CGFloat

        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        /// The weight as in style sheets.
        fileprivate var number: Int {
            let all: [(Weight, Int)] = [
                (.black, 900), (.heavy, 800), (.bold, 700), (.semibold, 600), (.medium, 500), (.regular, 400),
                (.light, 300), (.thin, 200),
            ]
            return all.first { rawValue >= $0.0.rawValue }?.1 ?? 100
        }
    }

    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        public static let largeTitle = TextStyle(rawValue: "largeTitle")
        public static let title1 = TextStyle(rawValue: "title1")
        public static let title2 = TextStyle(rawValue: "title2")
        public static let title3 = TextStyle(rawValue: "title3")
        public static let headline = TextStyle(rawValue: "headline")
        public static let body = TextStyle(rawValue: "body")
        public static let callout = TextStyle(rawValue: "callout")
        public static let subheadline = TextStyle(rawValue: "subheadline")
        public static let footnote = TextStyle(rawValue: "footnote")
        public static let caption1 = TextStyle(rawValue: "caption1")
        public static let caption2 = TextStyle(rawValue: "caption2")

        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    private static let styleSizes: [TextStyle: CGFloat] = [
        .largeTitle: 34, .title1: 28, .title2: 22, .title3: 20, .callout: 16, .subheadline: 15, .footnote: 13,
        .caption1: 12, .caption2: 11,
    ]
    public static let systemFontSize: CGFloat = 14
    public static let labelFontSize: CGFloat = 17

    public let familyName: String
    public var fontName: String { familyName }
    public let pointSize: CGFloat
    fileprivate let weight: Weight
    fileprivate let isItalic: Bool

    private init(_ family: String, _ size: CGFloat, _ weight: Weight, isItalic: Bool = false) {
        familyName = family
        pointSize = size > 0 && size.isFinite ? size : Self.systemFontSize
        self.weight = weight
        self.isItalic = isItalic
    }

    public convenience init?(name: String, size: CGFloat) {
        self.init(name, size, name.contains("Bold") ? .bold : .regular, isItalic: name.contains("Italic"))
    }

    public static func systemFont(ofSize size: CGFloat) -> UIFont { UIFont("sans-serif", size, .regular) }

    public static func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont {
        UIFont("sans-serif", size, weight)
    }

    public static func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont("sans-serif", size, .bold) }

    public static func italicSystemFont(ofSize size: CGFloat) -> UIFont {
        UIFont("sans-serif", size, .regular, isItalic: true)
    }

    public static func monospacedSystemFont(ofSize size: CGFloat, weight: Weight) -> UIFont {
        UIFont("monospace", size, weight)
    }

    public static func monospacedDigitSystemFont(ofSize size: CGFloat, weight: Weight) -> UIFont {
        UIFont("sans-serif", size, weight)
    }

    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        UIFont("sans-serif", styleSizes[style] ?? 17, style == .headline ? .semibold : .regular)
    }

    public convenience init(descriptor: UIFontDescriptor, size: CGFloat) {
        let font = descriptor.font
        self.init(font.familyName, size > 0 ? size : font.pointSize, font.weight, isItalic: font.isItalic)
    }

    public var fontDescriptor: UIFontDescriptor { UIFontDescriptor(self) }

    fileprivate func with(family: String? = nil, weight: Weight? = nil, isItalic: Bool? = nil) -> UIFont {
        UIFont(family ?? familyName, pointSize, weight ?? self.weight, isItalic: isItalic ?? self.isItalic)
    }

    public func withSize(_ size: CGFloat) -> UIFont { UIFont(familyName, size, weight, isItalic: isItalic) }

    public var ascender: CGFloat { pointSize * 0.952 }
    public var descender: CGFloat { pointSize * -0.241 }
    public var lineHeight: CGFloat { pointSize * 1.193 }
    public var capHeight: CGFloat { pointSize * 0.705 }
    public var xHeight: CGFloat { pointSize * 0.526 }

    fileprivate var svg: String {
        // A quotation mark in the name of a family would end the attribute.
        let family = familyName.filter { $0.isLetter || $0.isNumber || " -,".contains($0) }
        return "font-family=\"\(family), sans-serif\" font-size=\"\(SVGNumber.text(pointSize))\""
            + " font-weight=\"\(weight.number)\"" + (isItalic ? " font-style=\"italic\"" : "")
    }

    /// Returns an approximate width. Only the drawing program has the actual glyphs.
    fileprivate func width(_ text: String) -> CGFloat {
        text.reduce(0) { $0 + Self.em($1) } * pointSize
            * (weight.rawValue >= Weight.semibold.rawValue ? 1.06 : 1)
    }

    private static func em(_ letter: Character) -> CGFloat {
        guard let scalar = letter.unicodeScalars.first else { return 0 }
        if scalar.value > 0x1F000 || scalar.properties.isEmojiPresentation { return 1.25 }
        if scalar.value >= 0x1100 { return 1 }
        switch letter {
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "!", "|": return 0.27
        case " ", "f", "t", "r", "(", ")", "[", "]", "/", "-": return 0.34
        case "m", "w", "M", "W", "@", "%": return 0.87
        default: return letter.isUppercase ? 0.67 : letter.isNumber ? 0.62 : 0.55
        }
    }
}

public final class UIFontDescriptor: NSObject, Sendable {
    public struct SystemDesign: RawRepresentable, Hashable, Sendable {
        public static let `default` = SystemDesign(rawValue: "sans-serif")
        public static let rounded = SystemDesign(rawValue: "Nunito, Varela Round")
        public static let serif = SystemDesign(rawValue: "serif")
        public static let monospaced = SystemDesign(rawValue: "monospace")

        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public struct SymbolicTraits: OptionSet, Sendable {
        public static let traitItalic = SymbolicTraits(rawValue: 1)
        public static let traitBold = SymbolicTraits(rawValue: 2)

        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }
    }

    fileprivate let font: UIFont

    fileprivate init(_ font: UIFont) { self.font = font }

    public static func preferredFontDescriptor(withTextStyle style: UIFont.TextStyle) -> UIFontDescriptor {
        UIFontDescriptor(.preferredFont(forTextStyle: style))
    }

    public var pointSize: CGFloat { font.pointSize }

    public func withDesign(_ design: SystemDesign) -> UIFontDescriptor? {
        UIFontDescriptor(font.with(family: design.rawValue))
    }

    public func withSymbolicTraits(_ traits: SymbolicTraits) -> UIFontDescriptor? {
        let weight: UIFont.Weight = traits.contains(.traitBold) ? .bold : .regular
        return UIFontDescriptor(font.with(weight: weight, isItalic: traits.contains(.traitItalic)))
    }
}

public enum NSTextAlignment: Int, Sendable {
    case left, center, right, justified, natural
}

public enum NSLineBreakMode: UInt, Sendable {
    case byWordWrapping, byCharWrapping, byClipping, byTruncatingHead, byTruncatingTail, byTruncatingMiddle
}

public class NSParagraphStyle: NSObject {
    fileprivate var storedAlignment = NSTextAlignment.natural
    fileprivate var storedBreaks = NSLineBreakMode.byWordWrapping
    fileprivate var storedSpacing: CGFloat = 0

    public static var `default`: NSParagraphStyle { NSParagraphStyle() }

    public override init() {}

    public var alignment: NSTextAlignment { storedAlignment }
    public var lineBreakMode: NSLineBreakMode { storedBreaks }
    public var lineSpacing: CGFloat { storedSpacing }

    public override func copy() -> Any { copied(NSParagraphStyle()) }

    public override func mutableCopy() -> Any { copied(NSMutableParagraphStyle()) }

    private func copied(_ copy: NSParagraphStyle) -> NSParagraphStyle {
        copy.storedAlignment = storedAlignment
        copy.storedBreaks = storedBreaks
        copy.storedSpacing = storedSpacing
        return copy
    }
}

public final class NSMutableParagraphStyle: NSParagraphStyle {
    public override var alignment: NSTextAlignment {
        get { storedAlignment }
        set { storedAlignment = newValue }
    }
    public override var lineBreakMode: NSLineBreakMode {
        get { storedBreaks }
        set { storedBreaks = newValue }
    }
    public override var lineSpacing: CGFloat {
        get { storedSpacing }
        set { storedSpacing = newValue }
    }
    /// These values have no effect. Lines have the spacing of the font.
    public var lineHeightMultiple: CGFloat = 0
    public var minimumLineHeight: CGFloat = 0
    public var maximumLineHeight: CGFloat = 0
    public var paragraphSpacing: CGFloat = 0
}

public struct NSUnderlineStyle: OptionSet, Sendable {
    public static let single = NSUnderlineStyle(rawValue: 1)
    public static let thick = NSUnderlineStyle(rawValue: 2)
    public static let double = NSUnderlineStyle(rawValue: 9)

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// A shadow. It is stored but not drawn.
public final class NSShadow: NSObject {
    public var shadowOffset = CGSize.zero
    public var shadowBlurRadius: CGFloat = 0
    public var shadowColor: Any?

    public override init() {}
}

extension NSAttributedString.Key {
    public static let font = NSAttributedString.Key(rawValue: "NSFont")
    public static let foregroundColor = NSAttributedString.Key(rawValue: "NSColor")
    public static let paragraphStyle = NSAttributedString.Key(rawValue: "NSParagraphStyle")
    public static let backgroundColor = NSAttributedString.Key(rawValue: "NSBackgroundColor")
    public static let kern = NSAttributedString.Key(rawValue: "NSKern")
    public static let underlineStyle = NSAttributedString.Key(rawValue: "NSUnderline")
    public static let strokeColor = NSAttributedString.Key(rawValue: "NSStrokeColor")
    public static let strokeWidth = NSAttributedString.Key(rawValue: "NSStrokeWidth")
    public static let shadow = NSAttributedString.Key(rawValue: "NSShadow")
}

/// One line of text with its position.
struct TypesetLine {
    var words: String
    var attributes: String
    var color: CGColor
}

/// A text with one font, colour and style for the whole text.
private struct Typesetting {
    let font: UIFont
    let color: CGColor
    let style: NSParagraphStyle
    let words: String

    /// The maximum number of characters. The rest is not drawn.
    private static let lettersMax = 2_000
    private static let unknown: [NSAttributedString.Key] = [
        .kern, .underlineStyle, .backgroundColor, .strokeWidth, .shadow,
    ]

    init(_ words: String, _ attributes: [NSAttributedString.Key: Any]?) {
        self.words = String(words.prefix(Self.lettersMax))
        font = attributes?[.font] as? UIFont ?? .systemFont(ofSize: 12)
        color = (attributes?[.foregroundColor] as? UIColor ?? UIColor.black).cgColor
        style = attributes?[.paragraphStyle] as? NSParagraphStyle ?? .default
        for key in Self.unknown where attributes?[key] != nil {
            FrameworkLog.withoutEffect("\(key.rawValue) of drawn words", "UIKit")
        }
    }

    /// Returns the lines, broken between words. A tolerance is added to the width, because widths are only approximate.
    func lines(within width: CGFloat) -> [String] {
        words.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
            var lines = [""]
            var reached: CGFloat = 0
            for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
                let more = font.width(" " + word)
                if lines[lines.count - 1].isEmpty || reached + more <= width * 1.02 {
                    lines[lines.count - 1] += lines[lines.count - 1].isEmpty ? String(word) : " " + word
                    reached += more
                } else {
                    lines.append(String(word))
                    reached = more
                }
            }
            return lines
        }
    }

    func size(within width: CGFloat = .greatestFiniteMagnitude) -> CGSize {
        let lines = lines(within: width)
        return CGSize(
            width: lines.map(font.width).max() ?? 0,
            height: CGFloat(lines.count) * font.lineHeight + CGFloat(lines.count - 1) * style.lineSpacing
        )
    }

    /// Draws the lines that fit into the height of the rectangle. The first line is always drawn.
    func draw(in rect: CGRect) {
        guard let context = CGContext.current else { return }
        for (index, line) in lines(within: rect.width).enumerated() {
            let top = CGFloat(index) * (font.lineHeight + style.lineSpacing)
            guard index == 0 || top + font.lineHeight <= rect.height else { return }
            // Anchor a line at its middle. It is then at the calculated position, even if its width is only approximate.
            let anchor: (name: String, x: CGFloat) =
                switch style.alignment {
                case .center: ("middle", rect.midX)
                case .right: ("end", rect.maxX)
                default: ("middle", rect.minX + font.width(line) / 2)
                }
            let y = rect.minY + top + font.ascender
            let place =
                "x=\"\(SVGNumber.text(anchor.x))\" y=\"\(SVGNumber.text(y))\" text-anchor=\"\(anchor.name)\""
            context.draw(TypesetLine(words: line, attributes: "\(place) \(font.svg)", color: color))
        }
    }
}

extension String {
    public func size(withAttributes attributes: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        Typesetting(self, attributes).size()
    }

    public func draw(at point: CGPoint, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {
        let words = Typesetting(self, attributes)
        words.draw(in: CGRect(origin: point, size: words.size()))
    }

    public func draw(in rect: CGRect, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {
        Typesetting(self, attributes).draw(in: rect)
    }

    /// Returns the approximate size of the text. `options` have no effect.
    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        attributes: [NSAttributedString.Key: Any]? = nil,
        context: NSStringDrawingContext? = nil
    ) -> CGRect { CGRect(origin: .zero, size: Typesetting(self, attributes).size(within: size.width)) }
}

extension NSString {
    public func size(withAttributes attributes: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        text.size(withAttributes: attributes)
    }

    public func draw(at point: CGPoint, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {
        text.draw(at: point, withAttributes: attributes)
    }

    public func draw(in rect: CGRect, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {
        text.draw(in: rect, withAttributes: attributes)
    }

    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        attributes: [NSAttributedString.Key: Any]? = nil,
        context: NSStringDrawingContext? = nil
    ) -> CGRect { text.boundingRect(with: size, options: options, attributes: attributes, context: context) }

    private var text: String { String(describing: self) }
}

/// Uses the attributes of the first character for the whole text.
extension NSAttributedString {
    public func size() -> CGSize { string.size(withAttributes: look) }

    public func draw(at point: CGPoint) { string.draw(at: point, withAttributes: look) }

    public func draw(in rect: CGRect) { string.draw(in: rect, withAttributes: look) }

    public func draw(
        with rect: CGRect,
        options: NSStringDrawingOptions = [],
        context: NSStringDrawingContext?
    ) { draw(in: rect) }

    public func boundingRect(
        with size: CGSize,
        options: NSStringDrawingOptions = [],
        context: NSStringDrawingContext?
    ) -> CGRect { string.boundingRect(with: size, options: options, attributes: look, context: context) }

    private var look: [NSAttributedString.Key: Any] {
        length == 0 ? [:] : attributes(at: 0, effectiveRange: nil)
    }
}

public struct NSStringDrawingOptions: OptionSet, Sendable {
    public static let usesLineFragmentOrigin = NSStringDrawingOptions(rawValue: 1)
    public static let usesFontLeading = NSStringDrawingOptions(rawValue: 2)

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
}

public final class NSStringDrawingContext: NSObject {
    public override init() {}
}
