import STContracts
import STDomain
import STPlatform

/// `screentime request …`: requests for more time with shielded items.
enum RequestCommand {
    private static let request = Command.Subject(
        "REQUEST",
        "the request, such as R7; `request list` shows all requests"
    )
    private static let by = ProofPrompt.option
    private static let member = Command.Option(
        "--member",
        value: "NAME",
        summary: "for this person; for you by default",
        key: "help.--member.for-this-person-for-you"
    )

    static let commands: [Command] = requestCommands + decisionCommands + codes + [rule, grantCommand]

    private static let requestCommands: [Command] = [
        Command(
            ["request", "add"],
            "Asks for more time; SUBJECT may be `everything`",
            subjects: [
                .init(
                    "SUBJECT",
                    "an app such as firefox, category:social or site:reddit.com",
                    key: "help.arg-subject.an-app-such-as-firefox",
                    isRepeated: true
                ),
                .init(
                    "DURATION",
                    "the additional time, such as 15m; at most 24h",
                    key: "help.arg-duration.such-as-15m-at-most"
                ),
            ],
            options: [
                .init("--because", value: "TEXT", summary: "the reason, for the guardian who answers"),
                member, .json,
            ],
            example: "screentime request add firefox 15m --because homework"
        ) { try await RequestSubmission.add($0) },
        Command(
            ["request", "list"],
            "Lists the requests for more time and their outcomes, newest first",
            options: [
                .init(
                    "--member",
                    value: "NAME",
                    summary: "limits the output to this person",
                    key: "help.--member.only-this-persons"
                ),
                .init(
                    "--state",
                    value: "STATE",
                    summary: "only requests in this state, such as waiting or granted",
                    key: "help.--state.such-as-waiting-or-granted"
                ), .json,
            ],
            example: "screentime request list --state waiting"
        ) { try await RequestSubmission.list($0) },
        Command(
            ["request", "show"],
            "Shows everything about one request",
            subjects: [request],
            options: [.json],
            example: "screentime request show R7"
        ) { try await RequestSubmission.show($0) },
        Command(
            ["request", "revoke"],
            "Revokes granted time, or withdraws a request; requires no passcode",
            subjects: [request],
            options: [.json],
            example: "screentime request revoke R7"
        ) { try await RequestSubmission.revoke($0) },
    ]

    private static let decisionCommands: [Command] = [
        Command(
            ["request", "approve"],
            "Grants a request; prompts for a guardian's passcode",
            subjects: [request],
            options: [
                .init(
                    "--for",
                    value: "DURATION",
                    summary: "a shorter time than was requested",
                    key: "help.--for.less-than-was-asked-for"
                ), by, .json,
            ],
            example: "screentime request approve R7 --for 10m"
        ) { try await RequestDecision.approve($0) },
        Command(
            ["request", "deny"],
            "Denies a request; prompts for a guardian's passcode",
            subjects: [request],
            options: [
                .init(
                    "--because",
                    value: "TEXT",
                    summary: "the reason, for the person who made the request",
                    key: "help.--because.why-for-the-person-who"
                ), by, .json,
            ],
            example: "screentime request deny R7 --because dinner"
        ) { try await RequestDecision.deny($0) },
    ]

    private static let grantCommand = Command(
        ["grant"],
        "Grants a person time without a request; prompts for a guardian's passcode",
        subjects: [
            .init("NAME", "the person who gets the time", key: "help.arg-name.who-gets-it"),
            .init(
                "DURATION",
                "the length of time, such as 30m; at most 24h",
                key: "help.arg-duration.for-how-long-such-as-30m",
                isOptional: true
            ),
            .init(
                "SUBJECT",
                "an app such as firefox, category:social or site:reddit.com; everything by default",
                key: "help.arg-subject.an-app-such-as-firefox-category",
                isOptional: true,
                isRepeated: true
            ),
        ],
        options: [by, .json],
        example: "screentime grant kid 30m"
    ) { try await RequestDecision.grant($0) }

    private static let codes: [Command] = [
        Command(
            ["request", "code"],
            "Grants a request with a code from a guardian's phone",
            subjects: [
                request,
                .init(
                    "CODE",
                    "the six digits that the phone shows",
                    key: "help.arg-code.the-six-digits-that-the",
                    isOptional: true,
                    isRepeated: true
                ),
            ],
            options: [.json],
            example: "screentime request code R7 123456"
        ) { try await RequestDecision.code($0) },
        Command(
            ["request", "setup"],
            """
            Lets an authenticator app on a guardian's phone generate codes for a child; earlier codes stop \
            working
            """,
            subjects: [.init("NAME", "the child", key: "help.arg-name.the-child")],
            options: [
                by,
                .init(
                    "--svg",
                    value: nil,
                    summary: "prints only the QR code as an SVG picture, for a file or a page"
                ),
                .json,
            ],
            example: "screentime request setup kid"
        ) { try await RequestDecision.setUp($0) },
    ]

    private static let rule = Command(
        ["request", "edit"],
        "Changes how requests are answered without a guardian; without options, shows the current settings",
        options: [
            .init(
                "--delay",
                value: "DURATION",
                summary: "how long the first request of the day waits; 0 for no wait"
            ),
            .init(
                "--growth",
                value: "PERCENT",
                summary: "how much longer each further request of the day waits"
            ),
            .init("--most", value: "DURATION", summary: "the longest time that is granted"),
            .init(
                "--a-day",
                value: "COUNT",
                summary:
                    "number of requests that are granted automatically each day; with 0, only a guardian answers"
            ),
            .init(
                "--expires",
                value: "DURATION",
                summary: "how long a guardian has to answer; 1d by default"
            ),
            member, by, .json,
        ],
        example: "screentime request edit --delay 1m --growth 100% --most 15m --a-day 4"
    ) { try await RequestRuleEditing.run($0) }
}

