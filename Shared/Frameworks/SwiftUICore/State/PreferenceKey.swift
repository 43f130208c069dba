/// Names something that views say to those around them; on a page nobody listens.
public protocol PreferenceKey {
    /// What it is.
    associatedtype Value

    /// What it is when nobody says anything.
    static var defaultValue: Value { get }

    /// What several say together.
    static func reduce(value: inout Value, nextValue: () -> Value)
}

extension View {
    /// Says something to the views around.
    public func preference<K: PreferenceKey>(key: K.Type = K.self, value: K.Value) -> some View { self }

    /// What would happen when views within say something else; places and sizes, which most of it is, are not known.
    public func onPreferenceChange<K: PreferenceKey>(
        _ key: K.Type = K.self,
        perform action: @escaping (K.Value) -> Void
    ) -> some View where K.Value: Equatable { self }
}
