import Foundation
import STClientLink
import STDomain
import STFrameworkSamples
import STPlatform
import Testing

@testable import DeviceActivity

@Suite("Schedules")
struct ScheduleTests {
    private func wall(_ text: String) throws -> WallTime {
        WallTime(ms: Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970 * 1000))
    }

    private func text(_ interval: DateInterval?) -> String? {
        interval.map { "\($0.start.formatted(.iso8601)) \($0.end.formatted(.iso8601))" }
    }

    @Test("The next interval of a schedule is the current one, or else the following one")
    func next() throws {
        let night = DeviceActivitySchedule(
            intervalStart: DateComponents(hour: 22, minute: 0),
            intervalEnd: DateComponents(hour: 7, minute: 0),
            repeats: true
        )

        #expect(
            text(night.nextInterval(try wall("2025-03-10T12:00:00Z"), zone: "UTC"))
                == "2025-03-10T22:00:00Z 2025-03-11T07:00:00Z"
        )
        #expect(
            text(night.nextInterval(try wall("2025-03-11T06:59:59Z"), zone: "UTC"))
                == "2025-03-10T22:00:00Z 2025-03-11T07:00:00Z"
        )
        #expect(wholeDay.nextInterval != nil)
    }

    @Test("A schedule with mixed components or in the past has no next interval")
    func none() throws {
        let mixed = DeviceActivitySchedule(
            intervalStart: DateComponents(hour: 22),
            intervalEnd: DateComponents(year: 2025, month: 3, day: 11, hour: 7),
            repeats: false
        )
        let past = DeviceActivitySchedule(
            intervalStart: DateComponents(year: 2020, month: 1, day: 1, hour: 1),
            intervalEnd: DateComponents(year: 2020, month: 1, day: 1, hour: 2),
            repeats: false
        )

        #expect(mixed.nextInterval(try wall("2025-03-10T12:00:00Z"), zone: "UTC") == nil)
        #expect(past.nextInterval == nil)
    }

    @Test("Date components survive encoding and decoding")
    func components() throws {
        var full = DateComponents(year: 2025, month: 2, day: 3, hour: 4, minute: 5, second: 6, nanosecond: 7)
        full.weekday = 2
        full.weekdayOrdinal = 1
        full.era = 1
        full.quarter = 1
        full.weekOfMonth = 2
        full.weekOfYear = 6
        full.yearForWeekOfYear = 2025
        full.timeZone = TimeZone(identifier: "Europe/Berlin")
        full.calendar = Calendar(identifier: .gregorian)

        for components in [full, DateComponents(), DateComponents(hour: 0, minute: 0)] {
            let fields = try JSONDecoder().decode(
                DateFields.self,
                from: try JSONEncoder().encode(DateFields(components))
            )
            #expect(fields.components == components)
        }
        #expect(DateFields(full).zone == "Europe/Berlin")
        #expect(DateFields(DateComponents(calendar: .current, hour: 1)).zone == nil)
    }

    @Test("A schedule survives conversion to its specification and back")
    func equal() {
        #expect(DeviceActivitySchedule(wholeDay.spec) == wholeDay)
    }

    @Test("An event without tokens counts all activity")
    func events() {
        let all = DeviceActivityEvent(threshold: DateComponents(minute: 5))
        let some = DeviceActivityEvent(
            applications: [ApplicationToken(data: Data([1]))],
            threshold: DateComponents(minute: 5),
            includesPastActivity: true
        )

        #expect(all.includesAllActivity && !all.includesPastActivity)
        #expect(!some.includesAllActivity && some.includesPastActivity)
        #expect(DeviceActivityName("a") == DeviceActivityName(rawValue: "a"))
        #expect(DeviceActivityEvent.Name("a").rawValue == "a")
    }

    @Test("A monitor can have its own initialiser and receives callbacks with names")
    func monitor() {
        let monitor = WithInit()
        monitor.intervalDidStart(for: .daily)
        monitor.intervalDidEnd(for: .daily)
        monitor.eventDidReachThreshold(.limit, activity: .daily)

        #expect(monitor.calls == ["init", "start daily", "limit of daily"])
    }
}
