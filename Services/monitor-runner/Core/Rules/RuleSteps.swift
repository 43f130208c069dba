package import STContracts
package import STPlatform

// Steps that the service takes by itself. Nobody may call them over the bus: they have no role at all.

/// What is to be asked of activity-center next, so that it watches what the rules need.
package enum RuleWatchNext: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var start: ActivityStart.Request?
        package var key: String?
        package var stop: ActivityStop.Request?
    }

    package static let name = "rule.watch.next"
    package static let kind = RouteKind.read
    package static let access: Access = []
    package static let summary = "The next thing to start or stop watching."
}

package enum RuleWatchDone: Route {
    package struct Request: WireBody, Codable {
        package var start: ActivityStart.Request?
        package var stop: ActivityStop.Request?
        /// Why activity-center refused it for good.
        package var problem: Problem?

        package init(
            start: ActivityStart.Request? = nil,
            stop: ActivityStop.Request? = nil,
            problem: Problem? = nil
        ) {
            self.start = start
            self.stop = stop
            self.problem = problem
        }
    }

    package typealias Reply = Empty

    package static let name = "rule.watch.done"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Writes down what activity-center answered."
}

package enum RuleWatchCompare: Route {
    package struct Request: WireBody, Codable {
        package var actual: [ActivityView]

        package init(actual: [ActivityView]) { self.actual = actual }
    }

    package typealias Reply = Empty

    package static let name = "rule.watch.compare"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Compares what is watched with what should be."
}

package enum RuleDeliver: Route {
    package struct Request: WireBody, Codable {
        package var delivery: String
        package var occurrence: ActivityOccurrence

        package init(delivery: String, occurrence: ActivityOccurrence) {
            self.delivery = delivery
            self.occurrence = occurrence
        }
    }

    package struct Reply: WireBody, Codable {
        package var posts: [NotifyPost.Request]
        /// What the callback puts up or takes down.
        package var shields: [RuleShieldAsk]
    }

    package static let name = "rule.deliver"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "What a rule does at a callback; asked again it answers the same."
}

package enum RuleHeldNext: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable {
        package var rule: String?
        package var post: NotifyPost.Request?
        /// Whether it is still worth telling.
        package var isCurrent: Bool
        /// When the next pause ends that something waits for.
        package var nextWallMs: Int64?
    }

    package static let name = "rule.held.next"
    package static let kind = RouteKind.read
    package static let access: Access = []
    package static let summary = "What happened in a pause that is over."
}

package enum RuleHeldDone: Route {
    package struct Request: WireBody, Codable {
        package var rule: String
        package var id: String

        package init(rule: String, id: String) {
            self.rule = rule
            self.id = id
        }
    }

    package typealias Reply = Empty

    package static let name = "rule.held.done"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Lets go of what was told after a pause."
}

/// Something that activity-center says goes on.
package struct RuleUnderWay: WireBody, Codable, Equatable {
    package var member: String
    package var activity: String
    package var interval: IntervalSpan
    /// So much of the rule's use had been reached by now; nil when it is not.
    package var reachedMs: Int64?

    package init(member: String, activity: String, interval: IntervalSpan, reachedMs: Int64? = nil) {
        self.member = member
        self.activity = activity
        self.interval = interval
        self.reachedMs = reachedMs
    }
}

package enum RuleOpen: Route {
    package struct Request: WireBody, Codable {
        package var underWay: [RuleUnderWay]

        package init(underWay: [RuleUnderWay]) { self.underWay = underWay }
    }

    package typealias Reply = Empty

    package static let name = "rule.open"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Takes up what goes on and was never told, as far as anybody here knows."
}
