package import STDomain

/// What an event counts.
package struct ActivityTarget: WireBody, Codable, Equatable {
    package var kind: TokenKind
    /// The canonical name, for our own rules and commands.
    package var id: String?
    /// What an app has: opaque, base64.
    package var token: String?

    package init(kind: TokenKind, id: String? = nil, token: String? = nil) {
        self.kind = kind
        self.id = id
        self.token = token
    }
}

/// An event: so much use of these things.
package struct ActivityEventSpec: WireBody, Codable, Equatable {
    package var name: String
    /// Empty means all activity.
    package var targets: [ActivityTarget]
    package var threshold: DateFields
    package var includesPastActivity: Bool

    package init(name: String, targets: [ActivityTarget], threshold: DateFields, includesPastActivity: Bool) {
        self.name = name
        self.targets = targets
        self.threshold = threshold
        self.includesPastActivity = includesPastActivity
    }
}

/// A monitored activity, by whose and its name.
package struct ActivityKey: WireBody, Codable, Equatable, Hashable {
    package var app: String
    package var member: String
    package var activity: String

    package init(app: String, member: String, activity: String) {
        self.app = app
        self.member = member
        self.activity = activity
    }
}

/// When an interval is told of: at the moment itself, or as a phone does at the first use after it.
package enum ScheduleMode: String, WireEnum {
    case wallClock = "wall_clock"
    case firstUse = "first_use"
    case unknown
}

/// Something worth knowing that is no error, such as a second that a schedule leaves unwatched.
package struct ActivityNote: WireBody, Codable, Equatable {
    package var code: String
    package var text: String

    package init(code: String, text: String) {
        self.code = code
        self.text = text
    }
}

package enum ActivityStart: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var activity: String
        package var schedule: Schedule
        package var events: [ActivityEventSpec]
        /// Nil is what the configuration says.
        package var mode: ScheduleMode?

        package init(
            app: String,
            member: String? = nil,
            activity: String,
            schedule: Schedule,
            events: [ActivityEventSpec],
            mode: ScheduleMode? = nil
        ) {
            self.app = app
            self.member = member
            self.activity = activity
            self.schedule = schedule
            self.events = events
            self.mode = mode
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var activity: ActivityView
        package var notes: [ActivityNote]

        package init(activity: ActivityView, notes: [ActivityNote]) {
            self.activity = activity
            self.notes = notes
        }
    }

    package static let name = "activity.start"
    package static let kind = RouteKind.write
    package static let summary = "Watches during a schedule; the same name again replaces what was watched."
}

package enum ActivityStop: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var activities: [String]

        package init(app: String, member: String? = nil, activities: [String]) {
            self.app = app
            self.member = member
            self.activities = activities
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var stopped: [String]

        package init(stopped: [String]) {
            self.stopped = stopped
        }
    }

    package static let name = "activity.stop"
    package static let kind = RouteKind.write
    package static let summary =
        "Stops watching; no names means all of the app. Names not watched are ignored."
}

/// One interval, in the zone it was cut in.
package struct IntervalView: WireBody, Codable, Equatable {
    package var start: String
    package var end: String
    package var startWallMs: Int64
    package var endWallMs: Int64
    package var zone: String
    package var isOngoing: Bool

    package init(
        start: String,
        end: String,
        startWallMs: Int64,
        endWallMs: Int64,
        zone: String,
        isOngoing: Bool
    ) {
        self.start = start
        self.end = end
        self.startWallMs = startWallMs
        self.endWallMs = endWallMs
        self.zone = zone
        self.isOngoing = isOngoing
    }
}

/// An activity that is watched.
package struct ActivityView: WireBody, Codable, Equatable {
    package var app: String
    package var member: String
    package var activity: String
    package var schedule: Schedule
    /// As they were given, tokens included.
    package var events: [ActivityEventSpec]
    package var mode: ScheduleMode
    /// The ongoing one, else the next; nil when there is none any more.
    package var interval: IntervalView?
    /// What the schedule was taken to mean, in words.
    package var understood: String

    package init(
        app: String,
        member: String,
        activity: String,
        schedule: Schedule,
        events: [ActivityEventSpec],
        mode: ScheduleMode,
        interval: IntervalView? = nil,
        understood: String
    ) {
        self.app = app
        self.member = member
        self.activity = activity
        self.schedule = schedule
        self.events = events
        self.mode = mode
        self.interval = interval
        self.understood = understood
    }
}
