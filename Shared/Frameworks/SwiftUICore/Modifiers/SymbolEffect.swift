// How pictures of the system move; on a page nothing does.

/// How a picture of the system moves.
public protocol SymbolEffect: Sendable {}

/// Once for each change of a value.
public protocol DiscreteSymbolEffect: SymbolEffect {}

/// As long as something is so.
public protocol IndefiniteSymbolEffect: SymbolEffect {}

/// When one picture becomes another.
public protocol ContentTransitionSymbolEffect: SymbolEffect {}

/// It becomes paler and back.
public struct PulseSymbolEffect: DiscreteSymbolEffect, IndefiniteSymbolEffect {
    /// Each of its layers by itself.
    public var byLayer: PulseSymbolEffect { self }
    /// All of it.
    public var wholeSymbol: PulseSymbolEffect { self }
}

/// It hops.
public struct BounceSymbolEffect: DiscreteSymbolEffect, IndefiniteSymbolEffect {
    /// Upwards.
    public var up: BounceSymbolEffect { self }
    /// Downwards.
    public var down: BounceSymbolEffect { self }
    /// Each of its layers by itself.
    public var byLayer: BounceSymbolEffect { self }
    /// All of it.
    public var wholeSymbol: BounceSymbolEffect { self }
}

/// Its layers light up one after the other.
public struct VariableColorSymbolEffect: DiscreteSymbolEffect, IndefiniteSymbolEffect {
    /// One at a time.
    public var iterative: VariableColorSymbolEffect { self }
    /// One more at a time.
    public var cumulative: VariableColorSymbolEffect { self }
    /// There and back.
    public var reversing: VariableColorSymbolEffect { self }
    /// Only there.
    public var nonReversing: VariableColorSymbolEffect { self }
}

/// It is larger or smaller.
public struct ScaleSymbolEffect: IndefiniteSymbolEffect {
    /// Larger.
    public var up: ScaleSymbolEffect { self }
    /// Smaller.
    public var down: ScaleSymbolEffect { self }
}

/// It turns.
public struct RotateSymbolEffect: DiscreteSymbolEffect, IndefiniteSymbolEffect {
    /// With the clock.
    public var clockwise: RotateSymbolEffect { self }
    /// Against the clock.
    public var counterClockwise: RotateSymbolEffect { self }
}

/// It becomes another one.
public struct ReplaceSymbolEffect: ContentTransitionSymbolEffect {
    /// By going down and up.
    public var downUp: ReplaceSymbolEffect { self }
    /// By going up twice.
    public var upUp: ReplaceSymbolEffect { self }
    /// The one goes, and the other comes.
    public var offUp: ReplaceSymbolEffect { self }
}

extension SymbolEffect where Self == PulseSymbolEffect {
    /// It becomes paler and back.
    public static var pulse: PulseSymbolEffect { PulseSymbolEffect() }
}

extension SymbolEffect where Self == BounceSymbolEffect {
    /// It hops.
    public static var bounce: BounceSymbolEffect { BounceSymbolEffect() }
}

extension SymbolEffect where Self == VariableColorSymbolEffect {
    /// Its layers light up one after the other.
    public static var variableColor: VariableColorSymbolEffect { VariableColorSymbolEffect() }
}

extension SymbolEffect where Self == ScaleSymbolEffect {
    /// It is larger or smaller.
    public static var scale: ScaleSymbolEffect { ScaleSymbolEffect() }
}

extension SymbolEffect where Self == RotateSymbolEffect {
    /// It turns.
    public static var rotate: RotateSymbolEffect { RotateSymbolEffect() }
}

extension SymbolEffect where Self == ReplaceSymbolEffect {
    /// It becomes another one.
    public static var replace: ReplaceSymbolEffect { ReplaceSymbolEffect() }
}

/// How often and how fast.
public struct SymbolEffectOptions: Equatable, Sendable {
    /// As it suits.
    public static let `default` = SymbolEffectOptions()
    /// Again and again.
    public static let repeating = SymbolEffectOptions()
    /// Once.
    public static let nonRepeating = SymbolEffectOptions()

    /// So often.
    public static func `repeat`(_ count: Int?) -> SymbolEffectOptions { .default }
    /// So many times as fast.
    public static func speed(_ speed: Double) -> SymbolEffectOptions { .default }

    /// Again and again.
    public var repeating: SymbolEffectOptions { self }
    /// Once.
    public var nonRepeating: SymbolEffectOptions { self }
    /// So often.
    public func `repeat`(_ count: Int?) -> SymbolEffectOptions { self }
    /// So many times as fast.
    public func speed(_ speed: Double) -> SymbolEffectOptions { self }
}

extension ContentTransition {
    /// As pictures of the system become others.
    public static var symbolEffect: ContentTransition { identity }
    /// As pictures of the system become others.
    public static func symbolEffect<T: ContentTransitionSymbolEffect>(
        _ effect: T,
        options: SymbolEffectOptions = .default
    ) -> ContentTransition { identity }
}

extension View {
    /// How pictures of the system in it move while something is so; on a page nothing does.
    public func symbolEffect<T: IndefiniteSymbolEffect>(
        _ effect: T,
        options: SymbolEffectOptions = .default,
        isActive: Bool = true
    ) -> some View { self }

    /// How pictures of the system in it move when a value changes; on a page nothing does.
    public func symbolEffect<T: DiscreteSymbolEffect, U: Equatable>(
        _ effect: T,
        options: SymbolEffectOptions = .default,
        value: U
    ) -> some View { self }

    /// That they stay as they are, as they do anyway.
    public func symbolEffectsRemoved(_ isEnabled: Bool = true) -> some View { self }
}
