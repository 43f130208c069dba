public import Foundation
import STContracts

extension View {
    public func font(_ font: Font?) -> some View {
        changed {
            $0.look.font = font
            // A new font discards earlier changes.
            $0.look.fontChanges = []
        }
    }

    public func fontWeight(_ weight: Font.Weight?) -> some View {
        changed { if let weight { $0.look.fontChanges.append(.weight(weight)) } }
    }

    public func fontDesign(_ design: Font.Design?) -> some View {
        changed { if let design { $0.look.fontChanges.append(.design(design)) } }
    }

    /// Has no effect.
    public func fontWidth(_ width: Font.Width?) -> some View { self }

    public func bold(_ isActive: Bool = true) -> some View { fontWeight(isActive ? .bold : nil) }

    public func italic(_ isActive: Bool = true) -> some View {
        changed { if isActive { $0.look.fontChanges.append(.italic(true)) } }
    }

    public func monospaced(_ isActive: Bool = true) -> some View { fontDesign(isActive ? .monospaced : nil) }

    /// Has no effect. Digits always have the same width.
    public func monospacedDigit() -> some View { self }

    public func underline(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> some View { changed { $0.look.underline = isActive } }

    public func strikethrough(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> some View { changed { $0.look.strike = isActive } }

    // No effect.
    public func kerning(_ kerning: CGFloat) -> some View { self }
    public func tracking(_ tracking: CGFloat) -> some View { self }
    public func baselineOffset(_ baselineOffset: CGFloat) -> some View { self }

    public func textCase(_ textCase: Text.Case?) -> some View { changed { $0.look.textCase = textCase } }

    public func lineLimit(_ number: Int?) -> some View {
        changed { $0.look.lineLimit = number.map { max(1, $0) } }
    }

    public func lineLimit(_ limit: ClosedRange<Int>) -> some View { lineLimit(limit.upperBound) }
    public func lineLimit(_ limit: PartialRangeThrough<Int>) -> some View { lineLimit(limit.upperBound) }
    public func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View { lineLimit(nil) }
    public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View { lineLimit(limit) }

    /// Has no effect.
    public func lineSpacing(_ lineSpacing: CGFloat) -> some View { self }

    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        changed { $0.look.textAlign = alignment }
    }

    // No effect: the drawing program truncates long texts at the end and selects sizes.
    public func truncationMode(_ mode: Text.TruncationMode) -> some View { self }
    public func minimumScaleFactor(_ factor: CGFloat) -> some View { self }
    public func allowsTightening(_ flag: Bool) -> some View { self }
    public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { self }
    public func dynamicTypeSize<T: RangeExpression>(_ range: T) -> some View
    where T.Bound == DynamicTypeSize { self }

    public func foregroundColor(_ color: Color?) -> some View {
        changed { $0.look.foreground = color.map { AnyShapeStyle($0) } }
    }

    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
        changed { environment in
            // A hierarchical style is a lighter shade of the current style, so it is resolved here.
            let paint = Paint.of(style, environment)
            environment.look.foreground =
                style is HierarchicalShapeStyle ? AnyShapeStyle(FixedPaint(paint)) : AnyShapeStyle(style)
        }
    }

    /// Uses only the first style, because the less important levels are shades of it.
    public func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle>(_ primary: S1, _ secondary: S2) -> some View {
        foregroundStyle(primary)
    }

    public func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle, S3: ShapeStyle>(
        _ primary: S1,
        _ secondary: S2,
        _ tertiary: S3
    ) -> some View { foregroundStyle(primary) }

    public func tint(_ tint: Color?) -> some View {
        changed { $0.look.tint = tint.map { AnyShapeStyle($0) } }
    }

    public func tint<S: ShapeStyle>(_ tint: S) -> some View {
        changed { $0.look.tint = AnyShapeStyle(tint) }
    }

    public func accentColor(_ accentColor: Color?) -> some View { tint(accentColor) }
}

public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge, accessibility1, accessibility2
    case accessibility3, accessibility4, accessibility5

    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}
