/// How far a process on a virtual clock has come, so that whoever moves the clock knows when all is quiet.
package enum ClockStatus: Route {
    package typealias Request = Empty

    /// Where the process stands in a stream that it follows.
    package struct Cursor: WireBody, Codable, Equatable {
        package var source: String
        package var at: StreamPoint
        /// Whether nothing is being read, applied or tried again.
        package var isLive: Bool

        package enum CodingKeys: String, CodingKey {
            case source, at
            case isLive = "live"
        }

        package init(source: String, at: StreamPoint, isLive: Bool) {
            self.source = source
            self.at = at
            self.isLive = isLive
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var service: String
        package var pid: Int64
        /// How often the clock had been moved when this was said.
        package var generation: Int64
        package var wallMs: Int64
        package var bootMs: Int64
        /// Requests and replies that left.
        ///
        /// Over a whole quiet system it is as many as were handled; messages about the clock and about health do
        /// not count.
        package var sent: Int64
        /// Requests and replies that came.
        package var handled: Int64
        package var published: Int64
        package var heard: Int64
        /// Requests asked of others and not answered yet, and requests of others not answered yet.
        package var open: Int64
        /// What the database's thread has yet to do.
        package var jobs: Int64
        /// What the process does of its own accord: deliveries that run, things tried again soon.
        package var busy: Int64
        /// How often it has begun such a thing.
        package var begun: Int64
        /// When it wants to be woken; not later than now means that it is being woken.
        package var dueWallMs: Int64?
        package var dueBootMs: Int64?
        package var heads: [StreamPoint]
        package var cursors: [Cursor]

        package init(service: String, pid: Int64) {
            self.service = service
            self.pid = pid
            generation = 0
            wallMs = 0
            bootMs = 0
            sent = 0
            handled = 0
            published = 0
            heard = 0
            open = 0
            jobs = 0
            busy = 0
            begun = 0
            heads = []
            cursors = []
        }
    }

    package static let name = "clock.status"
    package static let kind = RouteKind.read
    package static let summary =
        "How far the service has come on its virtual clock, and when it wants to go on."
}

/// The virtual clock has been moved: the service wakes what has become due, and says how far it has come.
package enum ClockTurn: Route {
    package typealias Request = Empty
    package typealias Reply = ClockStatus.Reply

    package static let name = "clock.turn"
    package static let kind = RouteKind.read
    package static let summary = "The virtual clock stands somewhere else now: look at your alarms."
}
