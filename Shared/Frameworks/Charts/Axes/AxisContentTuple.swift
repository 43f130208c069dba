/// Several things along an axis.
public struct AxisContentTuple<T>: AxisContent, PrimitiveAxisContent {
    /// It is its parts.
    public typealias Body = Never

    private let all: [any AxisContent]

    init(_ all: [any AxisContent]) { self.all = all }

    func put(_ axis: inout AxisDraft) {
        for part in all { axis.add(part) }
    }
}

/// Content of which nobody needs to know the kind.
public struct AnyAxisContent: AxisContent, PrimitiveAxisContent {
    /// It is what is within.
    public typealias Body = Never

    private let content: any AxisContent

    /// Any content.
    public init(_ content: some AxisContent) { self.content = content }

    func put(_ axis: inout AxisDraft) { axis.add(content) }
}
