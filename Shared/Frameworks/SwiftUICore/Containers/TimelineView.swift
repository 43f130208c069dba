public import Foundation

/// A view that is made again and again; on a page it is made once.
public struct TimelineView<Schedule: TimelineSchedule, Content: View>: View {
    /// When it is made.
    public struct Context: Sendable {
        /// That is now.
        public let date: Date
    }

    private let content: (Context) -> Content

    /// Made by the closure.
    public init(_ schedule: Schedule, @ViewBuilder content: @escaping (Context) -> Content) {
        self.content = content
    }

    /// As it is now.
    public var body: some View { content(Context(date: Date())) }
}

/// When a view is made again; on a page it is not.
public protocol TimelineSchedule: Sendable {}

/// After each while.
public struct PeriodicTimelineSchedule: TimelineSchedule {
    /// From then on.
    public init(from startDate: Date, by interval: TimeInterval) {}
}

/// At each minute.
public struct EveryMinuteTimelineSchedule: TimelineSchedule {
    /// One.
    public init() {}
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    /// After each while.
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
        PeriodicTimelineSchedule(from: startDate, by: interval)
    }
}

extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
    /// At each minute.
    public static var everyMinute: EveryMinuteTimelineSchedule { EveryMinuteTimelineSchedule() }
}
