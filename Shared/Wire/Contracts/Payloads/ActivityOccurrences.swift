/// What there is to tell an app about an activity.
package enum ActivityOccasion: String, WireEnum {
    case intervalStarted = "interval_started"
    case intervalEnded = "interval_ended"
    case intervalWillStart = "interval_will_start"
    case intervalWillEnd = "interval_will_end"
    case thresholdReached = "threshold_reached"
    case thresholdWarning = "threshold_warning"
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

/// Why something is told: what was counted, by which rule.
package struct ActivityEvidence: WireBody, Codable, Equatable {
    /// The rule in words.
    package var rule: String
    package var countedMs: Int64?
    package var thresholdMs: Int64?
    package var warningMs: Int64?
    package var carriedMs: Int64?
    /// The latest ones; `more` says how many others there are.
    package var parts: [EvidencePart]
    package var more: Int64
    /// Why it is told now, when that is not plain: a stepped clock, monitoring that ended.
    package var note: String?

    package init(
        rule: String,
        countedMs: Int64? = nil,
        thresholdMs: Int64? = nil,
        warningMs: Int64? = nil,
        carriedMs: Int64? = nil,
        parts: [EvidencePart],
        more: Int64,
        note: String? = nil
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

/// Something an app is told about an activity.
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
    package static let summary = "An activity is watched no more."
}
