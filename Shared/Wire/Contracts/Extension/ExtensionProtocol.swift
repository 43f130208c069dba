/// What a host and the extension process it started say to each other over a private endpoint.
///
/// Every message is multipart, and its first frame names its kind. The host binds a ROUTER, the extension connects a
/// DEALER to `ExtensionEnvironment.host`.
package enum ExtensionProtocol {
    package static let version: Int64 = 1

    /// The first frame of a message, as text.
    package enum Kind: String, Sendable, CaseIterable {
        /// From the extension, first of all: `[hello, ExtensionHello]`.
        case hello
        /// From the host: `[call, ExtensionCall]`.
        case call
        /// From the extension during a call: `[request, RequestHeader, body]`.
        ///
        /// Of the header the host takes id, route and timeout; the rest it sets itself.
        case request
        /// From the host, to one request: `[reply, ReplyHeader, body]`; the body of a refusal is a Problem.
        case reply
        /// From the extension: the callback's function has returned: `[returned, ExtensionReturned]`.
        case returned
        /// From the extension: no work that the callback began is left: `[settled, ExtensionSettled]`.
        case settled
        /// From the host: `[end, {}]`; the extension closes and exits.
        case end

        package var frame: [UInt8] { Array(rawValue.utf8) }

        package init?(frame: [UInt8]) { self.init(rawValue: String(decoding: frame, as: UTF8.self)) }
    }

    /// Frames of one message, with the kind.
    package static let frames = 3
    /// Of `hello` and `settled`; a header has the bus's own limit.
    package static let bodyBytes = 64 * 1024
    /// Of `returned`, where the point has no limit of its own: the look of a shield with a picture in it.
    package static let returnedBytes = 256 * 1024
    /// A longer message closes the connection without a word; up to it the sender is told that it is too long.
    package static let messageBytes: Int64 = 16 * 1024 * 1024
    /// Requests of one extension that wait for their answers.
    package static let requestsMax = 64
    /// Requests of one call.
    package static let ordinalMax: Int64 = 10_000
}
