import STContracts

/// A budget that the subject counts towards, and how near it is.
struct WhyBudget: WireBody, Codable, Equatable {
    var app: String
    var activity: String
    var event: String
    var countedMs: Int64
    var thresholdMs: Int64
    /// Of it, by the subject itself.
    var ownMs: Int64
}