/// Adds, lists, shows and revokes requests for more time.
enum RequestSubmission {

    static func add(_ invocation: Invocation) async throws -> ExitCode {
        let line = "screentime request add"
        let words = invocation.subjects
        let parts = try RuleArguments.split(words, line: line) { TextFormat.durationMs($0) }
        var request = RequestAdd.Request(
            member: invocation.value("--member"),
            items: try SubjectReader.items(parts.subjects, after: line, before: words.last),
            durationMs: parts.value,
            because: invocation.value("--because")
        )
        var remarks: [String] = []
        let (reply, apps, provers) = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(request.member, clients)
            var resolving = AppArgumentResolver(await AppFinder.load(invocation, clients))
            request.items = try resolving.items(request.items)
            remarks = resolving.remarks
            let reply = try await clients.callTyped(RequestAdd.self, request)
            let provers = try await clients.call(MemberList.self, Empty()).provers
            return (reply, await names([reply.request], invocation: invocation, clients: clients), provers)
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
        let standing = DisplayWidth.sanitized(asked.statusText(invocation.moments))
        var lines = ["\(name): \(RequestText.summary(asked, apps)), \(standing)."]
        if let next = RequestText.next(asked, provers: provers) { lines.append(next) }
        let notes = remarks + reply.notes.map { Speech.say($0.text) }
        lines += notes.map {
            terminal.styled(Speech.say("request.note", "Note: "), .yellow) + DisplayWidth.sanitized($0)
        }
        terminal.write(wrapping: lines)
        return .done
    }

    static func list(_ invocation: Invocation) async throws -> ExitCode {
        let member = invocation.value("--member")
        let state = try invocation.choice("--state", RequestState.self)
        let (requests, apps) = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(member, clients)
            let found = try await all(clients, member: member, state: state)
            return (found, await names(found, invocation: invocation, clients: clients))
        }
        return try invocation.show(
            json: JSONOutput.pretty([
                "requests": .array(try requests.map { try json($0, apps: apps, invocation: invocation) })
            ])
        ) {
            guard requests.isEmpty else {
                return RequestText.list(
                    requests,
                    apps: apps,
                    moments: invocation.moments,
                    terminal: invocation.terminal
                )
            }
            let example = Grammar.command(["request", "add"])?.example ?? ""
            guard let state = state?.label else {
                return [
                    Speech.say(
                        "request.there-is-no-request",
                        "There are no requests. To make one, for example: \(example, "example")"
                    )
                ]
            }
            return [
                Speech.say(
                    "request.there-is-no-request-that-is",
                    "No request is \(state, "state"). To make a request, for example: \(example, "example")"
                )
            ]
        }
    }

    static func show(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        let (request, apps, provers) = try await ServiceClients.with(invocation.directories) { clients in
            let requests = try await all(clients)
            guard let request = requests.first(where: { $0.request.lowercased() == name.lowercased() }) else {
                let text =
                    requests.first.map {
                        Message(
                            "request.not_found.latest-is",
                            """
                            There is no request “\(name, "name")”. Requests are called R1, R2 and so on. The \
                            latest is \($0.request, "latest").
                            """
                        )
                    }
                    ?? Message(
                        "request.not_found.no-request-yet",
                        "There is no request “\(name, "name")”. Requests are called R1, R2 and so on."
                    )
                throw Problem("request.not_found", text: text, help: "screentime request list")
            }
            let provers = try await clients.call(MemberList.self, Empty()).provers
            return (request, await names([request], invocation: invocation, clients: clients), provers)
        }
        return try invocation.show(
            json: JSONOutput.pretty(try json(request, apps: apps, invocation: invocation)),
            wraps: true
        ) {
            RequestText.details(
                request,
                apps: apps,
                moments: invocation.moments,
                provers: provers,
                terminal: invocation.terminal
            )
        }
    }

    static func revoke(_ invocation: Invocation) async throws -> ExitCode {
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            let reply = try await clients.callTyped(
                RequestRevoke.self,
                .init(request: invocation.subjects[0])
            )
            return (reply, await names([reply.request], invocation: invocation, clients: clients))
        }
        let what = RequestText.summary(reply.request, apps)
        let text =
            reply.request.state == .withdrawn
            ? Speech.say("request.is-withdrawn", "\(what, "what") is withdrawn.")
            : Speech.say("request.is-taken-back", "\(what, "what") is revoked.")
        return try show(reply, text: text, invocation: invocation)
    }

    // MARK: - Shared with RequestAnswering

    /// Loads the names of the requested apps.
    static func names(_ requests: [RequestView], invocation: Invocation, clients: ServiceClients) async
        -> DisplayNames
    {
        await .load(of: requests.flatMap(\.items), invocation, clients)
    }

    /// Returns the request in the format of the wire, with added descriptions.
    private static func json(_ request: RequestView, apps: DisplayNames, invocation: Invocation) throws
        -> JSONValue
    {
        guard case .object(var members) = try JSONOutput.value(of: request) else { return .null }
        members["says"] = .string(RequestText.summary(request, apps))
        members["stands"] = .string(request.statusText(invocation.moments))
        return .object(members)
    }

    static func show(_ reply: RequestAnswered, text: String, invocation: Invocation) throws -> ExitCode {
        try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            ["\(invocation.terminal.styled(reply.request.request, .bold)): \(text)"]
        }
    }

    private static func all(
        _ clients: ServiceClients,
        member: String? = nil,
        state: RequestState? = nil
    ) async throws -> [RequestView] {
        try await clients.all(
            RequestList.self,
            .init(member: member, state: state),
            rows: \.requests,
            next: (\.next, \.next)
        )
    }
}
