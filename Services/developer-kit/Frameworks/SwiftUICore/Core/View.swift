public import Foundation

/// A view that consists of other views. At the end of that hierarchy is a `PrimitiveView`, for example a text, which writes
/// itself to the page.
@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View

    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension View where Body == Never {
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other views.") }
}

extension View {
    public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}

extension Never: View {
    public var body: Never { preconditionFailure("Nothing does not consist of anything.") }
}

extension Optional: View where Wrapped: View {
    public typealias Body = Never
}

extension Optional: PrimitiveView where Wrapped: View {
    package func write(_ page: PageWriter) throws {
        if let self { try page.lower(self) }
    }
}

public struct EmptyView: View, PrimitiveView {
    public typealias Body = Never

    nonisolated public init() {}

    package func write(_ page: PageWriter) {}
}

public struct AnyView: View, PrimitiveView {
    public typealias Body = Never

    private let storage: AnyViewStorage

    public init<V: View>(_ view: V) { storage = AnyViewStorage(view) }

    public init<V: View>(erasing view: V) { storage = AnyViewStorage(view) }

    package func write(_ page: PageWriter) throws {
        let view = storage.view
        try page.within(.type(ObjectIdentifier(type(of: view)))) { try page.lower(view) }
    }
}

/// The storage of a view that may contain further type-erased views.
///
/// Releasing ten thousand nested views recursively would overflow the stack. Only a limited number is released recursively, and
/// deeper views are queued until those are released.
final class AnyViewStorage {
    private static let depthMax = 100

    private(set) var view: any View

    init(_ view: any View) { self.view = view }

    deinit {
        let thread = Thread.current
        let state = (thread.threadDictionary[Self.key] as? Leaving) ?? Leaving()
        thread.threadDictionary[Self.key] = state
        guard state.depth < Self.depthMax else { return state.waiting.append(view) }
        state.depth += 1
        view = EmptyView()
        state.depth -= 1
        guard state.depth == 0 else { return }
        state.depth = 1
        while !state.waiting.isEmpty {
            state.depth = 1
            state.waiting.removeLast()
        }
        state.depth = 0
    }

    private static let key = "screentime.views.leaving"

    private final class Leaving {
        var depth = 0
        var waiting: [any View] = []
    }
}

/// A view that is compared before an update. A page always evaluates it, so the comparison saves nothing.
public struct EquatableView<Content: Equatable & View>: View {
    public var content: Content

    public init(content: Content) { self.content = content }

    public var body: some View { content }
}

extension View where Self: Equatable {
    public func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}

/// A provider of previews. It exists so that files with previews compile, and nothing shows them.
@MainActor @preconcurrency
public protocol PreviewProvider {
    associatedtype Previews: View

    @ViewBuilder @MainActor @preconcurrency static var previews: Self.Previews { get }
}

extension View {
    public func previewDisplayName(_ value: String?) -> some View { self }
    public func previewLayout(_ value: PreviewLayout) -> some View { self }
    public func previewDevice(_ value: PreviewDevice?) -> some View { self }
}

public enum PreviewLayout: Sendable {
    case device, sizeThatFits
    case fixed(width: CGFloat, height: CGFloat)
}

public struct PreviewDevice: RawRepresentable, ExpressibleByStringLiteral, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { rawValue = value }
}
