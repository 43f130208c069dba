package import STPlatform

/// Checks that the service's own loop responds.
package enum HealthPing: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var service: String
        package var pid: Int64
        package var version: String
        package var uptimeMs: Int64
        /// `ready`, or the reason why the service is not ready.
        package var state: String

        package init(service: String, pid: Int64, version: String, uptimeMs: Int64, state: String) {
            self.service = service
            self.pid = pid
            self.version = version
            self.uptimeMs = uptimeMs
            self.state = state
        }
    }

    package static let name = "health.ping"
    package static let kind = RouteKind.read
    package static let access: Access = [.owner, .root]
    package static let summary = "Checks that the service's own loop responds."
}

/// Returns the state of one service for `screentime status`.
package enum HealthReport: Route {
    package typealias Request = Empty

    package struct Stream: WireBody, Codable, Equatable {
        package var stream: String
        package var epoch: String
        package var sequence: Int64

        package init(stream: String, epoch: String, sequence: Int64) {
            self.stream = stream
            self.epoch = epoch
            self.sequence = sequence
        }
    }

    package struct Cursor: WireBody, Codable, Equatable {
        package var source: String
        package var stream: String
        package var sequence: Int64
        /// The newest sequence number that this subscriber has received. If it is greater than `sequence`, the subscriber is
        /// behind.
        package var headSeen: Int64
        package var state: String

        package init(source: String, stream: String, sequence: Int64, headSeen: Int64, state: String) {
            self.source = source
            self.stream = stream
            self.sequence = sequence
            self.headSeen = headSeen
            self.state = state
        }
    }

    package struct RouteFigures: WireBody, Codable, Equatable {
        package var route: String
        package var count: Int64
        package var errors: Int64
        package var p50Us: Int64
        package var p99Us: Int64

        package init(route: String, count: Int64, errors: Int64, p50Us: Int64, p99Us: Int64) {
            self.route = route
            self.count = count
            self.errors = errors
            self.p50Us = p50Us
            self.p99Us = p99Us
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var service: String
        package var pid: Int64
        package var version: String
        package var uptimeMs: Int64
        package var state: String
        package var pssKib: Int64
        package var databaseBytes: Int64
        package var streams: [Stream]
        package var cursors: [Cursor]
        package var counters: [String: Int64]
        package var routes: [RouteFigures]
        /// The time by which the machine's clock is ahead of Screen Time's clock. `nil` while they agree.
        package var clockAsideMs: Int64?
        /// The reason why the service serves no other requests.
        package var problem: Problem?

        package init(
            service: String,
            pid: Int64,
            version: String,
            uptimeMs: Int64,
            state: String,
            pssKib: Int64,
            databaseBytes: Int64,
            streams: [Stream],
            cursors: [Cursor],
            counters: [String: Int64],
            routes: [RouteFigures],
            clockAsideMs: Int64? = nil,
            problem: Problem? = nil
        ) {
            self.service = service
            self.pid = pid
            self.version = version
            self.uptimeMs = uptimeMs
            self.state = state
            self.pssKib = pssKib
            self.databaseBytes = databaseBytes
            self.streams = streams
            self.cursors = cursors
            self.counters = counters
            self.routes = routes
            self.clockAsideMs = clockAsideMs
            self.problem = problem
        }
    }

    package static let name = "health.report"
    package static let kind = RouteKind.query
    package static let access: Access = [.owner, .root]
    package static let summary =
        "Returns the memory, database, streams, cursors, counters and latencies of the service."
}

/// Copies the service's database while the service runs.
package enum DataBackup: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The absolute path of the copy. No file may exist there.
        package var path: String

        package init(path: String) { self.path = path }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var path: String
        package var bytes: Int64

        package init(path: String, bytes: Int64) {
            self.path = path
            self.bytes = bytes
        }
    }

    package static let name = "data.backup"
    package static let kind = RouteKind.query
    package static let summary = "Writes a consistent copy of the database to a new file."
}

