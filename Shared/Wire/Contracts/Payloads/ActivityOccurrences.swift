package import STPlatform

/// What there is to tell an app about an activity.
package enum ActivityOccasion: String, WireEnum {
    case intervalStarted = "interval_started"
    case intervalEnded = "interval_ended"
    case intervalWillStart = "interval_will_start"
    case intervalWillEnd = "interval_will_end"
    case thresholdReached = "threshold_reached"
    case thresholdWarning = "threshold_warning"
    /// Of built-in rules: use was taken back, so that what was reached is not reached any more.
    case thresholdReturned = "threshold_returned"
    case unknown
}

/// An interval by its instants and the zone it was cut in.
package struct IntervalSpan: WireBody, Codable, Equatable {
    package var startWallMs: Int64
    package var endWallMs: Int64
    package var zone: String

    package init(startWallMs: Int64, endWallMs: Int64, zone: String) {
        self.startWallMs = startWallMs
        self.endWallMs = endWallMs
        self.zone = zone
    }
}

/// A stretch of the ledger, or as much of it as counted.
package struct EvidencePart: WireBody, Codable, Equatable {
    package var segment: String
    package var app: String?
    package var domain: String?
    package var category: String?
    package var startWallMs: Int64
    package var ms: Int64

    package init(
        segment: String,
        app: String? = nil,
        domain: String? = nil,
        category: String? = nil,
        startWallMs: Int64,
        ms: Int64
    ) {
        self.segment = segment
        self.app = app
        self.domain = domain
        self.category = category
        self.startWallMs = startWallMs
        self.ms = ms
    }
}

/// Why an occurrence was sent: what was counted, by which rule.
package struct ActivityEvidence: WireBody, Codable, Equatable {
    /// The rule in words.
    package var rule: Message
    package var countedMs: Int64?
    package var thresholdMs: Int64?
    package var warningMs: Int64?
    package var carriedMs: Int64?
    /// The latest ones; `more` says how many others there are.
    package var parts: [EvidencePart]
    package var more: Int64
    /// Why it is sent now, when that is not plain: a stepped clock, monitoring that ended.
    package var note: Message?

    package init(
        rule: Message,
        countedMs: Int64? = nil,
        thresholdMs: Int64? = nil,
        warningMs: Int64? = nil,
        carriedMs: Int64? = nil,
        parts: [EvidencePart],
        more: Int64,
        note: Message? = nil
    ) {
        self.rule = rule
        self.countedMs = countedMs
        self.thresholdMs = thresholdMs
        self.warningMs = warningMs
        self.carriedMs = carriedMs
        self.parts = parts
        self.more = more
        self.note = note
    }
}

/// An occurrence in an activity that its app hears of.
package struct ActivityOccurrence: WireBody, Codable, Equatable {
    package var app: String
    package var member: String
    package var activity: String
    package var event: String?
    package var occasion: ActivityOccasion
    /// The exact moment it is about; what is committed later is never told as later.
    package var dueWallMs: Int64
    package var dueBootMs: Int64?
    package var interval: IntervalSpan
    package var evidence: ActivityEvidence

    package init(
        app: String,
        member: String,
        activity: String,
        event: String? = nil,
        occasion: ActivityOccasion,
        dueWallMs: Int64,
        dueBootMs: Int64? = nil,
        interval: IntervalSpan,
        evidence: ActivityEvidence
    ) {
        self.app = app
        self.member = member
        self.activity = activity
        self.event = event
        self.occasion = occasion
        self.dueWallMs = dueWallMs
        self.dueBootMs = dueBootMs
        self.interval = interval
        self.evidence = evidence
    }
}

package enum IntervalStarted: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.interval.started"
    package static let summary = "An interval of an activity has begun."
}

package enum IntervalEnded: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.interval.ended"
    package static let summary = "An interval is over, or its monitoring was stopped."
}

package enum IntervalWillStart: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.interval.will_start"
    package static let summary = "An interval begins soon: the warning that was asked for."
}

package enum IntervalWillEnd: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.interval.will_end"
    package static let summary = "An interval ends soon: the warning that was asked for."
}

package enum ThresholdReached: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.threshold.reached"
    package static let summary = "The use that an event counts has reached its threshold."
}

package enum ThresholdWarning: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.threshold.warning"
    package static let summary = "The use that an event counts will soon reach its threshold."
}

package enum ThresholdReturned: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.threshold.returned"
    package static let summary = "Usage was withdrawn, and a rule that it had used up blocks nothing again."
}

/// Why something is watched no more.
package enum StopReason: String, WireEnum {
    case asked
    case replaced
    case ended
    case revoked
    case removed
    case unknown
}

package struct ActivityStarted: WireBody, Codable, Equatable {
    package var activity: ActivityView

    package init(activity: ActivityView) {
        self.activity = activity
    }
}

package struct ActivityStopped: WireBody, Codable, Equatable {
    package var app: String
    package var member: String
    package var activity: String
    package var reason: StopReason

    package init(app: String, member: String, activity: String, reason: StopReason) {
        self.app = app
        self.member = member
        self.activity = activity
        self.reason = reason
    }
}

package enum MonitoringStarted: EventType {
    package typealias Body = ActivityStarted

    package static let stream = StreamName.activity
    package static let type = "activity.monitoring.started"
    package static let summary = "An activity is watched from now on."
}

package enum MonitoringStopped: EventType {
    package typealias Body = ActivityStopped

    package static let stream = StreamName.activity
    package static let type = "activity.monitoring.stopped"
    package static let summary = "An activity is no longer watched."
}

/// A part of the use in an interval, counted or not, and why.
package struct ExplainPart: WireBody, Codable, Equatable {
    /// An app, or an app and the site open in it.
    package var item: String
    package var ms: Int64
    package var counted: Bool
    package var because: Message

    package init(item: String, ms: Int64, counted: Bool, because: Message) {
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

    /// What a built-in rule counts now; nil while its activity is not under way, and for one that counts nothing.
    package var ruleCount: ExplainEvent? {
        isOngoing ? events.first { $0.event == BuiltInRules.usedEvent } : nil
    }
}
