/// A part of what stands at each value of an axis.
@MainActor @preconcurrency
public protocol AxisMark {
    /// What it consists of.
    associatedtype Body: AxisMark

    /// What it consists of.
    @AxisMarkBuilder var body: Body { get }
}

extension AxisMark where Body == Never {
    /// Not to be asked for.
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other parts.") }
}

extension Never: AxisMark {}

/// A part that knows what it is.
@MainActor
protocol PrimitiveAxisMark {
    func put(_ tick: inout AxisTickDraft)
}
