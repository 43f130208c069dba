/// The named limits of the bus (bus.md, "Frames" and "Requests").
package enum BusLimits {
    /// Frames of one message after the routing id and the empty frame of a REQ peer.
    package static let frames = 4
    package static let headerBytes = 4 * 1024
    package static let eventBodyBytes = 64 * 1024
    package static let requestBodyBytes = 256 * 1024
    package static let replyBodyBytes = 256 * 1024
    /// libzmq closes a connection without a word beyond this; up to it `frame.too_large` is answered.
    package static let socketBytes: Int64 = 1024 * 1024
    /// What the events socket takes: a topic, and the metadata of a connection.
    package static let subscriptionSocketBytes: Int64 = 512
    package static let depth = 32
    package static let topicBytes = 128
    package static let idBytes = 64
    package static let idempotencyKeyBytes = 128
    /// What a caller gets who names no deadline, and the longest anyone may ask for.
    package static let timeoutMsDefault: Int64 = 5_000
    package static let timeoutMsMax: Int64 = 60_000
    package static let idempotencyKeepMs: Int64 = 24 * 3_600_000
    package static let pageRows = 500
    /// Room left in a reply for what stands around the rows of a page.
    package static let pageBytes = 192 * 1024
}
