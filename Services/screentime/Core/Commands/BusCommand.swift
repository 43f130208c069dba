import Glibc
import STContracts
import STPlatform
import STZeroMQ

/// `screentime bus …`: sends and receives messages of the open protocol.
enum BusCommand {
    static let commands: [Command] = [
        Command(
            ["bus", "call"],
            "Sends one request and prints the reply",
            subjects: [
                .init("ROUTE", "the route, such as health.ping; `screentime bus describe` lists all routes"),
                .init(
                    "JSON",
                    "the body: JSON, @file, or - for standard input; {} by default",
                    isOptional: true
                ),
            ],
            options: [
                .init(
                    "--to",
                    value: "SERVICE",
                    summary: "the service to call; by default the one that has this route",
                    key: "help.--to.which-service-to-ask-by"
                ),
                .init("--timeout", value: "DURATION", summary: "how long to wait; 5s by default"),
                .init(
                    "--idempotency-key",
                    value: "KEY",
                    summary: "repeating a request with the same key has no further effect"
                ),
                .json,
            ],
            example: "screentime bus call health.ping '{}' --to notifier"
        ) { try await BusCall.run($0) },
        Command(
            ["bus", "listen"],
            "Prints events as they are published",
            subjects: [
                .init(
                    "TOPIC-PREFIX",
                    "the beginning of the topic, such as usage. or usage.segment.closed",
                    isOptional: true
                )
            ],
            options: [
                .init("--service", value: "SERVICE", summary: "only events that this service publishes"),
                .init(
                    "--count",
                    value: "N",
                    summary: "ends after this many events",
                    key: "help.--count.ends-after-this-many-events"
                ),
                .init(
                    "--for",
                    value: "DURATION",
                    summary: "ends after this time",
                    key: "help.--for.ends-after-this-time"
                ),
                .json,
            ],
            example: "screentime bus listen usage. --for 10s"
        ) { try await BusListen.run($0) },
        Command(
            ["bus", "describe"],
            "Lists routes and events, or prints them as an AsyncAPI document",
            subjects: [
                .init(
                    "SERVICE",
                    "only the routes and events of this service, with their fields",
                    isOptional: true
                )
            ],
            options: [
                .init("--asyncapi", value: nil, summary: "the whole bus as an AsyncAPI 3.0 document"), .json,
            ],
            example: "screentime bus describe activity-center"
        ) { try BusDescription.run($0) },
    ]
}

/// `screentime bus call`.
enum BusCall {
    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let route = invocation.subjects[0]
        let service = try target(of: route, try invocation.service("--to"))
        let text = invocation.subjects.count > 1 ? invocation.subjects[1] : "{}"
        let body = try body(text)
        try refusePasscode(route, text: text, body: body)
        let timeout = try invocation.duration("--timeout") ?? ServiceClients.defaultTimeout
        guard timeout <= ServiceClients.longestTimeout else {
            throw Problem(
                "usage.bad_duration",
                "--timeout can be 60s at most.",
                key: "usage.bad_duration.timeout-can-be",
                help: "--timeout 60s"
            )
        }
        let key = invocation.value("--idempotency-key")
        let terminal = invocation.terminal
        do {
            let reply = try await ServiceClients.with(invocation.directories) {
                try await $0.callRaw(
                    route,
                    to: service,
                    body,
                    options: CallOptions(timeoutMs: timeout.ms, idempotencyKey: key)
                )
            }
            terminal.write(JSONOutput.pretty(reply))
            return .done
        } catch let problem as Problem {
            // A person who uses the protocol directly needs the code as well.
            ProblemText.show(problem, terminal, asJSON: invocation.wantsJSON, withCode: true)
            return ProblemText.exitCode(problem)
        }
    }

    static func target(of route: String, _ asked: ServiceName?) throws(Problem) -> ServiceName {
        if let asked { return asked }
        if let owner = Catalogue.owner(ofRoute: route) { return owner }
        if Catalogue.common.contains(where: { $0.name == route }) {
            throw Problem(
                "usage.target_missing",
                "Every service answers \(route, "route"). Use --to to choose the service.",
                help: "screentime bus call \(route) --to \(ServiceName.activity)"
            )
        }
        let routes = (Catalogue.common + Catalogue.entries.flatMap(\.routes)).map(\.name)
        let near = TextFormat.closest(to: route, in: routes)
        throw Problem(
            "usage.unknown_route",
            text: near.map {
                Message(
                    "usage.unknown_route.did-you-mean",
                    "No service has the route \(route, "route"). Did you mean \($0, "near")?"
                )
            } ?? Message("usage.unknown_route", "No service has the route \(route, "route")."),
            help: near.map { "screentime bus call \($0)" } ?? "screentime bus describe"
        )
    }

    private static func body(_ text: String) throws(Problem) -> [UInt8] {
        let bytes: [UInt8]
        if text == "-" {
            bytes = try standardInput()
        } else if text.hasPrefix("@") {
            bytes = try AtomicFile.read(String(text.dropFirst()), limitBytes: BusLimits.requestBodyBytes)
        } else {
            bytes = Array(text.utf8)
        }
        do {
            try JSONText.requireObject(bytes)
        } catch {
            throw Problem(
                "usage.bad_body",
                "The body must be one JSON object. Put it in quotes, so that the shell does not change it.",
                help: "screentime bus call usage.list '{\"limit\":10}'"
            )
        }
        return bytes
    }

    /// Refuses a passcode in an argument. Every program on this computer can read arguments, and the shell's history keeps them.
    private static func refusePasscode(_ route: String, text: String, body: [UInt8]) throws(Problem) {
        let isConfidential = Catalogue.entries.flatMap(\.routes).contains {
            $0.name == route && $0.isConfidential
        }
        guard isConfidential, text != "-", !text.hasPrefix("@") else { return }
        let value = try JSONOutput.value(body)
        guard value["passcode"] != nil || value["proof"] != nil else { return }
        throw Problem(
            "usage.passcode_in_command",
            """
            A passcode does not belong in a command, where other programs can read it. Give the body on \
            standard input.
            """,
            help: "screentime bus call \(route) -"
        )
    }

    private static func standardInput() throws(Problem) -> [UInt8] {
        try OwnedDescriptor.readAll(
            STDIN_FILENO,
            limitBytes: BusLimits.requestBodyBytes,
            tooLarge: Problem(
                "usage.body_too_large",
                "The body is larger than \(BusLimits.requestBodyBytes, "requestBodyBytes") bytes."
            )
        )
    }
}

