/// `screentime bus …`: the open protocol by hand.
enum BusCommands {
    static let commands: [Command] = [
        Command(
            ["bus", "call"],
            "Sends one request and prints the reply",
            subjects: [
                .init("ROUTE", "such as health.ping; `screentime bus describe` lists them"),
                .init(
                    "JSON",
                    "the body: JSON, @file, or - for standard input; {} by default",
                    isOptional: true
                ),
            ],
            options: [
                .init("--to", "SERVICE", "who is asked; by default the one that has this route"),
                .init("--timeout", "DURATION", "how long to wait; 5s by default"),
                .init("--idempotency-key", "KEY", "the same key again does nothing twice"),
                .json,
            ],
            example: "screentime bus call health.ping '{}' --to notifier"
        ) { try await BusCall.run($0) },
        Command(
            ["bus", "listen"],
            "Prints events as they are published",
            subjects: [.init("TOPIC-PREFIX", "such as usage. or usage.segment.closed", isOptional: true)],
            options: [
                .init("--service", "SERVICE", "only what this one publishes"),
                .init("--count", "N", "ends after so many events"),
                .init("--for", "DURATION", "ends after so long"),
                .json,
            ],
            example: "screentime bus listen usage. --for 10s"
        ) { try await BusListen.run($0) },
        Command(
            ["bus", "describe"],
            "Lists routes and events, or prints the AsyncAPI document",
            subjects: [.init("SERVICE", "only this one, with its fields", isOptional: true)],
            options: [.init("--asyncapi", nil, "the whole bus as an AsyncAPI 3.0 document"), .json],
            example: "screentime bus describe activity-center"
        ) { try BusDescription.run($0) },
    ]
}
