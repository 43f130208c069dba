/// An angle.
public struct Angle: Hashable, Comparable, Sendable {
    /// Half a turn is π.
    public var radians: Double

    /// A turn is 360.
    public var degrees: Double {
        get { radians * 180 / .pi }
        set { radians = newValue / 180 * .pi }
    }

    /// None.
    public init() { radians = 0 }

    /// Half a turn is π.
    public init(radians: Double) { self.radians = radians }

    /// A turn is 360.
    public init(degrees: Double) { radians = degrees / 180 * .pi }

    /// None.
    public static var zero: Angle { Angle() }

    /// Half a turn is π.
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }

    /// A turn is 360.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }

    /// The smaller one first.
    public static func < (lhs: Angle, rhs: Angle) -> Bool { lhs.radians < rhs.radians }

    /// Both together.
    public static func + (lhs: Angle, rhs: Angle) -> Angle { Angle(radians: lhs.radians + rhs.radians) }

    /// What is between.
    public static func - (lhs: Angle, rhs: Angle) -> Angle { Angle(radians: lhs.radians - rhs.radians) }

    /// The other way round.
    public static prefix func - (angle: Angle) -> Angle { Angle(radians: -angle.radians) }

    /// So many times.
    public static func * (lhs: Angle, rhs: Double) -> Angle { Angle(radians: lhs.radians * rhs) }

    /// A part of it.
    public static func / (lhs: Angle, rhs: Double) -> Angle { Angle(radians: lhs.radians / rhs) }
}
