package import STPlatform

/// The kinds of occurrences that activity-center reports to an activity's app.
package enum ActivityOccasion: String, WireEnum {
    case intervalStarted = "interval_started"
    case intervalEnded = "interval_ended"
    case intervalWillStart = "interval_will_start"
    case intervalWillEnd = "interval_will_end"
    case thresholdReached = "threshold_reached"
    case thresholdWarning = "threshold_warning"
    /// Only for built-in rules: usage was withdrawn, so a threshold is no longer reached.
    case thresholdReturned = "threshold_returned"
    case unknown
}

/// The start and end of an interval, and the time zone in which they were calculated.
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

/// A usage interval of the ledger, or the part of it that counted.
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

/// The reason for an occurrence: the usage that was counted, and the rule that counted it.
package struct ActivityEvidence: WireBody, Codable, Equatable {
    /// The rule as a text.
    package var rule: Message
    package var countedMs: Int64?
    package var thresholdMs: Int64?
    package var warningMs: Int64?
    package var carriedMs: Int64?
    /// The latest intervals that counted. `more` is the number of the other ones.
    package var parts: [EvidencePart]
    package var more: Int64
    /// The reason for the time of the occurrence, if it is not obvious: a clock change, or the end of monitoring.
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

/// An occurrence in an activity, as activity-center reports it to the activity's app.
package struct ActivityOccurrence: WireBody, Codable, Equatable {
    package var app: String
    package var member: String
    package var activity: String
    package var event: String?
    package var occasion: ActivityOccasion
    /// The exact moment of the occurrence. A later commit does not change it.
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
    package static let summary = "An interval of an activity ended, or its monitoring was stopped."
}

package enum IntervalWillStart: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.interval.will_start"
    package static let summary = "Warns that an interval of an activity starts soon."
}

package enum IntervalWillEnd: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.interval.will_end"
    package static let summary = "Warns that an interval of an activity ends soon."
}

package enum ThresholdReached: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.threshold.reached"
    package static let summary = "The usage that an event counts reached the event's threshold."
}

package enum ThresholdWarning: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.threshold.warning"
    package static let summary = "The usage that an event counts will soon reach the event's threshold."
}

package enum ThresholdReturned: EventType {
    package typealias Body = ActivityOccurrence

    package static let stream = StreamName.activity
    package static let type = "activity.threshold.returned"
    package static let summary =
        "Counted usage was withdrawn, so a built-in rule's threshold is no longer reached."
}

/// The reason why an activity is no longer monitored.
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
    package static let summary = "The monitoring of an activity started."
}

package enum MonitoringStopped: EventType {
    package typealias Body = ActivityStopped

    package static let stream = StreamName.activity
    package static let type = "activity.monitoring.stopped"
    package static let summary = "The monitoring of an activity stopped."
}

/// A part of the usage in an interval, and the reason why it counted or did not count.
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

/// The progress of one event towards its threshold, and the usage that counted.
package struct ExplainEvent: WireBody, Codable, Equatable {
    package var event: String
    package var countedMs: Int64
    package var thresholdMs: Int64
    package var leftMs: Int64
    package var reached: Bool
    package var warned: Bool
    package var sinceWallMs: Int64
    package var since: String
    /// The part of `countedMs` that was used before a change of the clock or the time zone.
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
        "Returns the usage that counted towards each event, the usage that did not, and the reasons."
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

    /// The progress of a built-in rule. `nil` while its activity is not under way, and for rules that count nothing.
    package var ruleCount: ExplainEvent? {
        isOngoing ? events.first { $0.event == BuiltInRules.usedEvent } : nil
    }
}
