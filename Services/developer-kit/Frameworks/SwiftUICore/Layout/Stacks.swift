public import Foundation
package import STContracts

public struct HStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let alignment: VerticalAlignment
    private let spacing: CGFloat?
    private let content: Content

    public init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        try page.stack(.horizontal, align: alignment.page, spacing: spacing, content: content)
    }
}

public struct VStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let alignment: HorizontalAlignment
    private let spacing: CGFloat?
    private let content: Content

    public init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        try page.stack(.vertical, align: alignment.page, spacing: spacing, content: content)
    }
}

public struct ZStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let alignment: Alignment
    private let content: Content

    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        try page.changing({ $0.look.isRow = false }) {
            let layers = try page.collect { try page.lower(content) }
            // Sort stably, so that layers with equal `zIndex` keep their order.
            let order = layers.indices.sorted {
                (layers[$0].traits.zIndex, $0) < (layers[$1].traits.zIndex, $1)
            }
            try page.add(PageNode(kind: .layered, align: alignment.page)) {
                for index in order { try page.append(layers[index]) }
            }
        }
    }
}

public struct LazyHStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let alignment: VerticalAlignment
    private let spacing: CGFloat?
    private let content: Content

    public init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(),
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        try page.stack(.horizontal, align: alignment.page, spacing: spacing, content: content)
    }
}

public struct LazyVStack<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let alignment: HorizontalAlignment
    private let spacing: CGFloat?
    private let content: Content

    public init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(),
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        try page.stack(.vertical, align: alignment.page, spacing: spacing, content: content)
    }
}

public struct PinnedScrollableViews: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
    public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}

public struct Spacer: View, PrimitiveView {
    public typealias Body = Never

    public var minLength: CGFloat?

    nonisolated public init(minLength: CGFloat? = nil) { self.minLength = minLength }

    package func write(_ page: PageWriter) throws {
        try page.add(PageNode(kind: .spacer, length: Length.of(minLength)))
    }
}

public struct Divider: View, PrimitiveView {
    public typealias Body = Never

    nonisolated public init() {}

    package func write(_ page: PageWriter) throws {
        try page.add(PageNode(kind: .divider, isHorizontal: page.environment.look.isRow ? false : nil))
    }
}

extension PageWriter {
    package func stack<Content: View>(
        _ kind: PageKind,
        align: PageAlign,
        spacing: CGFloat?,
        content: Content
    ) throws {
        try changing({ $0.look.isRow = kind == .horizontal }) {
            try add(PageNode(kind: kind, align: align, spacing: spacing.map { Length.of($0) })) {
                try lower(content)
            }
        }
    }
}
