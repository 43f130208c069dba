/// What an area, an outline or words can be filled with.
public protocol ShapeStyle: Sendable {
    /// What it turns out to be.
    associatedtype Resolved: ShapeStyle = Never

    /// What it is where that is so.
    func resolve(in environment: EnvironmentValues) -> Self.Resolved
}

extension ShapeStyle where Resolved == Never {
    /// Not to be asked for: the page knows what this is.
    public func resolve(in environment: EnvironmentValues) -> Never {
        preconditionFailure("\(Self.self) is not made of other styles.")
    }
}

extension Never: ShapeStyle {}
