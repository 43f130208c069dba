public import Foundation

@resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

    public static func buildBlock() -> EmptyView { EmptyView() }

    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    @MainActor @preconcurrency
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        var all: [any View] = []
        for view in repeat each content { all.append(view) }
        return TupleView((repeat each content), all)
    }

    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    @MainActor @preconcurrency
    public static func buildEither<TrueContent: View, FalseContent: View>(first: TrueContent)
        -> _ConditionalContent<TrueContent, FalseContent>
    {
        _ConditionalContent(.first(first))
    }

    @MainActor @preconcurrency
    public static func buildEither<TrueContent: View, FalseContent: View>(second: FalseContent)
        -> _ConditionalContent<TrueContent, FalseContent>
    {
        _ConditionalContent(.second(second))
    }

    @MainActor @preconcurrency
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
        AnyView(content)
    }
}

public struct TupleView<T>: View, PrimitiveView {
    public typealias Body = Never

    public var value: T
    private let all: [any View]

    public init(_ value: T) {
        let parts = Mirror(reflecting: value).children.compactMap { $0.value as? any View }
        // A tuple with one element is that element.
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

public struct _ConditionalContent<TrueContent, FalseContent> {
    enum Storage {
        case first(TrueContent)
        case second(FalseContent)
    }

    let storage: Storage

    init(_ storage: Storage) { self.storage = storage }
}

extension _ConditionalContent: View, PrimitiveView where TrueContent: View, FalseContent: View {
    public typealias Body = Never

    package func write(_ page: PageWriter) throws {
        switch storage {
        case .first(let view): try page.within(.index(0)) { try page.lower(view) }
        case .second(let view): try page.within(.index(1)) { try page.lower(view) }
        }
    }
}

public struct Group<Content> {
    let content: Content
}

extension Group: View, PrimitiveView where Content: View {
    public typealias Body = Never

    public init(@ViewBuilder content: () -> Content) { self.init(content: content()) }

    package func write(_ page: PageWriter) throws { try page.lower(content) }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    public var data: Data
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
    public typealias Body = Never

    package func write(_ page: PageWriter) throws {
        for element in data {
            let id = AnyHashable(id(element))
            let made = try page.collect {
                try page.within(.id(id)) { try page.lower(content(element)) }
            }
            for part in made {
                // A picker sets this value if the element is chosen and the view has no tag.
                if part.traits.implicitTag == nil { part.traits.implicitTag = id }
                try page.append(part)
            }
        }
    }
}

extension ForEach where Content: View {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {
        self.init(data: data, id: { $0.id }, content: content)
    }

    public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data: data, id: { $0[keyPath: id] }, content: content)
    }

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
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.init(data: data, id: { $0 }, content: content)
    }
}

extension ForEach: DynamicViewContent where Content: View {}

public protocol DynamicViewContent: View {
    associatedtype Data: Collection

    var data: Data { get }
}

extension DynamicViewContent {
    // These actions are never called, because people cannot edit a page.
    public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent { self }
    public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent { self }
}
