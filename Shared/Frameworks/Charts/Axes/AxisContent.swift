/// What stands along an axis.
@MainActor @preconcurrency
public protocol AxisContent {
    /// What it consists of.
    associatedtype Body: AxisContent

    /// What it consists of.
    @AxisContentBuilder var body: Body { get }
}

extension AxisContent where Body == Never {
    /// Not to be asked for.
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other content.") }
}

extension Never: AxisContent {}

/// Content that knows what it is.
@MainActor
protocol PrimitiveAxisContent {
    func put(_ axis: inout AxisDraft)
}
