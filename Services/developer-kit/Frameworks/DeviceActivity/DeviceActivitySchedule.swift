public import Foundation
import STClientLink
import STDomain
import STFoundationTypes

public struct DeviceActivitySchedule: Equatable, Sendable {
    public let intervalStart: DateComponents
    public let intervalEnd: DateComponents

    /// Whether there is another interval after the first.
    public let repeats: Bool

    /// How long before each event of the schedule its warning comes; nil is without warnings.
    public let warningTime: DateComponents?

    /// Both ends must have the same units: times of day, or full dates. An end earlier in the day than the
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

    /// The current or next interval; nil when there is none, or when the times do not fit together.
    public var nextInterval: DateInterval? {
        let now = Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
        return nextInterval(nowMs: now, zone: TimeZone.current.identifier)
    }

    func nextInterval(nowMs: Int64, zone: String) -> DateInterval? {
        guard let next = spec.interval(atOrAfter: nowMs, zone: zone) else { return nil }
        return DateInterval(start: Self.date(next.startMs), end: Self.date(next.endMs))
    }

    private static func date(_ ms: Int64) -> Date { Date(timeIntervalSince1970: Double(ms) / 1000) }

    /// As it is sent.
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
