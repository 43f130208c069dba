import STPlatform

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

    /// A reply carries the id of its request.
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
                    "description": "Null when the request had no id that could be read.",
                ],
                "ok": ["type": "boolean"],
                "repeated": [
                    "type": "boolean",
                    "description": "Kept from an earlier arrival of the same idempotency key.",
                ],
            ],
            "required": ["v", "id", "ok"],
        ],
        "event_header": [
            "type": "object",
            "description": "CloudEvents 1.0 attributes, and where the event stands in its stream.",
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
        "source": ["type": "string", "description": "/device/service"],
        "type": [
            "type": "string",
            "description": .string("The topic with \(EventHeader.typePrefix) in front of it."),
        ],
        "time": ["type": "string", "format": "date-time"],
        "subject": ["type": "string"],
        "datacontenttype": ["const": "application/json"],
        "dataschema": ["type": "string"],
        "stream": ["type": "string"],
        "epoch": ["type": "string", "description": "Changes when the log is begun anew."],
        "sequence": [
            "type": "string", "pattern": "^[0-9]{20}$", "description": "Without gaps inside a stream.",
        ],
        "traceparent": ["type": "string", "description": "W3C Trace Context"],
        "cause": ["type": "string", "description": "The id of the message that led to this one."],
    ]
}
