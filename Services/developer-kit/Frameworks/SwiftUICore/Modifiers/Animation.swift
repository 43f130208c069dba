public import Foundation

// A page has no motion. Animations and transitions compile and have no effect.

extension View {
    public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { self }
    public func animation(_ animation: Animation?) -> some View { self }
    public func transition(_ t: AnyTransition) -> some View { self }
    public func contentTransition(_ transition: ContentTransition) -> some View { self }
    public func transaction(_ transform: @escaping (inout Transaction) -> Void) -> some View { self }
    public func matchedGeometryEffect<ID: Hashable>(
        id: ID,
        in namespace: Namespace.ID,
        properties: MatchedGeometryProperties = .frame,
        anchor: UnitPoint = .center,
        isSource: Bool = true
    ) -> some View { self }
}

public struct Animation: Equatable, Sendable {
    private var name: String

    private init(_ name: String) { self.name = name }

    public static let `default` = Animation("default")
    public static let easeInOut = Animation("easeInOut")
    public static let easeIn = Animation("easeIn")
    public static let easeOut = Animation("easeOut")
    public static let linear = Animation("linear")
    public static let spring = Animation("spring")
    public static let bouncy = Animation("bouncy")
    public static let smooth = Animation("smooth")
    public static let snappy = Animation("snappy")
    public static let interactiveSpring = Animation("interactiveSpring")

    public static func easeInOut(duration: Double) -> Animation { easeInOut }
    public static func easeIn(duration: Double) -> Animation { easeIn }
    public static func easeOut(duration: Double) -> Animation { easeOut }
    public static func linear(duration: Double) -> Animation { linear }
    public static func timingCurve(
        _ c0x: Double,
        _ c0y: Double,
        _ c1x: Double,
        _ c1y: Double,
        duration: Double = 0.35
    ) -> Animation { .default }
    @_disfavoredOverload
    public static func spring(
        response: Double = 0.5,
        dampingFraction: Double = 0.825,
        blendDuration: Double = 0
    ) -> Animation { spring }
    public static func spring(duration: Double = 0.5, bounce: Double = 0.0, blendDuration: Double = 0)
        -> Animation
    { spring }
    public static func interactiveSpring(
        response: Double = 0.15,
        dampingFraction: Double = 0.86,
        blendDuration: Double = 0.25
    ) -> Animation { interactiveSpring }
    public static func interpolatingSpring(
        mass: Double = 1.0,
        stiffness: Double,
        damping: Double,
        initialVelocity: Double = 0.0
    ) -> Animation { spring }
    public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0.0) -> Animation { bouncy }
    public static func smooth(duration: Double = 0.5, extraBounce: Double = 0.0) -> Animation { smooth }
    public static func snappy(duration: Double = 0.5, extraBounce: Double = 0.0) -> Animation { snappy }

    public func delay(_ delay: Double) -> Animation { self }
    public func speed(_ speed: Double) -> Animation { self }
    public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation { self }
    public func repeatForever(autoreverses: Bool = true) -> Animation { self }
}

public func withAnimation<Result>(
    _ animation: Animation? = .default,
    _ body: () throws -> Result
) rethrows -> Result {
    try body()
}

public struct Transaction: Sendable {
    public var animation: Animation?
    public var disablesAnimations = false
    public var isContinuous = false

    public init() {}

    public init(animation: Animation?) { self.animation = animation }
}

public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows
    -> Result
{
    try body()
}

public struct AnyTransition: Sendable {
    public static let identity = AnyTransition()
    public static let opacity = AnyTransition()
    public static let scale = AnyTransition()
    public static let slide = AnyTransition()

    public static func move(edge: Edge) -> AnyTransition { identity }
    public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition { identity }
    public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition { identity }
    public static func push(from edge: Edge) -> AnyTransition { identity }
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition {
        identity
    }
    public func combined(with other: AnyTransition) -> AnyTransition { self }
    public func animation(_ animation: Animation?) -> AnyTransition { self }
}

public struct ContentTransition: Equatable, Sendable {
    public static let identity = ContentTransition()
    public static let opacity = ContentTransition()
    public static let interpolate = ContentTransition()
    public static func numericText(countsDown: Bool = false) -> ContentTransition { identity }
    public static func numericText(value: Double) -> ContentTransition { identity }
}

public struct MatchedGeometryProperties: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let position = MatchedGeometryProperties(rawValue: 1)
    public static let size = MatchedGeometryProperties(rawValue: 2)
    public static let frame = MatchedGeometryProperties(rawValue: 3)
}

