import STPlatform

/// The AsyncAPI 3.0 document of the whole bus, generated from the catalogue.
///
/// The application in the document is Screen Time itself. It receives requests on one channel per service, replies on the same
/// channel, and sends events on one channel per stream.
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
        "JSON over ZeroMQ, between the processes of one computer. A request is [header][body], from a "
        + "DEALER or REQ socket to a ROUTER socket. A reply is [header][body]. An event is "
        + "[topic][header][body], from an XPUB socket. In this document, message headers are the header "
        + "frames, and payloads are the body frames. "
        + BusDescribe.Reply.lossNote
}

/// The part of the AsyncAPI document that describes one service.
struct AsyncAPIService {
    private let entry: Catalogue.Entry
    private let name: String

    init(_ entry: Catalogue.Entry) {
        self.entry = entry
        name = entry.service.rawValue
    }

    private var routes: [RouteInfo] { Catalogue.common + entry.routes }

    // MARK: - Servers

    var servers: [String: JSONValue] {
        var servers = [
            "\(name).rpc": server(
                "rpc",
                binds: "ROUTER",
                connects: ["DEALER", "REQ"],
                request: ["header", "body"]
            )
        ]
        if !entry.streams.isEmpty {
            servers["\(name).events"] = server(
                "events",
                binds: "XPUB",
                connects: ["SUB"],
                request: ["topic", "header", "body"]
            )
        }
        return servers
    }

    private func server(_ kind: String, binds: String, connects: [JSONValue], request: [JSONValue])
        -> JSONValue
    {
        [
            "host": "{run}",
            "pathname": .string("/\(name)/\(kind)"),
            "protocol": "zeromq",
            "protocolVersion": "ZMTP 3.1",
            "summary": .string("\(name): \(entry.purpose)"),
            "variables": [
                "run": [
                    "default": "$XDG_RUNTIME_DIR/screentime",
                    "description": "The directory of the sockets. SCREENTIME_RUN overrides it.",
                ]
            ],
            "x-zeromq": [
                "endpoint": .string("ipc://{run}/\(name)/\(kind)"),
                "binds": .string(binds),
                "connects": .array(connects),
                "frames": .array(request),
                "limits": [
                    "frames": .integer(Int64(BusLimits.frames)),
                    "header_bytes": .integer(Int64(BusLimits.headerBytes)),
                    "body_bytes": .integer(
                        Int64(kind == "rpc" ? BusLimits.requestBodyBytes : BusLimits.eventBodyBytes)
                    ),
                    "depth": .integer(Int64(BusLimits.depth)),
                ],
            ],
        ]
    }

    // MARK: - Channels

    var channels: [String: JSONValue] {
        var channels = [rpc: rpcChannel]
        for stream in entry.streams { channels[self.channel(stream)] = streamChannel(stream) }
        return channels
    }

    private var rpc: String { "\(name).rpc" }

    private func channel(_ stream: StreamName) -> String { "\(name).\(stream.rawValue)" }

    private var rpcChannel: JSONValue {
        var messages: [String: JSONValue] = ["error": reference("components", "messages", "error")]
        for route in routes {
            for part in ["request", "reply"] {
                let key = "\(route.name).\(part)"
                messages[key] = reference("components", "messages", key)
            }
        }
        return [
            "address": "rpc",
            "title": .string("Requests to \(name)"),
            "servers": [reference("servers", "\(name).rpc")],
            "messages": .object(messages),
        ]
    }

    private func streamChannel(_ stream: StreamName) -> JSONValue {
        let events = entry.events.filter { $0.stream == stream }
        return [
            "address": .string(Topic.subscription(stream) + "{event}"),
            "title": .string("The stream \(stream.rawValue)"),
            "parameters": [
                "event": [
                    "description": .string(
                        "The rest of the topic. For all events, subscribe to \(Topic.subscription(stream))"
                    )
                ]
            ],
            "servers": [reference("servers", "\(name).events")],
            "messages": .object(
                Dictionary(
                    uniqueKeysWithValues: events.map {
                        ($0.type, reference("components", "messages", $0.type))
                    }
                )
            ),
        ]
    }

    // MARK: - Operations

    var operations: [String: JSONValue] {
        var operations: [String: JSONValue] = [:]
        for route in routes { operations["\(name).\(route.name)"] = operation(route) }
        for stream in entry.streams {
            operations["\(name).publish.\(stream.rawValue)"] = [
                "action": "send",
                "channel": reference("channels", channel(stream)),
                "summary": .string(
                    "Events of the stream \(stream.rawValue), in the order of their sequence."
                ),
                "messages": .array(
                    entry.events.filter { $0.stream == stream }.map {
                        reference("channels", channel(stream), "messages", $0.type)
                    }
                ),
            ]
        }
        return operations
    }

