import STActivityCore
import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@Suite("Refused activities")
struct ActivityRefusalTests {
    private let desk: ActivityDesk

    init() throws { desk = try ActivityDesk() }

    private func refusal(_ request: ActivityStart.Request) throws -> String? {
        try desk.bench.refusal(ActivityStart.self, request)?.code
    }

    private static func fields(_ change: (inout DateFields) -> Void) -> DateFields {
        var fields = DateFields()
        change(&fields)
        return fields
    }

    @Test("a bad activity is refused with the rule that it breaks, and nothing is kept")
    func schedules() throws {
        let time = Self.fields { $0.hour = 9 }
        let date = Self.fields {
            $0.year = 2026
            $0.month = 12
            $0.day = 1
        }
        let past = Self.fields {
            $0.year = 2020
            $0.month = 1
            $0.day = 1
        }
        let cases: [(Schedule, String)] = [
            (Schedule(start: time, end: date, repeats: false), "activity.invalid_date_components"),
            (Schedule(start: past, end: past, repeats: false), "activity.invalid_date_components"),
            (
                Schedule(start: DateFields(), end: DateFields(), repeats: true),
                "activity.invalid_date_components"
            ),
            (BookDesk.daily((9, 0), (9, 14)), "activity.interval_too_short"),
            (BookDesk.daily((25, 0), (9, 14)), "activity.invalid_date_components"),
        ]
        for (schedule, code) in cases {
            #expect(try refusal(ActivityDesk.request(schedule: schedule)) == code)
        }
        let month = Schedule(
            start: Self.fields {
                $0.year = 2026; $0.month = 12; $0.day = 1; $0.hour = 0
            },
            end: Self.fields {
                $0.year = 2026; $0.month = 12; $0.day = 31; $0.hour = 0
            },
            repeats: false
        )
        #expect(try refusal(ActivityDesk.request(schedule: month)) == "activity.interval_too_long")
        #expect(try desk.bench.ask(ActivityList.self, .init()).activities.isEmpty)
    }

    @Test("the 21st activity of an app is refused, unless the configuration says otherwise")
    func tooMany() throws {
        for number in 0..<20 {
            _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request("a\(number)"))
        }
        #expect(try refusal(ActivityDesk.request("a20")) == "activity.excessive_activities")
        // The same name again is not one more, and another app has its own.
        #expect(try refusal(ActivityDesk.request("a7")) == nil)
        #expect(try refusal(ActivityDesk.request("a20", app: "other")) == nil)

        var limits = ActivityLimits()
        limits.activitiesPerApp = 21
        let other = try ActivityDesk(limits: limits)
        for number in 0..<21 {
            _ = try other.bench.ask(ActivityStart.self, ActivityDesk.request("a\(number)"))
        }
    }

    @Test("an event without a threshold, with a name used twice, or with a meaningless token is refused")
    func events() throws {
        let game = ActivityTarget(kind: .application, id: "game")
        let cases: [([ActivityEventSpec], String)] = [
            ([ActivityDesk.event("e", [game], ActivityDesk.minutes(0))], "activity.bad_threshold"),
            ([ActivityDesk.event("e", [game], ActivityDesk.minutes(-5))], "activity.bad_threshold"),
            ([ActivityDesk.event("e", [game], DateFields())], "activity.bad_threshold"),
            (
                [
                    ActivityDesk.event("e", [], ActivityDesk.minutes(5)),
                    ActivityDesk.event("e", [], ActivityDesk.minutes(6)),
                ], "activity.event_twice"
            ),
            (
                [
                    ActivityDesk.event(
                        "e",
                        [ActivityTarget(kind: .application, token: "x")],
                        ActivityDesk.minutes(5)
                    )
                ],
                "token.unknown"
            ),
            (
                [ActivityDesk.event("e", [ActivityTarget(kind: .application)], ActivityDesk.minutes(5))],
                "activity.bad_target"
            ),
            (
                [
                    ActivityDesk.event(
                        "e",
                        [ActivityTarget(kind: .category, id: "socail")],
                        ActivityDesk.minutes(5)
                    )
                ],
                "category.unknown"
            ),
            ([ActivityDesk.event("", [], ActivityDesk.minutes(5))], "activity.bad_name"),
        ]
        for (events, code) in cases { #expect(try refusal(ActivityDesk.request(events: events)) == code) }
    }

    @Test("an app without permission cannot watch")
    func unauthorized() throws {
        desk.deny()
        #expect(try refusal(ActivityDesk.request()) == "activity.unauthorized")
    }
}
