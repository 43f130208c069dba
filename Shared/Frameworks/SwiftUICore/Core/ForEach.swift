/// A view for each element of a collection.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    /// The elements.
    public var data: Data

    /// Makes the view of an element.
    public var content: (Data.Element) -> Content

    let id: (Data.Element) -> ID

    package init(data: Data, id: @escaping (Data.Element) -> ID, content: @escaping (Data.Element) -> Content)
    {
        self.data = data
        self.id = id
        self.content = content
    }
}

extension ForEach: View, PrimitiveView where Content: View {
    /// It is the views.
    public typealias Body = Never

    package func write(_ page: PageWriter) throws {
        for element in data {
            let id = AnyHashable(id(element))
            let made = try page.collect {
                try page.within(.id(id)) { try page.lower(content(element)) }
            }
            for part in made {
                // What a picker sets when this is chosen, unless the view says something else.
                if part.traits.implicitTag == nil { part.traits.implicitTag = id }
                try page.append(part)
            }
        }
    }
}

extension ForEach where Content: View {
    /// For elements that know who they are.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {
        self.init(data: data, id: { $0.id }, content: content)
    }

    /// For elements that are told apart by one of their properties.
    public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data: data, id: { $0[keyPath: id] }, content: content)
    }

    /// For bindings to the elements of a collection that know who they are.
    public init<C>(_ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content)
    where
        Data == LazyMapSequence<C.Indices, (C.Index, ID)>,
        ID == C.Element.ID,
        C: MutableCollection,
        C: RandomAccessCollection,
        C.Element: Identifiable,
        C.Index: Hashable
    {
        self.init(data, id: \.id, content: content)
    }

    /// For bindings to the elements of a collection.
    public init<C>(
        _ data: Binding<C>,
        id: KeyPath<C.Element, ID>,
        @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    )
    where
        Data == LazyMapSequence<C.Indices, (C.Index, ID)>,
        C: MutableCollection,
        C: RandomAccessCollection,
        C.Index: Hashable
    {
        let elements = data.wrappedValue
        self.init(
            data: elements.indices.lazy.map { ($0, elements[$0][keyPath: id]) },
            id: { $0.1 },
            content: { content(data.at($0.0, elements)) }
        )
    }
}

extension ForEach where Data == Range<Int>, ID == Int, Content: View {
    /// For numbers.
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.init(data: data, id: { $0 }, content: content)
    }
}

extension ForEach: DynamicViewContent where Content: View {}
