/// A route as data, for tables and documents.
package struct RouteInfo: Sendable {
    package var name: String
    package var kind: RouteKind
    package var access: Access
    package var isConfidential: Bool
    package var keepsNoReply: Bool
    package var summary: String
    package var requestSchema: @Sendable () -> JSONValue
    package var replySchema: @Sendable () -> JSONValue
    /// Bytes read as the type and written again: what this version understands of them.
    package var recodeRequest: @Sendable ([UInt8]) throws -> [UInt8]
    package var recodeReply: @Sendable ([UInt8]) throws -> [UInt8]

    package init<R: Route>(_ route: R.Type) {
        name = R.name
        kind = R.kind
        access = R.access
        isConfidential = R.isConfidential
        keepsNoReply = R.keepsNoReply
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
}
