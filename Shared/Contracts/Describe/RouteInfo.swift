/// A route as data, for tables and documents.
package struct RouteInfo: Sendable {
    package var name: String
    package var kind: RouteKind
    package var access: Access
    package var summary: String
    package var requestSchema: @Sendable () -> JSONValue
    package var replySchema: @Sendable () -> JSONValue

    package init<R: Route>(_ route: R.Type) {
        name = R.name
        kind = R.kind
        access = R.access
        summary = R.summary
        requestSchema = { R.Request.schema }
        replySchema = { R.Reply.schema }
    }
}

/// An event type as data.
package struct EventInfo: Sendable {
    package var stream: StreamName
    package var type: String
    package var schemaVersion: Int64
    package var summary: String
    package var bodySchema: @Sendable () -> JSONValue

    package init<E: EventType>(_ event: E.Type) {
        stream = E.stream
        type = E.type
        schemaVersion = E.schemaVersion
        summary = E.summary
        bodySchema = { E.Body.schema }
    }
}
