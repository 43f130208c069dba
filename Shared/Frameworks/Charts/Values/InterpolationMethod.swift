public import Foundation

/// How a line goes from point to point; here it always goes straight.
public struct InterpolationMethod: Hashable, Sendable {
    /// Straight.
    public static var linear: InterpolationMethod { InterpolationMethod() }

    /// Through the points, without corners.
    public static var catmullRom: InterpolationMethod { InterpolationMethod() }

    /// Through the points, without corners.
    public static func catmullRom(alpha: CGFloat) -> InterpolationMethod { InterpolationMethod() }

    /// Near the points.
    public static var cardinal: InterpolationMethod { InterpolationMethod() }

    /// Near the points.
    public static func cardinal(tension: CGFloat) -> InterpolationMethod { InterpolationMethod() }

    /// Without a hill where there is none.
    public static var monotone: InterpolationMethod { InterpolationMethod() }

    /// In steps that begin at a point.
    public static var stepStart: InterpolationMethod { InterpolationMethod() }

    /// In steps with a point in their middle.
    public static var stepCenter: InterpolationMethod { InterpolationMethod() }

    /// In steps that end at a point.
    public static var stepEnd: InterpolationMethod { InterpolationMethod() }
}
