/// Asks whether the service's own loop answers.
package enum HealthPing: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var service: String
        package var pid: Int64
        package var version: String
        package var uptimeMs: Int64
        /// `ready`, or why not.
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
    package static let summary = "Is the service's own loop answering?"
}

/// What `screentime status` shows of one service.
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
        /// The newest sequence this subscriber has heard of; less than what is stored means it is behind.
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
            routes: [RouteFigures]
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
        }
    }

    package static let name = "health.report"
    package static let kind = RouteKind.query
    package static let access: Access = [.owner, .root]
    package static let summary = "Memory, database, streams, cursors, counters and latencies of the service."
}

/// A copy of the service's database, made while it runs.
package enum DataBackup: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// An absolute path where no file stands yet.
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