/// `screentime bus listen`.
enum BusListen {
    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let prefix = invocation.subjects.first ?? ""
        let service = try invocation.service("--service")
        let count = try invocation.count("--count")
        let length = try invocation.duration("--for")
        let topics = try topics(prefix, service)
        invocation.terminal.note(
            Speech.say(
                "bus.listening",
                """
                Listening for events. This command does not show earlier events. The route events.since \
                returns them.
                """
            )
        )
        return try await ServiceClients.with(invocation.directories) { clients in
            try await BusListener.with(clients, topics: topics, for: length, invocation: invocation) {
                events in
                await print(events, count: count, invocation)
            }
            return .done
        }
    }

    /// Returns the topics to subscribe to. Without a prefix these are only the streams, because an empty topic also matches
    /// traces.
    static func topics(_ prefix: String, _ service: ServiceName?) throws(Problem) -> [ServiceName: [String]] {
        let services = service.map { [$0] } ?? ServiceName.all
        guard prefix.isEmpty else {
            guard Topic.isValid(prefix) else {
                throw Problem(
                    "usage.bad_topic",
                    "No topic can begin with “\(prefix, "prefix")”. A topic consists of a-z, 0-9, dots and dashes.",
                    help: "screentime bus listen usage."
                )
            }
            return Dictionary(uniqueKeysWithValues: services.map { ($0, [prefix]) })
        }
        return Dictionary(
            uniqueKeysWithValues: services.map { service in
                (service, (Catalogue.entry(service)?.streams ?? []).map(Topic.subscription))
            }
        )
    }

    private static func print(_ events: AsyncStream<BusListener.Event>, count: Int?, _ invocation: Invocation)
        async
    {
        var heard = 0
        for await event in events {
            switch event {
            case .message(let service, let frames):
                guard
                    let line = line(
                        service,
                        frames: frames,
                        asJSON: invocation.wantsJSON,
                        terminal: invocation.terminal
                    )
                else { continue }
                invocation.terminal.write(line)
                heard += 1
                if heard == count { return }
            case .tick: continue
            case .timedOut, .interrupted: return
            }
        }
    }

    static func line(_ service: ServiceName, frames: [[UInt8]], asJSON: Bool, terminal: Terminal)
        -> String?
    {
        guard frames.count >= 2 else { return nil }
        let topic = String(decoding: frames[0], as: UTF8.self)
        let body = frames.count > 2 ? frames[2] : Array("{}".utf8)
        if asJSON { return json(service, topic: topic, header: frames[1], body: body) }
        let text = DisplayWidth.sanitized(String(decoding: body, as: UTF8.self))
        guard let header = EventHeader.read(frames[1]) else {
            return DisplayWidth.truncated(
                "\(service)  \(DisplayWidth.sanitized(topic))  \(text)",
                terminal.columns
            )
        }
        let front = "\(TimeText.clock(WallTime(ms: header.timeMs)))  \(service)  "
        let rest = "  \(header.sequence)  \(DisplayWidth.sanitized(header.subject))  "
        let used = DisplayWidth.columns(front + topic + rest)
        // Lines are cut only for people. A pipe gets the whole body.
        let folded =
            terminal.isTerminal ? DisplayWidth.truncated(text, max(20, terminal.columns - used)) : text
        return front + terminal.styled(DisplayWidth.sanitized(topic), .bold) + rest
            + terminal.styled(folded, .dim)
    }

    private static func json(_ service: ServiceName, topic: String, header: [UInt8], body: [UInt8])
        -> String?
    {
        guard (try? JSONText.requireObject(header)) != nil, (try? JSONText.requireObject(body)) != nil else {
            return nil
        }
        var writer = JSONWriter(capacity: header.count + body.count + 128)
        writer.field("service", service.rawValue)
        writer.field("topic", topic)
        writer.raw("header", header)
        writer.raw("body", body)
        return String(decoding: writer.finish(), as: UTF8.self)
    }
}

