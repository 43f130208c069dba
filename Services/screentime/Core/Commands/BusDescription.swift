import STContracts
import STPlatform

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
                    "answers these as well",
                    Catalogue.common,
                    [],
                    withFields: false,
                    terminal
                )
            )
        }
        terminal.write(BusDescribe.Reply.lossNote)
        return .done
    }

    private static func text(_ entry: Catalogue.Entry, withFields: Bool, _ terminal: Terminal) -> String {
        text(
            entry.service.rawValue,
            entry.purpose,
            entry.routes,
            entry.events,
            withFields: withFields,
            terminal
        )
    }

    private static func text(
        _ title: String,
        _ purpose: String,
        _ routes: [RouteInfo],
        _ events: [EventInfo],
        withFields: Bool,
        _ terminal: Terminal
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
        if names.isEmpty { lines.append("  nothing of its own yet") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// `name, role, next?`: what is optional has a question mark.
    private static func fields(_ schema: JSONValue) -> String {
        guard case .object(let properties) = schema["properties"], !properties.isEmpty else { return "{}" }
        var required: Set<String> = []
        if case .array(let names) = schema["required"] { required = Set(names.compactMap(\.string)) }
        return properties.keys.sorted().map { required.contains($0) ? $0 : $0 + "?" }.joined(separator: ", ")
    }
}
