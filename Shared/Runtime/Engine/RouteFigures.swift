import STPlatform

/// How often a route was answered, and how fast, from receipt to reply.
struct RouteFigures: Sendable {
    var histogram = LatencyHistogram()
    var errors: Int64 = 0
}
