public import Combine

/// A rating by all stores of all apps together, which can be followed as a `@Published` property can.
///
/// It is asked for when it is read, so a store that nobody reads it from costs nothing.
@propertyWrapper
public struct EffectiveRating: Sendable {
    private let name: String

    init(_ name: String) { self.name = name }

    /// Only there to say that nothing but a store has such a property.
    @available(*, unavailable, message: "Effective ratings are properties of a store")
    public var wrappedValue: Int { EffectiveSettings.ratingMax }

    /// Only there to say that nothing but a store has such a property.
    @available(*, unavailable, message: "Effective ratings are properties of a store")
    public var projectedValue: Published<Int>.Publisher {
        Published(wrappedValue: EffectiveSettings.ratingMax).projectedValue
    }

    /// How the compiler reads the property of a store.
    public static subscript(
        _enclosingInstance store: ManagedSettingsStore,
        wrapped wrapped: KeyPath<ManagedSettingsStore, Int>,
        storage place: KeyPath<ManagedSettingsStore, EffectiveRating>
    ) -> Int {
        store.effective.rating(store[keyPath: place].name)
    }

    /// How the compiler finds the publisher of the property.
    public static subscript(
        _enclosingInstance store: ManagedSettingsStore,
        projected projected: KeyPath<ManagedSettingsStore, Published<Int>.Publisher>,
        storage place: KeyPath<ManagedSettingsStore, EffectiveRating>
    ) -> Published<Int>.Publisher {
        store.effective.publisher(store[keyPath: place].name)
    }
}
