public import Foundation
import STClientLink
import STDomain
import STFoundationTypes
import STPlatform

public struct DeviceActivitySchedule: Equatable, Sendable {
    public let intervalStart: DateComponents
    public let intervalEnd: DateComponents

    /// True if the interval is repeated.
    public let repeats: Bool

    /// The time between a warning and the start, end or threshold that it announces. `nil` for no warnings.
    public let warningTime: DateComponents?

    /// Creates a schedule. Both ends must have the same units: times of day, or full dates. An end earlier in the day than the
    /// start is on the next day.
    public init(
        intervalStart: DateComponents,
        intervalEnd: DateComponents,
        repeats: Bool,
        warningTime: DateComponents? = nil
    ) {
        self.intervalStart = intervalStart
        self.intervalEnd = intervalEnd
        self.repeats = repeats
        self.warningTime = warningTime
    }

    /// The current or next interval. `nil` if there is none, or if the times of the schedule are not compatible.
    public var nextInterval: DateInterval? {
        let now = WallTime(ms: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
        return nextInterval(now, zone: TimeZone.current.identifier)
    }

    func nextInterval(_ now: WallTime, zone: String) -> DateInterval? {
        guard let next = spec.interval(atOrAfter: now.ms, zone: zone) else { return nil }
        return DateInterval(start: Self.date(next.startMs), end: Self.date(next.endMs))
    }

    private static func date(_ ms: Int64) -> Date { Date(timeIntervalSince1970: Double(ms) / 1000) }

    /// The schedule as the frameworks send it.
    var spec: Schedule {
        Schedule(
            start: DateFields(intervalStart),
            end: DateFields(intervalEnd),
            repeats: repeats,
            warning: warningTime.map { DateFields($0) }
        )
    }

    init(_ spec: Schedule) {
        self.init(
            intervalStart: spec.start.components,
            intervalEnd: spec.end.components,
            repeats: spec.repeats,
            warningTime: spec.warning?.components
        )
    }
}
