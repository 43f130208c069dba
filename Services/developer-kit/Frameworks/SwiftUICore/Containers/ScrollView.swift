public import Foundation
import STContracts

/// A view that shows all of its content.
public struct ScrollView<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let axes: Axis.Set
    private let content: Content

    public init(
        _ axes: Axis.Set = .vertical,
        showsIndicators: Bool = true,
        @ViewBuilder content: () -> Content
    ) {
        self.axes = axes
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        let isSideways = axes == .horizontal
        try page.changing({ $0.look.isRow = isSideways }) {
            try page.add(PageNode(kind: .scroll, isHorizontal: isSideways ? true : nil)) {
                if let one = try page.collectOne({ try page.lower(content) }) { try page.append(one) }
            }
        }
    }
}

/// A view that shows its content. A page does not scroll.
public struct ScrollViewReader<Content: View>: View {
    private let content: (ScrollViewProxy) -> Content

    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }

    public var body: some View { content(ScrollViewProxy()) }
}

/// A proxy without effect, because a page does not scroll.
public struct ScrollViewProxy: Sendable {
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {}
}

/// A view that shows its first child. Sizes are only known when the page is drawn, so it cannot test which child fits.
public struct ViewThatFits<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let content: Content

    public init(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        if let first = try page.collect({ try page.lower(content) }).first { try page.append(first) }
    }
}

/// A view that is evaluated once, with the time at which the page is made.
public struct TimelineView<Schedule: TimelineSchedule, Content: View>: View {
    public struct Context: Sendable {
        public let date: Date
    }

    private let content: (Context) -> Content

    public init(_ schedule: Schedule, @ViewBuilder content: @escaping (Context) -> Content) {
        self.content = content
    }

    public var body: some View { content(Context(date: Date())) }
}

public protocol TimelineSchedule: Sendable {}

public struct PeriodicTimelineSchedule: TimelineSchedule {
    public init(from startDate: Date, by interval: TimeInterval) {}
}

public struct EveryMinuteTimelineSchedule: TimelineSchedule { public init() {} }

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
        PeriodicTimelineSchedule(from: startDate, by: interval)
    }
}

extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
    public static var everyMinute: Self { Self() }
}
