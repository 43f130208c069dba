public import Foundation
import STContracts

extension View {
    /// In those letters.
    public func font(_ font: Font?) -> some View {
        changed {
            $0.look.font = font
            // Whoever names letters means them as they are.
            $0.look.fontChanges = []
        }
    }

    /// With lines of that weight.
    public func fontWeight(_ weight: Font.Weight?) -> some View {
        changed { if let weight { $0.look.fontChanges.append(.weight(weight)) } }
    }

    /// In letters of that kind.
    public func fontDesign(_ design: Font.Design?) -> some View {
        changed { if let design { $0.look.fontChanges.append(.design(design)) } }
    }

    /// In letters of that width, which is not drawn.
    public func fontWidth(_ width: Font.Width?) -> some View { self }

    /// Bold.
    public func bold(_ isActive: Bool = true) -> some View { fontWeight(isActive ? .bold : nil) }

    /// Slanted.
    public func italic(_ isActive: Bool = true) -> some View {
        changed { if isActive { $0.look.fontChanges.append(.italic(true)) } }
    }

    /// In letters of one width.
    public func monospaced(_ isActive: Bool = true) -> some View { fontDesign(isActive ? .monospaced : nil) }

    /// With digits of one width, which they are anyway.
    public func monospacedDigit() -> some View { self }

    /// With a line below.
    public func underline(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> some View { changed { $0.look.underline = isActive } }

    /// With a line through it.
    public func strikethrough(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> some View { changed { $0.look.strike = isActive } }

    /// With letters further apart, which is not drawn.
    public func kerning(_ kerning: CGFloat) -> some View { self }
    /// With letters further apart, which is not drawn.
    public func tracking(_ tracking: CGFloat) -> some View { self }
    /// Higher or lower in its line, which is not drawn.
    public func baselineOffset(_ baselineOffset: CGFloat) -> some View { self }

    /// In capitals, or in small letters; nil is as they are.
    public func textCase(_ textCase: Text.Case?) -> some View { changed { $0.look.textCase = textCase } }

    /// So many lines at most.
    public func lineLimit(_ number: Int?) -> some View {
        changed { $0.look.lineLimit = number.map { max(1, $0) } }
    }

    /// So many lines.
    public func lineLimit(_ limit: ClosedRange<Int>) -> some View { lineLimit(limit.upperBound) }
    /// So many lines at most.
    public func lineLimit(_ limit: PartialRangeThrough<Int>) -> some View { lineLimit(limit.upperBound) }
    /// So many lines at least.
    public func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View { lineLimit(nil) }
    /// So many lines.
    public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View { lineLimit(limit) }

    /// With lines further apart, which is not drawn.
    public func lineSpacing(_ lineSpacing: CGFloat) -> some View { self }

    /// Where lines begin.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        changed { $0.look.textAlign = alignment }
    }

    /// What becomes of a text that is too long: its end is left out.
    public func truncationMode(_ mode: Text.TruncationMode) -> some View { self }
    /// Smaller where there is little room, which is left to who draws.
    public func minimumScaleFactor(_ factor: CGFloat) -> some View { self }
    /// Closer where there is little room, which is left to who draws.
    public func allowsTightening(_ flag: Bool) -> some View { self }
    /// In the size that a person has chosen, which is left to who draws.
    public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { self }
    /// In the size that a person has chosen, which is left to who draws.
    public func dynamicTypeSize<T: RangeExpression>(_ range: T) -> some View
    where T.Bound == DynamicTypeSize { self }

    /// In that colour.
    public func foregroundColor(_ color: Color?) -> some View {
        changed { $0.look.foreground = color.map { AnyShapeStyle($0) } }
    }

    /// In that.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
        changed { environment in
            // A lighter shade of what is in force, as it is here.
            let paint = Paint.of(style, environment)
            environment.look.foreground =
                style is HierarchicalShapeStyle ? AnyShapeStyle(FixedPaint(paint)) : AnyShapeStyle(style)
        }
    }

    /// In that; the second is for what is less important, which here is a lighter shade.
    public func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle>(_ primary: S1, _ secondary: S2) -> some View {
        foregroundStyle(primary)
    }

    /// In that; the others are for what is less important, which here is a lighter shade.
    public func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle, S3: ShapeStyle>(
        _ primary: S1,
        _ secondary: S2,
        _ tertiary: S3
    ) -> some View { foregroundStyle(primary) }

    /// What can be pressed is in that colour.
    public func tint(_ tint: Color?) -> some View {
        changed { $0.look.tint = tint.map { AnyShapeStyle($0) } }
    }

    /// What can be pressed is in that.
    public func tint<S: ShapeStyle>(_ tint: S) -> some View {
        changed { $0.look.tint = AnyShapeStyle(tint) }
    }

    /// What can be pressed is in that colour.
    public func accentColor(_ accentColor: Color?) -> some View { tint(accentColor) }
}
