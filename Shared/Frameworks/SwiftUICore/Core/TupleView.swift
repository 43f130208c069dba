/// Several views, one after the other.
public struct TupleView<T>: View, PrimitiveView {
    /// It is its parts.
    public typealias Body = Never

    /// The views.
    public var value: T
    private let all: [any View]

    /// The views of a tuple.
    public init(_ value: T) {
        let parts = Mirror(reflecting: value).children.compactMap { $0.value as? any View }
        // A tuple of one is that one.
        self.init(value, parts.isEmpty ? [value as? any View].compactMap { $0 } : parts)
    }

    init(_ value: T, _ all: [any View]) {
        self.value = value
        self.all = all
    }

    package func write(_ page: PageWriter) throws {
        for (index, view) in all.enumerated() {
            try page.within(.index(index)) { try page.lower(view) }
        }
    }
}
