public import Foundation
import STContracts

/// Asks how much room there is.
///
/// A page is as wide as whoever shows it makes it, so the answer is a phone's screen of 390 by 844 points, less what
/// `frame(width:height:)` and `padding` around say.
public struct GeometryReader<Content: View>: View, PrimitiveView {
    /// It is what the closure makes.
    public typealias Body = Never

    /// Makes a view for that room.
    public var content: (GeometryProxy) -> Content

    /// For that room.
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }

    package func write(_ page: PageWriter) throws {
        let made = content(GeometryProxy(size: page.environment.look.room))
        let element = try page.add(PageNode(kind: .layered, align: .topLeading)) { try page.lower(made) }
        element.wrap(.frame) {
            $0.frame = PageFrame(fillsWidth: true, fillsHeight: true, align: .topLeading)
        }
    }
}

/// How much room there is.
public struct GeometryProxy: Sendable {
    /// That much.
    public let size: CGSize

    package init(size: CGSize) { self.size = size }

    /// There are no bars at the sides of a page.
    public var safeAreaInsets: EdgeInsets { EdgeInsets() }

    /// Where it is; on a page that is known by whoever shows it.
    public func frame(in coordinateSpace: CoordinateSpace) -> CGRect { CGRect(origin: .zero, size: size) }

    /// Where it is; on a page that is known by whoever shows it.
    public func frame(in coordinateSpace: some CoordinateSpaceProtocol) -> CGRect {
        CGRect(origin: .zero, size: size)
    }
}

/// From where places are counted.
public enum CoordinateSpace: Hashable, @unchecked Sendable {
    // @unchecked: a name is a value that nobody changes.
    /// From the whole.
    case global
    /// From the view itself.
    case local
    /// From a view with that name.
    case named(AnyHashable)
}

/// From where places are counted.
public protocol CoordinateSpaceProtocol: Sendable {
    /// From there.
    var coordinateSpace: CoordinateSpace { get }
}

/// From the view itself.
public struct LocalCoordinateSpace: CoordinateSpaceProtocol {
    /// One.
    public init() {}
    /// From the view itself.
    public var coordinateSpace: CoordinateSpace { .local }
}

/// From the whole.
public struct GlobalCoordinateSpace: CoordinateSpaceProtocol {
    /// One.
    public init() {}
    /// From the whole.
    public var coordinateSpace: CoordinateSpace { .global }
}

/// From a view with a name.
public struct NamedCoordinateSpace: CoordinateSpaceProtocol, Hashable {
    /// From there.
    public let coordinateSpace: CoordinateSpace
}

extension CoordinateSpaceProtocol where Self == LocalCoordinateSpace {
    /// From the view itself.
    public static var local: LocalCoordinateSpace { LocalCoordinateSpace() }
}

extension CoordinateSpaceProtocol where Self == GlobalCoordinateSpace {
    /// From the whole.
    public static var global: GlobalCoordinateSpace { GlobalCoordinateSpace() }
}

extension CoordinateSpaceProtocol where Self == NamedCoordinateSpace {
    /// From a view with that name.
    public static func named(_ name: some Hashable & Sendable) -> NamedCoordinateSpace {
        NamedCoordinateSpace(coordinateSpace: .named(AnyHashable(name)))
    }
}

extension View {
    /// Gives the view a name that places can be counted from.
    public func coordinateSpace<T: Hashable>(name: T) -> some View { self }
    /// Gives the view a name that places can be counted from.
    public func coordinateSpace(_ name: NamedCoordinateSpace) -> some View { self }
}
