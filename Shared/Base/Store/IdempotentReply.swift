/// The reply to a request, kept for its retries.
package struct IdempotentReply: Sendable, Equatable {
    package var route: String
    /// A hash of the request made by the caller: the same key with another request is a mistake of the client.
    package var requestDigest: Int64
    package var body: [UInt8]
    package var expiresMs: Int64

    package init(route: String, requestDigest: Int64, body: [UInt8], expiresMs: Int64) {
        self.route = route
        self.requestDigest = requestDigest
        self.body = body
        self.expiresMs = expiresMs
    }
}
