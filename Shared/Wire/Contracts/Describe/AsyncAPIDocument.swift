/// The whole bus as an AsyncAPI 3.0 document, made from the catalogue.
///
/// The application that the document describes is the system itself: it receives requests on a channel per service,
/// answers on that same channel, and sends events on a channel per stream.
package enum AsyncAPIDocument {
    package static var value: JSONValue {
        var channels: [String: JSONValue] = [:]
        var operations: [String: JSONValue] = [:]
        var messages: [String: JSONValue] = ["error": AsyncAPIMessage.error]
        var servers: [String: JSONValue] = [:]
        for entry in Catalogue.entries {
            let part = AsyncAPIService(entry)
            servers.merge(part.servers) { first, _ in first }
            channels.merge(part.channels) { first, _ in first }
            operations.merge(part.operations) { first, _ in first }
            messages.merge(part.messages) { first, _ in first }
        }
        return [
            "asyncapi": "3.0.0",
            "id": "urn:screentime:bus",
            "info": [
                "title": "Screen Time for Linux", "version": .string(Version.text),
                "description": .string(description),
            ],
            "defaultContentType": "application/json",
            "servers": .object(servers),
            "channels": .object(channels),
            "operations": .object(operations),
            "components": ["messages": .object(messages), "schemas": .object(AsyncAPIMessage.schemas)],
        ]
    }

    private static let description =
        "JSON over ZeroMQ, between the processes of one computer. A request is [header][body] to a ROUTER, from any "
        + "DEALER or plain REQ socket; a reply is [header][body]; an event is [topic][header][body] from an XPUB. "
        + "The message headers of this document are the header frames, the payloads are the body frames. "
        + BusDescribe.Reply.lossNote
}
