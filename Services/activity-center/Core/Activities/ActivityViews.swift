import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform

/// Converts activities to their form in replies.
enum ActivityViews {
    static func view(_ activity: WatchedActivity, now: WallTime) -> ActivityView {
        ActivityView(
            app: activity.key.app,
            member: activity.key.member,
            activity: activity.key.activity,
            schedule: activity.schedule,
            events: activity.events.map(\.spec),
            mode: activity.mode,
            interval: (activity.current ?? activity.next).map {
                view($0, isOngoing: activity.current != nil)
            },
            understood: activity.understood
        )
    }

    static func view(_ span: IntervalSpan, isOngoing: Bool) -> IntervalView {
        IntervalView(
            start: RFC3339.text(wallMs: span.startWallMs),
            end: RFC3339.text(wallMs: span.endWallMs),
            startWallMs: span.startWallMs,
            endWallMs: span.endWallMs,
            zone: span.zone,
            isOngoing: isOngoing
        )
    }

    static func notes(_ reading: ScheduleReading, _ events: [WatchedEvent]) -> [ActivityNote] {
        var notes: [ActivityNote] = []
        if let unwatched = reading.unwatched {
            notes.append(ActivityNote(code: "activity.unwatched", text: unwatched))
        }
        if events.contains(where: { !$0.budget.target.domains.isEmpty }) {
            notes.append(
                ActivityNote(
                    code: "activity.sites_unseen",
                    text: Message(
                        "activity-note.sites-unseen",
                        """
                        Sites count only in browsers that report the open site. Screen Time has not detected \
                        such a browser yet.
                        """
                    )
                )
            )
        }
        return notes
    }

    static func list(
        _ request: ActivityList.Request,
        _ state: ActivityState,
        now: WallTime
    ) throws -> ActivityList.Reply {
        let all = state.activities.all(ofApp: request.app, member: request.member)
        let (page, next) = try OffsetPage.slice(all.map { view($0, now: now) }, next: request.next)
        return ActivityList.Reply(activities: page, next: next)
    }

    static func find(_ app: String, member: String?, activity: String, state: ActivityState)
        -> WatchedActivity?
    {
        guard let member = member ?? state.household.owner else { return nil }
        return state.activities[ActivityKey(app: app, member: member, activity: activity)]
    }

    static func preview(
        _ request: ActivityPreview.Request,
        _ limits: ActivityLimits,
        now: WallTime,
        zone: String
    ) throws -> ActivityPreview.Reply {
        let count = request.count ?? 3
        guard (1...100).contains(count) else {
            throw Problem(
                "body.invalid",
                "A preview can show 1 to 100 intervals.",
                key: "body.invalid.a-preview-shows",
                field: "/count"
            )
        }
        let reading = try request.schedule.check(limits: limits.schedule, nowMs: now.ms, zone: zone)
        let intervals = request.schedule.preview(count: Int(count), fromMs: now.ms, zone: zone)
        return ActivityPreview.Reply(
            understood: reading.text,
            intervals: intervals.map { view(IntervalSpan($0), isOngoing: $0.startMs <= now.ms) },
            notes: notes(reading, [])
        )
    }
}
