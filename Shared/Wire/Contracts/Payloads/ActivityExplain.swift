/// A part of the use in an interval, counted or not, and why.
package struct ExplainPart: WireBody, Codable, Equatable {
    /// An app, or an app and the site open in it.
    package var item: String
    package var ms: Int64
    package var counted: Bool
    package var because: String

    package init(item: String, ms: Int64, counted: Bool, because: String) {
        self.item = item
        self.ms = ms
        self.counted = counted
        self.because = because
    }
}

/// How near one event is, and what has counted.
package struct ExplainEvent: WireBody, Codable, Equatable {
    package var event: String
    package var countedMs: Int64
    package var thresholdMs: Int64
    package var leftMs: Int64
    package var reached: Bool
    package var warned: Bool
    package var sinceWallMs: Int64
    package var since: String
    /// Of it, carried over a stepped clock.
    package var carriedMs: Int64
    package var parts: [ExplainPart]
    package var nextCrossingBootMs: Int64?

    package init(
        event: String,
        countedMs: Int64,
        thresholdMs: Int64,
        leftMs: Int64,
        reached: Bool,
        warned: Bool,
        sinceWallMs: Int64,
        since: String,
        carriedMs: Int64,
        parts: [ExplainPart],
        nextCrossingBootMs: Int64? = nil
    ) {
        self.event = event
        self.countedMs = countedMs
        self.thresholdMs = thresholdMs
        self.leftMs = leftMs
        self.reached = reached
        self.warned = warned
        self.sinceWallMs = sinceWallMs
        self.since = since
        self.carriedMs = carriedMs
        self.parts = parts
        self.nextCrossingBootMs = nextCrossingBootMs
    }
}

package enum ActivityExplain: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String?
        package var member: String?
        package var activity: String?
        package var next: String?

        package init(
            app: String? = nil,
            member: String? = nil,
            activity: String? = nil,
            next: String? = nil
        ) {
            self.app = app
            self.member = member
            self.activity = activity
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var activities: [ExplainedActivity]
        package var next: String?

        package init(activities: [ExplainedActivity], next: String? = nil) {
            self.activities = activities
            self.next = next
        }
    }

    package static let name = "activity.explain"
    package static let kind = RouteKind.query
    package static let summary =
        "What has counted towards each event so far, and what has not, with the reason."
}

package struct ExplainedActivity: WireBody, Codable, Equatable {
    package var activity: ActivityView
    package var isOngoing: Bool
    package var events: [ExplainEvent]

    package init(activity: ActivityView, isOngoing: Bool, events: [ExplainEvent]) {
        self.activity = activity
        self.isOngoing = isOngoing
        self.events = events
    }
}
