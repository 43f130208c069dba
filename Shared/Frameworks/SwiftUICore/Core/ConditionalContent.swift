/// One of two views.
public struct _ConditionalContent<TrueContent, FalseContent> {
    enum Storage {
        case first(TrueContent)
        case second(FalseContent)
    }

    let storage: Storage

    init(_ storage: Storage) { self.storage = storage }
}

extension _ConditionalContent: View, PrimitiveView where TrueContent: View, FalseContent: View {
    /// It is the one or the other.
    public typealias Body = Never

    package func write(_ page: PageWriter) throws {
        switch storage {
        case .first(let view): try page.within(.index(0)) { try page.lower(view) }
        case .second(let view): try page.within(.index(1)) { try page.lower(view) }
        }
    }
}
