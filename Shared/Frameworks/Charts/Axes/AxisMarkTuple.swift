/// Several parts.
public struct AxisMarkTuple<T>: AxisMark, PrimitiveAxisMark {
    /// It is its parts.
    public typealias Body = Never

    private let all: [any AxisMark]

    init(_ all: [any AxisMark]) { self.all = all }

    func put(_ tick: inout AxisTickDraft) {
        for part in all { tick.add(part) }
    }
}

/// Nothing.
public struct EmptyAxisMark: AxisMark, PrimitiveAxisMark {
    /// It consists of nothing.
    public typealias Body = Never

    init() {}

    func put(_ tick: inout AxisTickDraft) {}
}

/// A part of which nobody needs to know the kind.
public struct AnyAxisMark: AxisMark, PrimitiveAxisMark {
    /// It is what is within.
    public typealias Body = Never

    private let mark: any AxisMark

    /// Any part.
    public init(_ mark: some AxisMark) { self.mark = mark }

    func put(_ tick: inout AxisTickDraft) { tick.add(mark) }
}
