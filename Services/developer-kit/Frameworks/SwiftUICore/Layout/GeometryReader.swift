public import Foundation
import STContracts

/// A view that reports the available size. The size of a page is only known when it is drawn. The reported size is therefore that
/// of a phone's screen, 390 by 844 points, less the `frame(width:height:)` and `padding` around the reader.
public struct GeometryReader<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    public var content: (GeometryProxy) -> Content

    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }

    package func write(_ page: PageWriter) throws {
        let made = content(GeometryProxy(size: page.environment.look.room))
        let element = try page.add(PageNode(kind: .layered, align: .topLeading)) { try page.lower(made) }
        element.wrap(.frame) {
            $0.frame = PageFrame(fillsWidth: true, fillsHeight: true, align: .topLeading)
        }
    }
}

public struct GeometryProxy: Sendable {
    public let size: CGSize

    package init(size: CGSize) { self.size = size }

    public var safeAreaInsets: EdgeInsets { EdgeInsets() }

    /// Returns a frame at the origin, because the position is only known when the page is drawn.
    public func frame(in coordinateSpace: CoordinateSpace) -> CGRect { CGRect(origin: .zero, size: size) }

    /// Returns a frame at the origin, because the position is only known when the page is drawn.
    public func frame(in coordinateSpace: some CoordinateSpaceProtocol) -> CGRect {
        CGRect(origin: .zero, size: size)
    }
}

public enum CoordinateSpace: Hashable, @unchecked Sendable {
    // @unchecked: the name is immutable.
    case global, local
    case named(AnyHashable)
}

public protocol CoordinateSpaceProtocol: Sendable {
    var coordinateSpace: CoordinateSpace { get }
}

public struct LocalCoordinateSpace: CoordinateSpaceProtocol {
    public init() {}
    public var coordinateSpace: CoordinateSpace { .local }
}

public struct GlobalCoordinateSpace: CoordinateSpaceProtocol {
    public init() {}
    public var coordinateSpace: CoordinateSpace { .global }
}

public struct NamedCoordinateSpace: CoordinateSpaceProtocol, Hashable {
    public let coordinateSpace: CoordinateSpace
}

extension CoordinateSpaceProtocol where Self == LocalCoordinateSpace {
    public static var local: Self { Self() }
}

extension CoordinateSpaceProtocol where Self == GlobalCoordinateSpace {
    public static var global: Self { Self() }
}

extension CoordinateSpaceProtocol where Self == NamedCoordinateSpace {
    public static func named(_ name: some Hashable & Sendable) -> NamedCoordinateSpace {
        NamedCoordinateSpace(coordinateSpace: .named(AnyHashable(name)))
    }
}

extension View {
    // No effect: the positions of views are unknown.
    public func coordinateSpace<T: Hashable>(name: T) -> some View { self }
    public func coordinateSpace(_ name: NamedCoordinateSpace) -> some View { self }
}

extension View {
    /// Makes the view fill the available space along the axes.
    public func containerRelativeFrame(_ axes: Axis.Set, alignment: Alignment = .center) -> some View {
        lowered { page, content in
            try page.each(content) {
                $0.wrap(.frame) {
                    $0.frame = PageFrame(
                        fillsWidth: axes.contains(.horizontal) ? true : nil,
                        fillsHeight: axes.contains(.vertical) ? true : nil,
                        align: alignment.page
                    )
                }
            }
        }
    }

    /// Uses a phone's screen, less the frames and paddings around the view, as the container.
    public func containerRelativeFrame(
        _ axes: Axis.Set,
        count: Int,
        span: Int = 1,
        spacing: CGFloat,
        alignment: Alignment = .center
    ) -> some View {
        containerRelativeFrame(axes, alignment: alignment) { length, _ in
            let (count, span) = (CGFloat(max(1, count)), CGFloat(max(1, span)))
            return (length - spacing * (count - 1)) / count * span + spacing * (span - 1)
        }
    }

    /// Uses a phone's screen, less the frames and paddings around the view, as the container.
    public func containerRelativeFrame(
        _ axes: Axis.Set,
        alignment: Alignment = .center,
        _ length: @escaping (CGFloat, Axis) -> CGFloat
    ) -> some View {
        lowered { page, content in
            let room = page.environment.look.room
            let width = axes.contains(.horizontal) ? max(0, length(room.width, .horizontal)) : nil
            let height = axes.contains(.vertical) ? max(0, length(room.height, .vertical)) : nil
            try page.changing({
                if let width, width.isFinite { $0.look.room.width = width }
                if let height, height.isFinite { $0.look.room.height = height }
            }) {
                try page.each(content) {
                    $0.wrap(.frame) {
                        $0.frame = PageFrame(
                            width: Length.of(width),
                            height: Length.of(height),
                            align: alignment.page
                        )
                    }
                }
            }
        }
    }
}
