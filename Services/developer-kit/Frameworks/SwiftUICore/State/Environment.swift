public import Combine
public import Observation

@propertyWrapper
public struct Environment<Value>: BoundProperty {
    let reader: EnvironmentReader<Value>

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        reader = EnvironmentReader(missing: nil) { $0[keyPath: keyPath] }
    }

    public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
        reader = EnvironmentReader(missing: "\(objectType)") { $0.object(objectType) }
    }

    public init<T>(_ objectType: T.Type) where Value == T?, T: AnyObject, T: Observable {
        reader = EnvironmentReader(missing: nil) { .some($0.object(objectType)) }
    }

    public var wrappedValue: Value { reader.value }

    func bind(to page: PageWriter, _ number: Int) throws { try reader.bind(to: page) }
}

extension Environment: Sendable where Value: Sendable {}

@propertyWrapper @MainActor @preconcurrency
public struct EnvironmentObject<ObjectType: ObservableObject>: BoundProperty {
    let reader: EnvironmentReader<ObjectType>

    nonisolated public init() {
        reader = EnvironmentReader(missing: "\(ObjectType.self)") { $0.object(ObjectType.self) }
    }

    @MainActor @preconcurrency public var wrappedValue: ObjectType { reader.value }

    @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper {
        ObservedObject.Wrapper(object: reader.value)
    }

    func bind(to page: PageWriter, _ number: Int) throws { try reader.bind(to: page) }
}

public protocol EnvironmentKey {
    associatedtype Value

    static var defaultValue: Value { get }
}

/// The environment of a view while its body is evaluated.
final class EnvironmentReader<Value>: @unchecked Sendable {
    // @unchecked: only the main thread accesses it, as with views.
    private let read: (EnvironmentValues) -> Value?
    private let missing: String?
    private var values: EnvironmentValues?

    /// Creates a reader. `missing` is the type of a required object, or `nil` if there is always a value.
    init(missing: String?, _ read: @escaping (EnvironmentValues) -> Value?) {
        self.missing = missing
        self.read = read
    }

    var value: Value {
        guard let value = read(values ?? EnvironmentValues()) else {
            preconditionFailure(
                "There is no \(missing ?? "value"): it exists only while a body is evaluated."
            )
        }
        return value
    }

    @MainActor
    func bind(to page: PageWriter) throws {
        values = page.environment
        if let missing, read(page.environment) == nil { throw PageProblem.noObject(missing, "A view") }
    }
}

/// A key for preferences. Preferences are not passed on, because most of them are positions and sizes, which are unknown.
public protocol PreferenceKey {
    associatedtype Value

    static var defaultValue: Value { get }

    static func reduce(value: inout Value, nextValue: () -> Value)
}

extension View {
    public func preference<K: PreferenceKey>(key: K.Type = K.self, value: K.Value) -> some View { self }

    public func onPreferenceChange<K: PreferenceKey>(
        _ key: K.Type = K.self,
        perform action: @escaping (K.Value) -> Void
    ) -> some View where K.Value: Equatable { self }
}

extension View {
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        changed { $0[keyPath: keyPath] = value }
    }

    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        changed { $0.set(T.self, object) }
    }

    public func environmentObject<T: ObservableObject>(_ object: T) -> some View {
        changed { $0.set(T.self, object) }
    }

    public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>,
        transform: @escaping (inout V) -> Void
    ) -> some View { changed { transform(&$0[keyPath: keyPath]) } }

    public func colorScheme(_ colorScheme: ColorScheme) -> some View {
        environment(\.colorScheme, colorScheme)
    }

    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
        changed { if let colorScheme { $0.colorScheme = colorScheme } }
    }

    public func disabled(_ disabled: Bool) -> some View {
        changed { $0.look.isEnabled = $0.look.isEnabled && !disabled }
    }

    public func redacted(reason: RedactionReasons) -> some View {
        changed { $0.look.redaction.formUnion(reason) }
    }

    public func unredacted() -> some View { changed { $0.look.redaction = [] } }

    /// Has no effect, because a page is for one person.
    public func privacySensitive(_ sensitive: Bool = true) -> some View { self }

    /// Sets the identity of the view. A new id resets the state of the view.
    public func id<ID: Hashable>(_ id: ID) -> some View {
        lowered { page, content in try page.within(.id(AnyHashable(id)), content) }
    }

    public func tag<V: Hashable>(_ tag: V) -> some View { marked { $0.traits.tag = AnyHashable(tag) } }
}
