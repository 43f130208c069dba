/// A view of which nobody needs to know the kind.
public struct AnyView: View, PrimitiveView {
    /// It is the view within.
    public typealias Body = Never

    private let storage: AnyViewStorage

    /// Any view.
    public init<V: View>(_ view: V) { storage = AnyViewStorage(view) }

    /// Any view.
    public init<V: View>(erasing view: V) { storage = AnyViewStorage(view) }

    package func write(_ page: PageWriter) throws {
        let view = storage.view
        try page.within(.type(ObjectIdentifier(type(of: view)))) { try page.lower(view) }
    }
}
