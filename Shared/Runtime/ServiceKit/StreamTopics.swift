import STContracts

/// The topics of one subscription as bytes, because they are compared with every message that comes.
struct StreamTopics {
    let marker: [UInt8]
    let head: [UInt8]

    init(_ stream: StreamName, marker: String) {
        self.marker = Array(marker.utf8)
        head = Array(Topic.head(stream).utf8)
    }
}
