import STContracts

/// The answer to a marker subscription.
struct HeadList: WireBody, Codable {
    var heads: [StreamPoint]
}
