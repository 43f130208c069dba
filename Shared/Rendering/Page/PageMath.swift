import Glibc

/// The few functions that need the C library, in one place.
enum PageMath {
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
    static func sine(_ angle: Double) -> Double { sin(angle) }
    static func cosine(_ angle: Double) -> Double { cos(angle) }
    static func arcSine(_ value: Double) -> Double { asin(min(max(value, -1), 1)) }
    static func tangent(_ angle: Double) -> Double { tan(angle) }
    static func log10(_ value: Double) -> Double { Glibc.log10(value) }
}
