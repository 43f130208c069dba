/// The two sockets of a service.
package enum Endpoint: String, Sendable {
    /// Requests and replies.
    case rpc
    /// Published events.
    case events
}
