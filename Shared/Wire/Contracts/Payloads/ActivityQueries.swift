package import STDomain

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
