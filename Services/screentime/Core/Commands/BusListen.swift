import STContracts
import STPlatform

/// `screentime bus listen`.
enum BusListen {
    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let prefix = invocation.subjects.first ?? ""
        let service = try invocation.service("--service")
        let count = try invocation.count("--count")
        let forMs = try invocation.durationMs("--for")
        let topics = try topics(prefix, service)
        invocation.terminal.note(
            "Listening. Whoever listens like this misses what is published while they are away; events.since has it all."
        )
        return try await ServiceClients.with(invocation.directories) { clients in
            let listener = Listener(clients.loop)
            do {
                try await listener.open(topics, invocation.directories, tickMs: nil, forMs: forMs)
                await print(listener.events, count: count, invocation)
                await listener.tellLoss(invocation.terminal)
                await listener.close()
            } catch {
                await listener.close()
                throw error
            }
            return .done
        }
    }

    /// Without a prefix the streams and nothing of the bus's own: an empty subscription would also ask for traces.
    static func topics(_ prefix: String, _ service: ServiceName?) throws(Problem) -> [ServiceName: [String]] {
        let services = service.map { [$0] } ?? ServiceName.all
        guard prefix.isEmpty else {
            guard Topic.isValid(prefix) else {
                throw Problem(
                    "usage.bad_topic",
                    "“\(prefix)” cannot begin a topic: a-z, 0-9, dot and dash can.",
                    help: "screentime bus listen usage."
                )
            }
            return Dictionary(uniqueKeysWithValues: services.map { ($0, [prefix]) })
        }
        var topics: [ServiceName: [String]] = [:]
        for service in services {
            let streams = Catalogue.entry(service)?.streams ?? []
            if !streams.isEmpty { topics[service] = streams.map(Topic.subscription) }
        }
        guard !topics.isEmpty else {
            throw Problem(
                "usage.no_streams",
                "\(services[0]) publishes no events.",
                help: "screentime bus describe"
            )
        }
        return topics
    }

    private static func print(_ events: AsyncStream<Listener.Event>, count: Int?, _ invocation: Invocation)
        async
    {
        var heard = 0
        for await event in events {
            switch event {
            case .message(let service, let frames):
                guard let line = line(service, frames, asJSON: invocation.wantsJSON, invocation.terminal)
                else { continue }
                invocation.terminal.write(line)
                heard += 1
                if heard == count { return }
            case .tick: continue
            case .timeUp, .interrupted: return
            }
        }
    }

    static func line(_ service: ServiceName, _ frames: [[UInt8]], asJSON: Bool, _ terminal: Terminal)
        -> String?
    {
        guard frames.count >= 2 else { return nil }
        let topic = String(decoding: frames[0], as: UTF8.self)
        let body = frames.count > 2 ? frames[2] : Array("{}".utf8)
        if asJSON { return json(service, topic, frames[1], body) }
        let text = DisplayWidth.harmless(String(decoding: body, as: UTF8.self))
        guard let header = EventHeader.read(frames[1]) else {
            return DisplayWidth.cut("\(service)  \(DisplayWidth.harmless(topic))  \(text)", terminal.columns)
        }
        let front = "\(LocalTime.clock(wallMs: header.timeMs))  \(service)  "
        let rest = "  \(header.sequence)  \(DisplayWidth.harmless(header.subject))  "
        let used = DisplayWidth.columns(front + topic + rest)
        // Folded only for people: a pipe gets the whole body.
        let folded = terminal.isTerminal ? DisplayWidth.cut(text, max(20, terminal.columns - used)) : text
        return front + terminal.styled(DisplayWidth.harmless(topic), .bold) + rest
            + terminal.styled(folded, .dim)
    }

    private static func json(_ service: ServiceName, _ topic: String, _ header: [UInt8], _ body: [UInt8])
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
