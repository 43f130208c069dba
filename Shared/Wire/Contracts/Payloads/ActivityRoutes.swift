package import STDomain
package import STPlatform

/// An app, category or site whose usage an event counts.
package struct ActivityTarget: WireBody, Codable, Equatable {
    package var kind: TokenKind
    /// The canonical name, for built-in rules and commands.
    package var id: String?
    /// The opaque token of an app, in base64.
    package var token: String?

    package init(kind: TokenKind, id: String? = nil, token: String? = nil) {
        self.kind = kind
        self.id = id
        self.token = token
    }
}

/// The definition of an event: an amount of usage of the targets.
package struct ActivityEventSpec: WireBody, Codable, Equatable {
    package var name: String
    /// The targets. Empty means all activity.
    package var targets: [ActivityTarget]
    package var threshold: DateFields
    package var includesPastActivity: Bool
    /// The length of a rest. The event counts from the end of the last rest, not from the start of the interval. activity-center
    /// does not announce it during a film, a call, or anything that fills the screen.
    package var restMs: Int64?
    /// The way to count simultaneous usage on two machines. `nil` counts it on each machine.
    package var overlap: RuleOverlap?

    package init(
        name: String,
        targets: [ActivityTarget],
        threshold: DateFields,
        includesPastActivity: Bool,
        restMs: Int64? = nil,
        overlap: RuleOverlap? = nil
    ) {
        self.name = name
        self.targets = targets
        self.threshold = threshold
        self.includesPastActivity = includesPastActivity
        self.restMs = restMs
        self.overlap = overlap
    }
}

/// The key of a monitored activity: its app, member and name.
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

/// The time at which an app is called for an interval: immediately, or, as on a phone, at the first usage after it.
package enum ScheduleMode: String, WireEnum {
    case wallClock = "wall_clock"
    case firstUse = "first_use"
    case unknown
}

/// A fault that sometimes occurs on phones. Developers simulate it to test their app.
package enum PhoneFault: String, WireEnum {
    /// An event reaches its threshold when its interval begins.
    case earlyThresholds = "early-thresholds"
    /// Events that reach their thresholds within an hour are reported together at its end.
    case batchedThresholds = "batched-thresholds"
    /// An event that reached its threshold reaches it again when the next interval begins.
    case midnightThresholds = "midnight-thresholds"
    /// `intervalDidStart` is not called.
    case missedStart = "missed-start"
    /// From each midnight on, extensions receive different tokens from those that their app keeps.
    case changedTokens = "changed-tokens"
    /// `authorizationStatus` is not determined until the process itself requests authorization.
    case staleAuthorization = "stale-authorization"
    case unknown

    /// The faults that activity-center simulates.
    package static let ofCallbacks: [PhoneFault] = [
        .earlyThresholds, .batchedThresholds, .midnightThresholds, .missedStart,
    ]
}

/// A remark that is not an error, such as one about a second that a schedule does not monitor.
package struct ActivityNote: WireBody, Codable, Equatable {
    package var code: String
    package var text: Message

    package init(code: String, text: Message) {
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
        /// The mode. `nil` means the mode in the configuration.
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
    package static let summary =
        "Monitors an activity during a schedule. Replaces the app's earlier activity of the same name."
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
        "Stops monitoring the named activities of an app, or all of them if no name is given. "
        + "Ignores unknown names."
}

/// An interval in the time zone in which it was calculated.
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

/// A monitored activity.
package struct ActivityView: WireBody, Codable, Equatable {
    package var app: String
    package var member: String
    package var activity: String
    package var schedule: Schedule
    /// The events as the app defined them, including tokens.
    package var events: [ActivityEventSpec]
    package var mode: ScheduleMode
    /// The current interval, or else the next one. `nil` if there are no more intervals.
    package var interval: IntervalView?
    /// The meaning of the schedule as Screen Time interprets it, as a text.
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

package enum ActivityList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String?
        package var member: String?
        package var next: String?

        package init(app: String? = nil, member: String? = nil, next: String? = nil) {
            self.app = app
            self.member = member
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var activities: [ActivityView]
        package var next: String?

        package init(activities: [ActivityView], next: String? = nil) {
            self.activities = activities
            self.next = next
        }
    }

    package static let name = "activity.list"
    package static let kind = RouteKind.query
    package static let summary = "Lists the monitored activities of one app or of all apps."
}

package enum ActivityShow: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var activity: String

        package init(app: String, member: String? = nil, activity: String) {
            self.app = app
            self.member = member
            self.activity = activity
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var activity: ActivityView?

        package init(activity: ActivityView? = nil) {
            self.activity = activity
        }
    }

    package static let name = "activity.schedule"
    package static let kind = RouteKind.read
    package static let summary = "Returns one activity with its schedule."
}

package enum ActivityEvents: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        package var activity: String

        package init(app: String, member: String? = nil, activity: String) {
            self.app = app
            self.member = member
            self.activity = activity
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var events: [ActivityEventSpec]

        package init(events: [ActivityEventSpec]) {
            self.events = events
        }
    }

    package static let name = "activity.events"
    package static let kind = RouteKind.read
    package static let summary = "Returns the events of one activity."
}

package enum ActivityPreview: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var schedule: Schedule
        package var count: Int64?

        package init(schedule: Schedule, count: Int64? = nil) {
            self.schedule = schedule
            self.count = count
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var understood: String
        package var intervals: [IntervalView]
        package var notes: [ActivityNote]

        package init(understood: String, intervals: [IntervalView], notes: [ActivityNote]) {
            self.understood = understood
            self.intervals = intervals
            self.notes = notes
        }
    }

    package static let name = "activity.preview"
    package static let kind = RouteKind.read
    package static let summary =
        "Returns the meaning and the next intervals of a schedule, without monitoring it."
}

/// Announces that a person has deleted usage intervals. Services remove these intervals from the evidence that they keep.
package enum EvidenceForgotten: EventType {
    package struct Body: WireBody, Codable, Equatable {
        package var member: String
        /// The deleted intervals that evidence named.
        package var segments: [String]
        /// The start of a range that contains all deleted usage, for services whose data does not name intervals.
        package var fromWallMs: Int64?
        package var toWallMs: Int64?

        package init(
            member: String,
            segments: [String],
            fromWallMs: Int64? = nil,
            toWallMs: Int64? = nil
        ) {
            self.member = member
            self.segments = segments
            self.fromWallMs = fromWallMs
            self.toWallMs = toWallMs
        }
    }

    /// The maximum number of intervals in one event. More intervals need several events.
    package static let segmentsMax = 200

    package static let stream = StreamName.activity
    package static let type = "activity.evidence.forgotten"
    package static let summary =
        "Announces deleted usage intervals, which services remove from their evidence."
}

extension ActivityEvidence {
    /// Removes parts and adds their number to `more`. Returns the removed intervals.
    package mutating func forget(_ segments: Set<String>) -> Set<String> {
        let gone = parts.filter { segments.contains($0.segment) }
        parts.removeAll { segments.contains($0.segment) }
        more += Int64(gone.count)
        return Set(gone.map(\.segment))
    }
}
