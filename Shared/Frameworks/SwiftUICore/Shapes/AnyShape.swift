public import Foundation
import STContracts

/// A shape of which nobody needs to know the kind.
public struct AnyShape: Shape, KnownShape {
    private let shape: any Shape

    /// Any shape.
    public init<S: Shape>(_ shape: S) { self.shape = shape }

    /// Its line in an area.
    public func path(in rect: CGRect) -> Path { shape.path(in: rect) }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline.of(shape, in: room) }
}

/// The shape of what is around; on a page a rectangle.
public struct ContainerRelativeShape: Shape, KnownShape {
    /// One.
    public init() {}

    /// Its line in an area.
    public func path(in rect: CGRect) -> Path { Path(rect) }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline(PageShape(kind: .rectangle)) }
}
