import STContracts

/// What the client knows of its requests.
struct SimClient {
    static let name = ServiceName("client")

    var open: Set<Int64> = []
    var acknowledged: Set<Int64> = []
    var refused: Set<Int64> = []
    var attempts = 0
}