    private func operation(_ route: RouteInfo) -> JSONValue {
        [
            "action": "receive",
            "channel": reference("channels", rpc),
            "summary": .string(route.summary),
            "messages": [reference("channels", rpc, "messages", "\(route.name).request")],
            "reply": [
                "channel": reference("channels", rpc),
                "messages": [
                    reference("channels", rpc, "messages", "\(route.name).reply"),
                    reference("channels", rpc, "messages", "error"),
                ],
            ],
            "x-access": .array(route.access.names.map { .string($0) }),
            "x-kind": .string(route.kind.rawValue),
        ]
    }

    // MARK: - Messages

    var messages: [String: JSONValue] {
        var messages: [String: JSONValue] = [:]
        for route in routes {
            messages["\(route.name).request"] = AsyncAPIMessage.request(route)
            messages["\(route.name).reply"] = AsyncAPIMessage.reply(route)
        }
        for event in entry.events { messages[event.type] = AsyncAPIMessage.event(event) }
        return messages
    }

    private func reference(_ parts: String...) -> JSONValue {
        ["$ref": .string("#/" + parts.joined(separator: "/"))]
    }
}

/// The messages of the AsyncAPI document, and the schemas of the header frames.
enum AsyncAPIMessage {
    static func request(_ route: RouteInfo) -> JSONValue {
        [
            "name": .string(route.name),
            "title": .string("\(route.name), asked"),
            "summary": .string(route.summary),
            "headers": reference("request_header"),
            "payload": route.requestSchema(),
            "correlationId": correlation,
        ]
    }

    static func reply(_ route: RouteInfo) -> JSONValue {
        [
            "name": .string(route.name),
            "title": .string("\(route.name), answered"),
            "headers": reference("reply_header"),
            "payload": route.replySchema(),
            "correlationId": correlation,
        ]
    }

    static func event(_ event: EventInfo) -> JSONValue {
        [
            "name": .string(event.type),
            "title": .string("\(event.type), version \(event.schemaVersion)"),
            "summary": .string(event.summary),
            "headers": reference("event_header"),
            "payload": event.bodySchema(),
        ]
    }

    static let error: JSONValue = [
        "name": "error",
        "title": "Not done, and why",
        "summary": "Answered to any request; `ok` is false in the header.",
        "headers": reference("reply_header"),
        "payload": reference("problem"),
        "correlationId": correlation,
    ]

    /// The location of the id, which is the same in a reply and its request.
    private static let correlation: JSONValue = ["location": "$message.header#/id"]

    private static func reference(_ schema: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(schema)")]
    }

    // MARK: - Schemas

    static let schemas: [String: JSONValue] = [
        "request_header": SchemaRecorder.schema(of: RequestHeader.self),
        "reply_header": [
            "type": "object",
            "properties": [
                "v": ["type": "integer"],
                "id": [
                    "type": ["string", "null"],
                    "description": "Null if the request had no readable id.",
                ],
                "ok": ["type": "boolean"],
                "repeated": [
                    "type": "boolean",
                    "description": "True for a stored reply to an earlier request with this idempotency key.",
                ],
            ],
            "required": ["v", "id", "ok"],
        ],
        "event_header": [
            "type": "object",
            "description": "CloudEvents 1.0 attributes, and the position of the event in its stream.",
            "properties": .object(eventProperties),
            "required": .array(
                eventProperties.keys.filter { $0 != "traceparent" && $0 != "cause" }.sorted().map {
                    .string($0)
                }
            ),
        ],
        "problem": Problem.schema,
    ]

    private static let eventProperties: [String: JSONValue] = [
        "specversion": ["const": "1.0"],
        "id": ["type": "string"],
        "source": ["type": "string", "description": "The device and the service, as /device/service."],
        "type": [
            "type": "string",
            "description": .string("The topic, preceded by \(EventHeader.typePrefix)"),
        ],
        "time": ["type": "string", "format": "date-time"],
        "subject": ["type": "string"],
        "datacontenttype": ["const": "application/json"],
        "dataschema": ["type": "string"],
        "stream": ["type": "string"],
        "epoch": ["type": "string", "description": "Changes when the log restarts."],
        "sequence": [
            "type": "string", "pattern": "^[0-9]{20}$", "description": "Has no gaps within a stream.",
        ],
        "traceparent": ["type": "string", "description": "W3C Trace Context"],
        "cause": ["type": "string", "description": "The id of the message that caused this one."],
    ]
}
