public import Foundation
import STContracts

/// A length in a chart.
public struct MarkDimension: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, Sendable {
    let kind: PageRadiusKind
    let value: Double?

    private init(_ kind: PageRadiusKind, _ value: CGFloat?) {
        self.kind = kind
        self.value = value.map { Double($0) }
    }

    /// As many points.
    public init(integerLiteral value: Int) { self.init(.fixed, CGFloat(value)) }

    /// As many points.
    public init(floatLiteral value: Double) { self.init(.fixed, CGFloat(value)) }

    /// What looks right.
    public static var automatic: MarkDimension { MarkDimension(.automatic, nil) }

    /// What there is, less as many points.
    public static func inset(_ value: CGFloat) -> MarkDimension { MarkDimension(.inset, value) }

    /// As many points.
    public static func fixed(_ value: CGFloat) -> MarkDimension { MarkDimension(.fixed, value) }

    /// A part of what there is, 0 to 1.
    public static func ratio(_ value: CGFloat) -> MarkDimension { MarkDimension(.ratio, value) }

    /// Nil is automatic, as is what cannot be drawn.
    var page: PageRadius? {
        guard kind != .automatic, let value, value.isFinite else { return nil }
        return PageRadius(kind: kind, value: kind == .ratio ? min(max(value, 0), 1) : value)
    }
}
