import STContracts

/// What was acknowledged while the service was killed again and again.
struct Acknowledged: Sendable {
    struct Store: Sendable {
        var address: StoreAddress
        /// Sets and clears.
        var changes: Int64 = 0
        var clears = 0
        var settings: [String: JSONValue] = [:]
    }

    struct Press: Sendable {
        var shield: String
        var number: Int64
        var reply: ShieldPress.Reply
    }

    var stores: [Store] = []
    /// Every list of what is always allowed, in order.
    var allowed: [[TokenItem]] = []
    /// Requests for more time and how each of them stood at the end.
    var requests: [String: RequestState] = [:]
    var shields: [String] = []
    var presses: [Press] = []
    /// Answers that did not come, so that the same was asked again.
    var repeats = 0

    mutating func add(_ other: Acknowledged) {
        stores += other.stores
        allowed += other.allowed
        requests.merge(other.requests) { $1 }
        shields += other.shields
        presses += other.presses
        repeats += other.repeats
    }
}