@propertyWrapper
public struct Namespace: DynamicProperty, Sendable {
    public struct ID: Hashable, Sendable {}

    public init() {}

    public var wrappedValue: ID { ID() }
}

// A page has no motion. Symbol effects compile and have no effect.

public protocol SymbolEffect: Sendable {}

public protocol DiscreteSymbolEffect: SymbolEffect {}

public protocol IndefiniteSymbolEffect: SymbolEffect {}

public protocol ContentTransitionSymbolEffect: SymbolEffect {}

public struct PulseSymbolEffect: DiscreteSymbolEffect, IndefiniteSymbolEffect {
    public var byLayer: PulseSymbolEffect { self }
    public var wholeSymbol: PulseSymbolEffect { self }
}

public struct BounceSymbolEffect: DiscreteSymbolEffect, IndefiniteSymbolEffect {
    public var up: BounceSymbolEffect { self }
    public var down: BounceSymbolEffect { self }
    public var byLayer: BounceSymbolEffect { self }
    public var wholeSymbol: BounceSymbolEffect { self }
}

public struct VariableColorSymbolEffect: DiscreteSymbolEffect, IndefiniteSymbolEffect {
    public var iterative: VariableColorSymbolEffect { self }
    public var cumulative: VariableColorSymbolEffect { self }
    public var reversing: VariableColorSymbolEffect { self }
    public var nonReversing: VariableColorSymbolEffect { self }
}

public struct ScaleSymbolEffect: IndefiniteSymbolEffect {
    public var up: ScaleSymbolEffect { self }
    public var down: ScaleSymbolEffect { self }
}

public struct RotateSymbolEffect: DiscreteSymbolEffect, IndefiniteSymbolEffect {
    public var clockwise: RotateSymbolEffect { self }
    public var counterClockwise: RotateSymbolEffect { self }
}

public struct ReplaceSymbolEffect: ContentTransitionSymbolEffect {
    public var downUp: ReplaceSymbolEffect { self }
    public var upUp: ReplaceSymbolEffect { self }
    public var offUp: ReplaceSymbolEffect { self }
}

extension SymbolEffect where Self == PulseSymbolEffect { public static var pulse: Self { Self() } }

extension SymbolEffect where Self == BounceSymbolEffect { public static var bounce: Self { Self() } }

extension SymbolEffect where Self == VariableColorSymbolEffect {
    public static var variableColor: Self { Self() }
}

extension SymbolEffect where Self == ScaleSymbolEffect { public static var scale: Self { Self() } }

extension SymbolEffect where Self == RotateSymbolEffect { public static var rotate: Self { Self() } }

extension SymbolEffect where Self == ReplaceSymbolEffect { public static var replace: Self { Self() } }

public struct SymbolEffectOptions: Equatable, Sendable {
    public static let `default` = SymbolEffectOptions()
    public static let repeating = SymbolEffectOptions()
    public static let nonRepeating = SymbolEffectOptions()

    public static func `repeat`(_ count: Int?) -> SymbolEffectOptions { .default }
    public static func speed(_ speed: Double) -> SymbolEffectOptions { .default }

    public var repeating: SymbolEffectOptions { self }
    public var nonRepeating: SymbolEffectOptions { self }
    public func `repeat`(_ count: Int?) -> SymbolEffectOptions { self }
    public func speed(_ speed: Double) -> SymbolEffectOptions { self }
}

extension ContentTransition {
    public static var symbolEffect: ContentTransition { identity }
    public static func symbolEffect<T: ContentTransitionSymbolEffect>(
        _ effect: T,
        options: SymbolEffectOptions = .default
    ) -> ContentTransition { identity }
}

extension View {
    public func symbolEffect<T: IndefiniteSymbolEffect>(
        _ effect: T,
        options: SymbolEffectOptions = .default,
        isActive: Bool = true
    ) -> some View { self }

    public func symbolEffect<T: DiscreteSymbolEffect, U: Equatable>(
        _ effect: T,
        options: SymbolEffectOptions = .default,
        value: U
    ) -> some View { self }

    public func symbolEffectsRemoved(_ isEnabled: Bool = true) -> some View { self }
}

public struct SymbolRenderingMode: Sendable {
    public static let monochrome = SymbolRenderingMode()
    public static let multicolor = SymbolRenderingMode()
    public static let hierarchical = SymbolRenderingMode()
    public static let palette = SymbolRenderingMode()
}