/// `screentime bus describe`.
enum BusDescription {
    static func run(_ invocation: Invocation) throws -> ExitCode {
        let terminal = invocation.terminal
        if invocation.has("--asyncapi") {
            terminal.write(JSONOutput.pretty(AsyncAPIDocument.value))
            return .done
        }
        let service = try invocation.subjects.first.map { try Invocation.service(named: $0) }
        let entries = Catalogue.entries.filter { service == nil || $0.service == service }
        if invocation.wantsJSON {
            let replies = try entries.map { entry in
                try JSONOutput.value(
                    of: BusDescribe.Reply(
                        service: entry.service,
                        routes: Catalogue.common + entry.routes,
                        events: entry.events
                    )
                )
            }
            terminal.write(JSONOutput.pretty(replies.count == 1 ? replies[0] : .array(replies)))
            return .done
        }
        for entry in entries { terminal.write(text(entry, withFields: service != nil, terminal)) }
        if service == nil {
            terminal.write(
                text(
                    "every service",
                    purpose: "also answers these",
                    routes: Catalogue.common,
                    events: [],
                    withFields: false,
                    terminal: terminal
                )
            )
        }
        terminal.write(BusDescribe.Reply.lossNote)
        return .done
    }

    private static func text(_ entry: Catalogue.Entry, withFields: Bool, _ terminal: Terminal) -> String {
        text(
            entry.service.rawValue,
            purpose: entry.purpose,
            routes: entry.routes,
            events: entry.events,
            withFields: withFields,
            terminal: terminal
        )
    }

    private static func text(
        _ title: String,
        purpose: String,
        routes: [RouteInfo],
        events: [EventInfo],
        withFields: Bool,
        terminal: Terminal
    ) -> String {
        var lines = [terminal.styled(title, .bold) + ": " + purpose]
        let names = routes.map(\.name) + events.map(\.type)
        let width = names.map(\.count).max() ?? 0
        for route in routes {
            lines.append(
                "  " + DisplayWidth.padded(route.name, width) + "  "
                    + DisplayWidth.padded(route.kind.rawValue, 5) + "  " + route.summary
            )
            if withFields {
                lines.append("      takes " + fields(route.requestSchema()))
                lines.append("      gives " + fields(route.replySchema()))
            }
        }
        for event in events {
            lines.append("  " + DisplayWidth.padded(event.type, width) + "  event  " + event.summary)
            if withFields { lines.append("      holds " + fields(event.bodySchema())) }
        }
        if names.isEmpty { lines.append("  has no routes of its own yet") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the names of the fields, for example `name, role, next?`. A question mark follows an optional field.
    private static func fields(_ schema: JSONValue) -> String {
        guard case .object(let properties) = schema["properties"], !properties.isEmpty else { return "{}" }
        var required: Set<String> = []
        if case .array(let names) = schema["required"] { required = Set(names.compactMap(\.string)) }
        return properties.keys.sorted().map { required.contains($0) ? $0 : $0 + "?" }.joined(separator: ", ")
    }
}
