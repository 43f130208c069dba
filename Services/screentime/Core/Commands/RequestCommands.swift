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
