package import STPlatform

/// The state of a callback's delivery. A waiting delivery is retried soon.
package enum DeliveryState: String, WireEnum {
    case queued
    case running
    case waiting
    case done
    case parked
    case unknown

    package var label: Message {
        switch self {
        case .queued: Message("delivery.state-queued", "queued")
        case .running: Message("delivery.state-running", "running")
        case .waiting: Message("delivery.state-waiting", "waiting")
        case .done: Message("delivery.state-done", "done")
        case .parked: Message("delivery.state-parked", "parked")
        case .unknown: Message("delivery.state-unknown", "unknown")
        }
    }
}

/// One callback to an extension and the state of its delivery.
package struct DeliveryView: WireBody, Codable, Equatable {
    /// The short name, such as D18.
    package var delivery: String
    /// The id of the delivered event.
    package var id: String
    package var app: String
    package var member: String
    /// Apple's name of the callback.
    package var method: String
    package var activity: String
    package var event: String?
    package var dueWallMs: Int64
    package var state: DeliveryState
    package var attempt: Int64
    /// The code of the problem, if the delivery failed.
    package var reason: String?
    /// The problem as a sentence.
    package var message: Message?
    /// The measured value, such as 21.4 MB of 6 MB.
    package var figure: String?
    package var lastOutput: [String]
    package var queuedAt: String
    package var finishedAt: String?
    package var tookMs: Int64?
    /// The maximum private memory that was observed during the call.
    package var privateKib: Int64?

    package init(
        delivery: String,
        id: String,
        app: String,
        member: String,
        method: String,
        activity: String,
        event: String? = nil,
        dueWallMs: Int64,
        state: DeliveryState,
        attempt: Int64,
        reason: String? = nil,
        message: Message? = nil,
        figure: String? = nil,
        lastOutput: [String],
        queuedAt: String,
        finishedAt: String? = nil,
        tookMs: Int64? = nil,
        privateKib: Int64? = nil
    ) {
        self.delivery = delivery
        self.id = id
        self.app = app
        self.member = member
        self.method = method
        self.activity = activity
        self.event = event
        self.dueWallMs = dueWallMs
        self.state = state
        self.attempt = attempt
        self.reason = reason
        self.message = message
        self.figure = figure
        self.lastOutput = lastOutput
        self.queuedAt = queuedAt
        self.finishedAt = finishedAt
        self.tookMs = tookMs
        self.privateKib = privateKib
    }
}

package enum MonitorDeliveries: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String?
        package var state: DeliveryState?
        package var next: String?
        package var limit: Int64?

        package init(
            app: String? = nil,
            state: DeliveryState? = nil,
            next: String? = nil,
            limit: Int64? = nil
        ) {
            self.app = app
            self.state = state
            self.next = next
            self.limit = limit
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var deliveries: [DeliveryView]
        package var next: String?

        package init(deliveries: [DeliveryView], next: String? = nil) {
            self.deliveries = deliveries
            self.next = next
        }
    }

    package static let name = "monitor.deliveries"
    package static let kind = RouteKind.query
    package static let summary =
        "Lists callbacks to extensions and the state of their delivery, newest first."
}

package enum MonitorRetry: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var delivery: String

        package init(delivery: String) {
            self.delivery = delivery
        }
    }

    package typealias Reply = DeliveryView

    package static let name = "monitor.retry"
    package static let kind = RouteKind.write
    package static let summary = "Queues a parked callback for delivery again, with the same id."
}

/// A line that an extension wrote, or that its host wrote about it.
package struct AppLogLine: WireBody, Codable, Equatable {
    package var row: Int64
    package var at: String
    package var wallMs: Int64
    package var app: String
    package var delivery: String?
    package var attempt: Int64?
    package var level: String
    /// `print`, `stderr`, `logger`, or `host`.
    package var source: String
    /// For a `Logger`: its subsystem and category, separated by a colon.
    package var category: String?
    package var text: String

    package init(
        row: Int64,
        at: String,
        wallMs: Int64,
        app: String,
        delivery: String? = nil,
        attempt: Int64? = nil,
        level: String,
        source: String,
        category: String? = nil,
        text: String
    ) {
        self.row = row
        self.at = at
        self.wallMs = wallMs
        self.app = app
        self.delivery = delivery
        self.attempt = attempt
        self.level = level
        self.source = source
        self.category = category
        self.text = text
    }
}

package enum MonitorLog: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var next: String?
        package var limit: Int64?
        /// The number of lines before the end at which the reply begins.
        package var fromEnd: Int64?

        package init(app: String, next: String? = nil, limit: Int64? = nil, fromEnd: Int64? = nil) {
            self.app = app
            self.next = next
            self.limit = limit
            self.fromEnd = fromEnd
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var lines: [AppLogLine]
        /// The position from which to request later lines.
        package var next: String
        package var more: Bool

        package init(lines: [AppLogLine], next: String, more: Bool) {
            self.lines = lines
            self.next = next
            self.more = more
        }
    }

    package static let name = "monitor.log"
    package static let kind = RouteKind.query
    package static let summary = "Returns log lines of an app's monitor extension, oldest first."
}

package enum MonitorDebug: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var on: Bool

        package init(app: String, on: Bool) {
            self.app = app
            self.on = on
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var app: String
        package var on: Bool
        package var pid: Int64?

        package init(app: String, on: Bool, pid: Int64? = nil) {
            self.app = app
            self.on = on
            self.pid = pid
        }
    }

    package static let name = "monitor.debug"
    package static let kind = RouteKind.write
    package static let summary =
        "Turns debugging of an app's monitor extension on or off. "
        + "The extension starts in a stopped state, and a repeated request returns its process id."
}

package enum MonitorDelivery: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var id: String

        package init(id: String) {
            self.id = id
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var delivery: DeliveryView
        package var occurrence: ActivityOccurrence

        package init(delivery: DeliveryView, occurrence: ActivityOccurrence) {
            self.delivery = delivery
            self.occurrence = occurrence
        }
    }

    package static let name = "monitor.delivery"
    package static let kind = RouteKind.query
    package static let summary =
        "Returns one callback and its cause, by the callback's short name or the id of its event."
}

package enum DeliveryChanged: EventType {
    package typealias Body = DeliveryView

    package static let stream = StreamName.delivery
    package static let type = "delivery.changed"
    package static let summary = "The state of a callback's delivery changed."
}
