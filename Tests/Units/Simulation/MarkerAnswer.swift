import STContracts

/// What a publisher answers a marker subscription with.
struct MarkerAnswer: WireBody, Codable {
    var heads: [StreamPoint]
}
