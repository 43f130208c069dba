/// One service's share of the AsyncAPI document.
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
            "\(name).rpc": server("rpc", "ROUTER", ["DEALER", "REQ"], request: ["header", "body"])
        ]
        if !entry.streams.isEmpty {
            servers["\(name).events"] = server(
                "events",
                "XPUB",
                ["SUB"],
                request: ["topic", "header", "body"]
            )
        }
        return servers
    }

    private func server(_ kind: String, _ binds: String, _ connects: [JSONValue], request: [JSONValue])
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
                    "description": "The directory of the sockets, which SCREENTIME_RUN sets.",
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
                        "The rest of the topic; subscribe to \(Topic.subscription(stream)) for all."
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
