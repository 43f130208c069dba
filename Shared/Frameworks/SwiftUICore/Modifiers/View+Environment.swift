public import Combine
public import Observation

extension View {
    /// Views within see that.
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        changed { $0[keyPath: keyPath] = value }
    }

    /// Views within can have that object.
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        changed { $0.set(T.self, object) }
    }

    /// Views within can have that object.
    public func environmentObject<T: ObservableObject>(_ object: T) -> some View {
        changed { $0.set(T.self, object) }
    }

    /// Views within see something else.
    public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>,
        transform: @escaping (inout V) -> Void
    ) -> some View { changed { transform(&$0[keyPath: keyPath]) } }

    /// On light or on dark ground.
    public func colorScheme(_ colorScheme: ColorScheme) -> some View {
        environment(\.colorScheme, colorScheme)
    }

    /// On light or on dark ground.
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
        changed { if let colorScheme { $0.colorScheme = colorScheme } }
    }

    /// Cannot be pressed.
    public func disabled(_ disabled: Bool) -> some View {
        changed { $0.look.isEnabled = $0.look.isEnabled && !disabled }
    }

    /// Not to be seen as it is.
    public func redacted(reason: RedactionReasons) -> some View {
        changed { $0.look.redaction.formUnion(reason) }
    }

    /// To be seen as it is.
    public func unredacted() -> some View { changed { $0.look.redaction = [] } }

    /// Not for others' eyes; a page is for one person.
    public func privacySensitive(_ sensitive: Bool = true) -> some View { self }

    /// Is somebody of that name: with another name its state begins anew.
    public func id<ID: Hashable>(_ id: ID) -> some View {
        lowered { page, content in try page.within(.id(AnyHashable(id)), content) }
    }

    /// Is what is chosen with that value.
    public func tag<V: Hashable>(_ tag: V) -> some View { marked { $0.traits.tag = AnyHashable(tag) } }
}
