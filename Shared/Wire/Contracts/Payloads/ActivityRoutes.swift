package import STDomain
package import STPlatform

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

/// An event: an amount of use of these things.
package struct ActivityEventSpec: WireBody, Codable, Equatable {
    package var name: String
    /// Empty means all activity.
    package var targets: [ActivityTarget]
    package var threshold: DateFields
    package var includesPastActivity: Bool
    /// It counts from the last rest on, which is so long without use, and not from the start of the interval; and it is
    /// not announced in the middle of a film, a call, or anything that fills the screen.
    package var restMs: Int64?
    /// How time on two machines at once counts; absent: on each of them.
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

/// When the app hears of an interval: at the moment itself, or as on a phone at the first use after it.
package enum ScheduleMode: String, WireEnum {
    case wallClock = "wall_clock"
    case firstUse = "first_use"
    case unknown
}

/// What phones are known to do wrong at times; a developer chooses it to see what their app makes of it.
package enum PhoneFault: String, WireEnum {
    /// An event reaches its threshold as its interval begins.
    case earlyThresholds = "early-thresholds"
    /// Events that reach their thresholds within an hour do so together when it is over.
    case batchedThresholds = "batched-thresholds"
    /// What reached its threshold does so again when the next interval begins.
    case midnightThresholds = "midnight-thresholds"
    /// `intervalDidStart` is not called.
    case missedStart = "missed-start"
    /// From each midnight on, extensions get other tokens than those that their app keeps.
    case changedTokens = "changed-tokens"
    /// `authorizationStatus` is not determined until the process itself asks.
    case staleAuthorization = "stale-authorization"
    case unknown

    /// Those that activity-center plays.
    package static let ofCallbacks: [PhoneFault] = [
        .earlyThresholds, .batchedThresholds, .midnightThresholds, .missedStart,
    ]
}

/// Something worth knowing that is no error, such as a second that a schedule leaves unwatched.
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
    package static let summary = "The activities watched, of one app or of all."
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
    package static let summary = "The schedule of one activity."
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
    package static let summary = "The events of one activity."
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
    package static let summary = "What a schedule means, without watching it."
}

/// Stretches of time that their person has deleted: a service that keeps evidence naming them takes them out of it.
package enum EvidenceForgotten: EventType {
    package struct Body: WireBody, Codable, Equatable {
        package var member: String
        /// Those that evidence named.
        package var segments: [String]
        /// All that was deleted lies between these, for services that keep something of that time without naming stretches.
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

    /// In one event; more come in several.
    package static let segmentsMax = 200

    package static let stream = StreamName.activity
    package static let type = "activity.evidence.forgotten"
    package static let summary = "These stretches were deleted, so they are no longer evidence of anything."
}

extension ActivityEvidence {
    /// Takes parts out and only counts them; says which.
    package mutating func forget(_ segments: Set<String>) -> Set<String> {
        let gone = parts.filter { segments.contains($0.segment) }
        parts.removeAll { segments.contains($0.segment) }
        more += Int64(gone.count)
        return Set(gone.map(\.segment))
    }
}
