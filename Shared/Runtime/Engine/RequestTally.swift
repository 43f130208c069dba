import STBus
import STPlatform
import STWire

/// The numbers of received requests and sent replies, without those about clocks and health.
struct RequestTally {
    var received: Int64 = 0
    var answered: Int64 = 0
    var published: Int64 = 0
    /// The number of unanswered requests of each route.
    var open: [String: Int] = [:]

    mutating func received(_ request: AdmittedRequest) {
        guard BusTraffic.counts(request.header.route) else { return }
        received += 1
        open[request.header.route, default: 0] += 1
    }

    mutating func answered(_ request: AdmittedRequest) {
        guard BusTraffic.counts(request.header.route) else { return }
        answered += 1
        open[request.header.route, default: 0] -= 1
    }

    /// Counts a request that was refused on receipt.
    mutating func refused(_ route: String?) {
        guard BusTraffic.counts(route ?? "") else { return }
        received += 1
        answered += 1
    }
}

/// The number of replies of a route, and their latencies from receipt to reply.
struct RouteFigures: Sendable {
    var histogram = LatencyHistogram()
    var errors: Int64 = 0
}
