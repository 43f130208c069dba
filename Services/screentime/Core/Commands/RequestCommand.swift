import STContracts
import STPlatform

/// `screentime request …`: more time with something that is shielded.
enum RequestCommands {
    private static let request = Command.Subject("REQUEST", "such as R7; `request list` says")
    private static let by = Command.Option("--by", "NAME", "which guardian decides, where there are several")
    private static let member = Command.Option("--member", "NAME", "for this person; for you by default")

    static let commands: [Command] = asking + answering + codes + [rule]

    private static let asking: [Command] = [
        Command(
            ["request", "add"],
            "Asks for more time; SUBJECT may be `everything`",
            subjects: [
                .init(
                    "SUBJECT",
                    "an app such as firefox, category:social or site:reddit.com",
                    isRepeated: true
                ),
                .init("DURATION", "such as 15m, at most 24h"),
            ],
            options: [.init("--because", "TEXT", "why, for whoever answers"), member, .json],
            example: "screentime request add firefox 15m --because homework"
        ) { try await RequestAsking.add($0) },
        Command(
            ["request", "list"],
            "Who asked for more time, and what came of it; the newest first",
            options: [
                .init("--member", "NAME", "only this person's"),
                .init("--state", "STATE", "such as waiting or granted"), .json,
            ],
            example: "screentime request list --state waiting"
        ) { try await RequestAsking.list($0) },
        Command(
            ["request", "show"],
            "All about one request",
            subjects: [request],
            options: [.json],
            example: "screentime request show R7"
        ) { try await RequestAsking.show($0) },
        Command(
            ["request", "revoke"],
            "Takes back what was granted, or withdraws what was asked; needs no proof",
            subjects: [request],
            options: [.json],
            example: "screentime request revoke R7"
        ) { try await RequestAsking.revoke($0) },
    ]

    private static let answering: [Command] = [
        Command(
            ["request", "approve"],
            "Grants a request; asks for a guardian's passcode",
            subjects: [request],
            options: [.init("--for", "DURATION", "less than was asked for"), by, .json],
            example: "screentime request approve R7 --for 10m"
        ) { try await RequestDeciding.approve($0) },
        Command(
            ["request", "deny"],
            "Refuses a request; asks for a guardian's passcode",
            subjects: [request],
            options: [.init("--because", "TEXT", "why, for whoever asked"), by, .json],
            example: "screentime request deny R7 --because dinner"
        ) { try await RequestDeciding.deny($0) },
    ]

    private static let codes: [Command] = [
        Command(
            ["request", "code"],
            "Grants a request with a code from a guardian's phone",
            subjects: [
                request,
                .init("CODE", "the six digits that the phone shows", isOptional: true, isRepeated: true),
            ],
            options: [.json],
            example: "screentime request code R7 123456"
        ) { try await RequestDeciding.code($0) },
        Command(
            ["request", "setup"],
            "Lets an authenticator app on a guardian's phone make codes for a child; the ones before are void",
            subjects: [.init("NAME", "the child")],
            options: [by, .json],
            example: "screentime request setup kid"
        ) { try await RequestDeciding.setUp($0) },
    ]

    private static let rule = Command(
        ["request", "edit"],
        "How your own requests are answered without a guardian; without options, says how",
        options: [
            .init("--delay", "DURATION", "before the first of a day is granted; 0 for at once"),
            .init("--growth", "PERCENT", "so much longer each further one of a day waits"),
            .init("--most", "DURATION", "the longest that is granted"),
            .init("--a-day", "COUNT", "how many; with 0 only a guardian answers"),
            member, by, .json,
        ],
        example: "screentime request edit --delay 1m --growth 100% --most 15m --a-day 4"
    ) { try await RequestRuleEditing.run($0) }
}

/// Asking for more time, and looking at what was asked.
enum RequestAsking {
    /// Of a list of requests; there are fewer pages than that.
    private static let pagesMax = 20

