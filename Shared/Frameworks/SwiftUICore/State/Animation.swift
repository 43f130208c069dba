/// How something moves when it changes; on a page nothing does.
public struct Animation: Equatable, Sendable {
    private var name: String

    private init(_ name: String) { self.name = name }

    /// As it suits.
    public static let `default` = Animation("default")
    /// Slow at both ends.
    public static let easeInOut = Animation("easeInOut")
    /// Slow at first.
    public static let easeIn = Animation("easeIn")
    /// Slow at the end.
    public static let easeOut = Animation("easeOut")
    /// At one speed.
    public static let linear = Animation("linear")
    /// As a spring.
    public static let spring = Animation("spring")
    /// As a spring that swings.
    public static let bouncy = Animation("bouncy")
    /// As a spring that does not swing.
    public static let smooth = Animation("smooth")
    /// As a quick spring.
    public static let snappy = Animation("snappy")
    /// As a spring that follows a finger.
    public static let interactiveSpring = Animation("interactiveSpring")

    /// Slow at both ends, for so many seconds.
    public static func easeInOut(duration: Double) -> Animation { easeInOut }
    /// Slow at first, for so many seconds.
    public static func easeIn(duration: Double) -> Animation { easeIn }
    /// Slow at the end, for so many seconds.
    public static func easeOut(duration: Double) -> Animation { easeOut }
    /// At one speed, for so many seconds.
    public static func linear(duration: Double) -> Animation { linear }
    /// By two points of a curve.
    public static func timingCurve(
        _ c0x: Double,
        _ c0y: Double,
        _ c1x: Double,
        _ c1y: Double,
        duration: Double = 0.35
    ) -> Animation { .default }
    /// As a spring.
    @_disfavoredOverload
    public static func spring(
        response: Double = 0.5,
        dampingFraction: Double = 0.825,
        blendDuration: Double = 0
    ) -> Animation { spring }
    /// As a spring.
    public static func spring(duration: Double = 0.5, bounce: Double = 0.0, blendDuration: Double = 0)
        -> Animation
    { spring }
    /// As a spring that follows a finger.
    public static func interactiveSpring(
        response: Double = 0.15,
        dampingFraction: Double = 0.86,
        blendDuration: Double = 0.25
    ) -> Animation { interactiveSpring }
    /// As a spring of that weight.
    public static func interpolatingSpring(
        mass: Double = 1.0,
        stiffness: Double,
        damping: Double,
        initialVelocity: Double = 0.0
    ) -> Animation { spring }
    /// As a spring that swings.
    public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0.0) -> Animation { bouncy }
    /// As a spring that does not swing.
    public static func smooth(duration: Double = 0.5, extraBounce: Double = 0.0) -> Animation { smooth }
    /// As a quick spring.
    public static func snappy(duration: Double = 0.5, extraBounce: Double = 0.0) -> Animation { snappy }

    /// Later.
    public func delay(_ delay: Double) -> Animation { self }
    /// Faster or slower.
    public func speed(_ speed: Double) -> Animation { self }
    /// So many times.
    public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation { self }
    /// Again and again.
    public func repeatForever(autoreverses: Bool = true) -> Animation { self }
}

/// Does what the closure says; nothing moves on a page.
public func withAnimation<Result>(
    _ animation: Animation? = .default,
    _ body: () throws -> Result
) rethrows -> Result {
    try body()
}
