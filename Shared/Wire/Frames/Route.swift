/// Whether answering changes anything that must survive.
package enum RouteKind: String, Sendable {
    /// Answered from memory.
    case read
    /// Answered from the database.
    case query
    /// Answered after a durable commit; carries an idempotency key.
    case write
}

/// One request and its reply, by name.
package protocol Route: Sendable {
    associatedtype Request: WireBody
    associatedtype Reply: WireBody

    static var name: String { get }
    static var kind: RouteKind { get }
    static var access: Access { get }
    /// Whether a request may carry a passcode, so that nothing made from it is kept.
    static var isConfidential: Bool { get }
    /// Whether a reply hands out a secret, so that it is never kept: a request that is sent again is done anew.
    static var keepsNoReply: Bool { get }
    static var summary: String { get }
}

extension Route {
    package static var access: Access { .owner }
    package static var isConfidential: Bool { false }
    package static var keepsNoReply: Bool { false }
}

/// One kind of event of one stream.
///
/// The type is the topic too.
package protocol EventType: Sendable {
    associatedtype Body: WireBody

    static var stream: StreamName { get }
    static var type: String { get }
    static var schemaVersion: Int64 { get }
    static var summary: String { get }
}

extension EventType {
    package static var schemaVersion: Int64 { 1 }
}
