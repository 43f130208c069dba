/// The storage that a route uses.
package enum RouteKind: String, Sendable {
    /// The service replies from memory.
    case read
    /// The service replies from the database.
    case query
    /// The service replies after a durable commit. The request has an idempotency key.
    case write
}

/// One request and its reply, by name.
package protocol Route: Sendable {
    associatedtype Request: WireBody
    associatedtype Reply: WireBody

    static var name: String { get }
    static var kind: RouteKind { get }
    static var access: Access { get }
    /// The only service that may call the route, because other programs of its account could send false data. `nil` allows any.
    static var caller: ServiceName? { get }
    /// True if a request may contain a passcode, which is then left out of the stored digest of the request.
    static var isConfidential: Bool { get }
    /// True if a reply contains a secret and is therefore never stored. A repeated request is then executed again.
    static var discardsReply: Bool { get }
    static var summary: String { get }
}

extension Route {
    package static var access: Access { .owner }
    package static var caller: ServiceName? { nil }
    package static var isConfidential: Bool { false }
    package static var discardsReply: Bool { false }
}

/// One kind of event of one stream.
///
/// The type is also the topic.
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

/// The callers that a route accepts.
///
/// In personal mode all processes run under one uid. Access control then prevents mistakes and access by other accounts, but not by
/// the person's own programs.
package struct Access: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The account under which the service itself runs.
    package static let owner = Access(rawValue: 1)
    /// The machine's administrator, if that is another account than the owner.
    package static let root = Access(rawValue: 2)
    /// Another machine of the household.
    package static let device = Access(rawValue: 4)
    /// Another machine with an invitation.
    package static let invited = Access(rawValue: 8)

    package var names: [String] {
        let all: [(Access, String)] = [
            (.owner, "owner"), (.root, "root"), (.device, "device"), (.invited, "invited"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

/// A route as data, for tables and documents.
package struct RouteInfo: Sendable {
    package var name: String
    package var kind: RouteKind
    package var access: Access
    package var caller: ServiceName?
    package var isConfidential: Bool
    package var keepsNoReply: Bool
    package var summary: String
    package var requestSchema: @Sendable () -> JSONValue
    package var replySchema: @Sendable () -> JSONValue
    /// Decodes and re-encodes a request, which keeps only the fields that this version supports.
    package var recodeRequest: @Sendable ([UInt8]) throws -> [UInt8]
    package var recodeReply: @Sendable ([UInt8]) throws -> [UInt8]

    package init<R: Route>(_ route: R.Type) {
        name = R.name
        kind = R.kind
        access = R.access
        caller = R.caller
        isConfidential = R.isConfidential
        keepsNoReply = R.discardsReply
        summary = R.summary
        requestSchema = { R.Request.schema }
        replySchema = { R.Reply.schema }
        recodeRequest = { try R.Request.decodedBody($0).encodedBody() }
        recodeReply = { try R.Reply.decodedBody($0).encodedBody() }
    }
}

/// An event type as data.
package struct EventInfo: Sendable {
    package var stream: StreamName
    package var type: String
    package var schemaVersion: Int64
    package var summary: String
    package var bodySchema: @Sendable () -> JSONValue
    package var recodeBody: @Sendable ([UInt8]) throws -> [UInt8]

    package init<E: EventType>(_ event: E.Type) {
        stream = E.stream
        type = E.type
        schemaVersion = E.schemaVersion
        summary = E.summary
        bodySchema = { E.Body.schema }
        recodeBody = { try E.Body.decodedBody($0).encodedBody() }
    }

    /// Describes a type of event that several streams have.
    package init<Body: WireBody>(stream: StreamName, type: String, summary: String, _ body: Body.Type) {
        self.stream = stream
        self.type = type
        schemaVersion = 1
        self.summary = summary
        bodySchema = { Body.schema }
        recodeBody = { try Body.decodedBody($0).encodedBody() }
    }
}
