public import Foundation

extension Text {
    /// How its letters are written.
    public enum Case: Sendable {
        /// In capitals.
        case uppercase
        /// In small letters.
        case lowercase
    }

    /// How a line below or through words looks.
    public struct LineStyle: Hashable, Sendable {
        /// What it is made of.
        public struct Pattern: Sendable {
            /// A line.
            public static let solid = Pattern()
            /// Dots.
            public static let dot = Pattern()
            /// Short lines.
            public static let dash = Pattern()
        }

        /// A line.
        public static let single = LineStyle()

        /// A line.
        public init(pattern: Text.LineStyle.Pattern = .solid, color: Color? = nil) {}

        private init() {}
    }

    /// What becomes of a text that is too long.
    public enum TruncationMode: Sendable {
        /// Its beginning is left out.
        case head
        /// Its end is left out.
        case tail
        /// Its middle is left out.
        case middle
    }

    private func each(_ change: (inout TextPiece) -> Void) -> Text {
        var text = self
        for index in text.pieces.indices { change(&text.pieces[index]) }
        return text
    }

    /// In those letters.
    public func font(_ font: Font?) -> Text { each { $0.font = $0.font ?? font } }

    /// With lines of that weight.
    public func fontWeight(_ weight: Font.Weight?) -> Text {
        each { if let weight { $0.changes.insert(.weight(weight), at: 0) } }
    }

    /// With letters of that width, which is not drawn.
    public func fontWidth(_ width: Font.Width?) -> Text { self }

    /// In letters of that kind.
    public func fontDesign(_ design: Font.Design?) -> Text {
        each { if let design { $0.changes.insert(.design(design), at: 0) } }
    }

    /// In that colour.
    public func foregroundColor(_ color: Color?) -> Text {
        each { $0.color = $0.color ?? color.map { AnyShapeStyle($0) } }
    }

    /// In that style.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text {
        each { $0.color = $0.color ?? AnyShapeStyle(style) }
    }

    /// Bold.
    public func bold() -> Text { bold(true) }

    /// Bold, or not.
    public func bold(_ isActive: Bool) -> Text {
        each { if isActive { $0.changes.insert(.weight(.bold), at: 0) } }
    }

    /// Slanted.
    public func italic() -> Text { italic(true) }

    /// Slanted, or not.
    public func italic(_ isActive: Bool) -> Text { each { $0.changes.insert(.italic(isActive), at: 0) } }

    /// In letters of one width.
    public func monospaced(_ isActive: Bool = true) -> Text {
        each { if isActive { $0.changes.insert(.design(.monospaced), at: 0) } }
    }

    /// With digits of one width, which they are anyway.
    public func monospacedDigit() -> Text { self }

    /// With a line below.
    public func underline(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> Text { each { $0.underline = $0.underline ?? isActive } }

    /// With a line through it.
    public func strikethrough(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> Text { each { $0.strike = $0.strike ?? isActive } }

    /// With letters further apart, which is not drawn.
    public func kerning(_ kerning: CGFloat) -> Text { self }

    /// With letters further apart, which is not drawn.
    public func tracking(_ tracking: CGFloat) -> Text { self }

    /// Higher or lower in its line, which is not drawn.
    public func baselineOffset(_ baselineOffset: CGFloat) -> Text { self }
}
