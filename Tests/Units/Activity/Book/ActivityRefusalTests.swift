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

    @Test("An activity with an invalid schedule is refused with the reason, and is not stored")
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

    @Test("The 21st activity of an app is refused, unless the configuration sets another limit")
    func tooMany() throws {
        for number in 0..<20 {
            _ = try desk.bench.ask(ActivityStart.self, ActivityDesk.request("a\(number)"))
        }
        #expect(try refusal(ActivityDesk.request("a20")) == "activity.excessive_activities")
        // A repeated name replaces its activity, and each app has its own limit.
        #expect(try refusal(ActivityDesk.request("a7")) == nil)
        #expect(try refusal(ActivityDesk.request("a20", app: "other")) == nil)

        var limits = ActivityLimits()
        limits.activitiesPerApp = 21
        let other = try ActivityDesk(limits: limits)
        for number in 0..<21 {
            _ = try other.bench.ask(ActivityStart.self, ActivityDesk.request("a\(number)"))
        }
    }

    @Test("An event with an invalid threshold, name or target is refused with the reason")
    func events() throws {
        let game = ActivityTarget(kind: .application, id: "game")
        let cases: [([ActivityEventSpec], String)] = [
            (
                [ActivityDesk.event("e", targets: [game], threshold: ActivityDesk.minutes(0))],
                "activity.bad_threshold"
            ),
            (
                [ActivityDesk.event("e", targets: [game], threshold: ActivityDesk.minutes(-5))],
                "activity.bad_threshold"
            ),
            ([ActivityDesk.event("e", targets: [game], threshold: DateFields())], "activity.bad_threshold"),
            (
                [
                    ActivityDesk.event("e", targets: [], threshold: ActivityDesk.minutes(5)),
                    ActivityDesk.event("e", targets: [], threshold: ActivityDesk.minutes(6)),
                ], "activity.event_twice"
            ),
            (
                [
                    ActivityDesk.event(
                        "e",
                        targets: [ActivityTarget(kind: .application, token: "x")],
                        threshold: ActivityDesk.minutes(5)
                    )
                ],
                "token.unknown"
            ),
            (
                [
                    ActivityDesk.event(
                        "e",
                        targets: [ActivityTarget(kind: .application)],
                        threshold: ActivityDesk.minutes(5)
                    )
                ],
                "activity.bad_target"
            ),
            (
                [
                    ActivityDesk.event(
                        "e",
                        targets: [ActivityTarget(kind: .category, id: "socail")],
                        threshold: ActivityDesk.minutes(5)
                    )
                ],
                "category.unknown"
            ),
            ([ActivityDesk.event("", targets: [], threshold: ActivityDesk.minutes(5))], "activity.bad_name"),
        ]
        for (events, code) in cases { #expect(try refusal(ActivityDesk.request(events: events)) == code) }
    }

    @Test("An app without permission cannot start an activity")
    func unauthorized() throws {
        desk.deny()
        #expect(try refusal(ActivityDesk.request()) == "activity.unauthorized")
    }
}
