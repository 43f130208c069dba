/// What a service answers and publishes, with schemas.
package enum BusDescribe: Route {
    package typealias Request = Empty

    package struct RouteDescription: WireBody, Codable, Equatable {
        package var name: String
        package var kind: String
        package var access: [String]
        package var summary: String
        package var request: JSONValue
        package var reply: JSONValue

        package init(_ info: RouteInfo) {
            name = info.name
            kind = info.kind.rawValue
            access = info.access.names
            summary = info.summary
            request = info.requestSchema()
            reply = info.replySchema()
        }
    }

    package struct EventDescription: WireBody, Codable, Equatable {
        package var stream: String
        package var type: String
        package var version: Int64
        package var summary: String
        package var body: JSONValue

        package init(_ info: EventInfo) {
            stream = info.stream.rawValue
            type = info.type
            version = info.schemaVersion
            summary = info.summary
            body = info.bodySchema()
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var service: String
        package var version: String
        package var note: String
        package var routes: [RouteDescription]
        package var events: [EventDescription]

        package init(service: ServiceName, routes: [RouteInfo], events: [EventInfo]) {
            self.service = service.rawValue
            version = Version.text
            note = Self.lossNote
            self.routes = routes.map(RouteDescription.init)
            self.events = events.map(EventDescription.init)
        }

        package static let lossNote =
            "A raw SUB socket misses what is published while it is away or slow. "
            + "To miss nothing, keep (epoch, sequence, id) and ask events.since."
    }

    package static let name = "bus.describe"
    package static let kind = RouteKind.read
    package static let access: Access = [.owner, .root]
    package static let summary = "The routes and events of this service, with JSON Schema 2020-12."
}