    static func add(_ invocation: Invocation) async throws -> ExitCode {
        let line = "screentime request add"
        let words = invocation.subjects
        let parts = try RuleArguments.split(words, line) { TextFormat.durationMs($0) }
        var request = RequestAdd.Request(
            member: invocation.value("--member"),
            items: try SubjectReader.items(parts.subjects, after: line, before: words.last),
            durationMs: parts.value,
            because: invocation.value("--because")
        )
        var remarks: [String] = []
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await KnownMembers.check(request.member, "request add …", clients)
            if request.items.contains(where: { $0.kind == .application }),
                let ids = await KnownApps.ids(clients)
            {
                let found = request.items.map { KnownApps.resolved($0, ids) }
                request.items = found.map(\.item)
                remarks = found.compactMap(\.remark)
            }
            return try await ask(RequestAdd.self, request, clients)
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            guard case .object(var members) = try JSONOutput.value(of: reply) else { return .no }
            members["remarks"] = .array(remarks.map { .string($0) })
            terminal.write(JSONOutput.pretty(.object(members)))
            return .done
        }
        let asked = reply.request
        let name = terminal.styled(asked.request, .bold)
        var lines = ["\(name): \(RequestText.what(asked)), \(RequestText.state(asked))."]
        if let next = RequestText.next(asked) { lines.append(next) }
        let notes = remarks + reply.notes.map(\.text)
        lines += notes.map { terminal.styled("Note: ", .yellow) + DisplayWidth.harmless($0) }
        write(lines, terminal)
        return .done
    }

    static func list(_ invocation: Invocation) async throws -> ExitCode {
        let member = invocation.value("--member")
        let state = try invocation.choice("--state", RequestState.self)
        let requests = try await ServiceClients.with(invocation.directories) { clients in
            try await KnownMembers.check(member, "request list", clients)
            return try await all(clients, member: member, state: state)
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            let values = try requests.map { try JSONOutput.value(of: $0) }
            terminal.write(JSONOutput.pretty(["requests": .array(values)]))
            return .done
        }
        guard !requests.isEmpty else {
            let which = state.map { " that is \($0.rawValue)" } ?? ""
            terminal.write(
                "There is no request\(which). For example: \(Grammar.command(["request", "add"])?.example ?? "")"
            )
            return .done
        }
        terminal.write(RequestText.list(requests, terminal).joined(separator: "\n"))
        return .done
    }

    static func show(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let requests = try await ServiceClients.with(invocation.directories) { clients in
            try await all(clients)
        }
        guard let request = requests.first(where: { $0.request.lowercased() == name.lowercased() }) else {
            let latest = requests.first.map { " The latest is \($0.request)." } ?? ""
            throw Problem(
                "request.not_found",
                "There is no request “\(name)”; they are called R1, R2 and so on.\(latest)",
                help: "screentime request list"
            )
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: request)))
        } else {
            write(RequestText.one(request, terminal), terminal)
        }
        return .done
    }

    static func revoke(_ invocation: Invocation) async throws -> ExitCode {
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await ask(RequestRevoke.self, .init(request: invocation.subjects[0]), clients)
        }
        let what = reply.request.state == .withdrawn ? "is withdrawn" : "is taken back"
        return try tell(reply, "\(RequestText.what(reply.request)) \(what).", invocation)
    }

    // MARK: - Together with answering

    static func tell(_ reply: RequestAnswered, _ text: String, _ invocation: Invocation) throws -> ExitCode {
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
        } else {
            write(["\(terminal.styled(reply.request.request, .bold)): \(text)"], terminal)
        }
        return .done
    }

    static func write(_ lines: [String], _ terminal: Terminal) {
        terminal.write(lines.flatMap { TextWrap.lines($0, terminal) }.joined(separator: "\n"))
    }

    /// Where in a message something is wrong says nothing to somebody who typed a line.
    static func ask<R: Route>(_ route: R.Type, _ request: R.Request, _ clients: ServiceClients) async throws
        -> R.Reply
    {
        do {
            return try await clients.call(route, request)
        } catch var problem as Problem {
            problem.field = nil
            throw problem
        }
    }

    private static func all(
        _ clients: ServiceClients,
        member: String? = nil,
        state: RequestState? = nil
    ) async throws -> [RequestView] {
        var request = RequestList.Request(member: member, state: state)
        var all: [RequestView] = []
        for _ in 0..<pagesMax {
            let page = try await clients.call(RequestList.self, request)
            all += page.requests
            guard let next = page.next else { break }
            request.next = next
        }
        return all
    }
}