/// Reads the whole database from the disk and checks its structure.
package enum DataCheck: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        /// The damage that was found. `nil` if the file is intact.
        package var damage: Message?

        package init(damage: Message? = nil) { self.damage = damage }
    }

    package static let name = "data.check"
    package static let kind = RouteKind.query
    package static let summary = "Reads the whole database from the disk and checks its structure."
}

/// Returns the progress of a process on a virtual clock. The simulator moves the clock when all processes are quiet.
package enum ClockStatus: Route {
    package typealias Request = Empty

    /// The position of the process in a stream that it follows.
    package struct Cursor: WireBody, Codable, Equatable {
        package var source: String
        package var at: StreamPoint
        /// True if nothing is being read, applied or retried.
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
        /// The number of times that the clock had been moved before this reply.
        package var generation: Int64
        package var wallMs: Int64
        package var bootMs: Int64
        /// The number of requests and replies that were sent.
        ///
        /// In a whole quiet system, the sums of `sent` and `handled` are equal. Messages about the clock and about health do not
        /// count.
        package var sent: Int64
        /// The number of requests and replies that were received.
        package var handled: Int64
        package var published: Int64
        package var heard: Int64
        /// The number of requests to and from other processes that are not answered yet.
        package var open: Int64
        /// The routes of these requests. Those that were sent to another service begin with `>`.
        package var openRoutes: [String]?
        /// The number of jobs that the database's thread has not finished yet.
        package var jobs: Int64
        /// The number of tasks that the process runs on its own, such as deliveries and imminent retries.
        package var busy: Int64
        /// The number of such tasks that have begun.
        package var begun: Int64
        /// The wall-clock time at which the process must be woken. If it is not later than now, the process is being woken.
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
        "Returns the service's progress on its virtual clock, and the time at which it must be woken."
}

/// Reports that the virtual clock has moved. The service wakes everything that is due, and returns its progress.
package enum ClockTurn: Route {
    package typealias Request = Empty
    package typealias Reply = ClockStatus.Reply

    package static let name = "clock.turn"
    package static let kind = RouteKind.read
    package static let summary =
        "Reports that the virtual clock has moved, so that the service wakes everything that is due."
}

/// Returns the routes and events of a service, with schemas.
package enum BusDescribe: Route {
    package typealias Request = Empty

    package struct RouteDescription: WireBody, Codable, Equatable {
        package var name: String
        package var kind: String
        package var access: [String]
        package var summary: String
        package var request: JSONValue
        package var reply: JSONValue

        package init(_ info: RouteInfo) {
            name = info.name
            kind = info.kind.rawValue
            access = info.access.names
            summary = info.summary
            request = info.requestSchema()
            reply = info.replySchema()
        }
    }

    package struct EventDescription: WireBody, Codable, Equatable {
        package var stream: String
        package var type: String
        package var version: Int64
        package var summary: String
        package var body: JSONValue

        package init(_ info: EventInfo) {
            stream = info.stream.rawValue
            type = info.type
            version = info.schemaVersion
            summary = info.summary
            body = info.bodySchema()
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var service: String
        package var version: String
        package var note: String
        package var routes: [RouteDescription]
        package var events: [EventDescription]

        package init(service: ServiceName, routes: [RouteInfo], events: [EventInfo]) {
            self.service = service.rawValue
            version = Version.text
            note = Self.lossNote
            self.routes = routes.map(RouteDescription.init)
            self.events = events.map(EventDescription.init)
        }

        package static let lossNote =
            "A raw SUB socket misses events that are published while it is disconnected or slow. "
            + "To miss none, store the epoch, sequence and id of the last event, and request events.since."
    }

    package static let name = "bus.describe"
    package static let kind = RouteKind.read
    package static let access: Access = [.owner, .root]
    package static let summary = "Returns the routes and events of this service, with JSON Schema 2020-12."
}
