import STContracts
import STDomain
import STPlatform

/// `screentime focus` and `stop`: sessions in which nothing but the named items is open.
enum SessionCommand {
    private static let left = "{left}"
    private static let say = Command.Option(
        "--say",
        value: "TEXT",
        summary: "your own text on the shields; \(left, "left") is replaced by the time left",
        key: "help.--say.your-own-words-on-the"
    )

    static let commands: [Command] = [
        Command(
            ["focus"],
            "Starts a focus session, in which only the apps and sites that you name are open",
            subjects: [
                .init(
                    "DURATION",
                    "length of the session, such as 50m; at most 24h",
                    key: "help.arg-duration.for-how-long-such-as"
                )
            ],
            options: [
                .init(
                    "--only",
                    value: "LIST",
                    summary:
                        "apps and sites that stay open, separated by commas, such as code,site:docs.python.org",
                    key: "help.--only.apps-and-sites-with-commas"
                ),
                say,
                .init(
                    "--member",
                    value: "NAME",
                    summary: "for this person; for you by default",
                    key: "help.--member.for-this-person-for-you"
                ),
                .init("--all", value: nil, summary: "if several apps have this name, uses all of them"),
                .init(
                    "--anyway",
                    value: nil,
                    summary: "accepts the name of an app that is not installed here yet"
                ), .json,
            ],
            example: "screentime focus 50m --only code,evince"
        ) { try await focus($0) },
        Command(
            ["stop"],
            "Ends a person's computer time, from now until midnight",
            subjects: [
                .init(
                    "NAME",
                    "the person; to stop Screen Time itself, use `system down`",
                    key: "help.arg-name.whose-time-is-over-screen"
                ),
                .init("now", "optional, because `stop` always takes effect immediately", isOptional: true),
            ],
            options: [
                .init(
                    "--for",
                    value: "DURATION",
                    summary: "for this long instead of until midnight, such as 1h",
                    key: "help.--for.for-so-long-such-as"
                ),
                say, .json,
            ],
            example: "screentime stop kid now --say 'Dinner is ready'"
        ) { try await stop($0) },
    ]

    private static func focus(_ invocation: Invocation) async throws -> ExitCode {
        let word = invocation.subjects[0]
        let only = invocation.value("--only")
        guard let durationMs = TextFormat.durationMs(word) else {
            throw Problem(
                "usage.bad_duration",
                "“\(word, "word")” is not a duration. Write it as 50m or 1h30m.",
                key: "usage.bad_duration.is-not-a-length-of",
                help: "screentime focus 50m --only \(ShellText.quote(only ?? "code"))"
            )
        }
        guard let list = only else {
            throw Problem(
                "usage.option_missing",
                "Add --only to name the apps and sites that stay open.",
                key: "usage.option_missing.say-with-only",
                help: "screentime focus \(word) --only code"
            )
        }
        let words = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let line = "screentime focus \(word) --only"
        let items = try SubjectReader.items(words, after: line)
        guard !items.isEmpty else {
            throw Problem(
                "usage.bad_subject",
                "A focus session cannot leave everything open. Name apps or sites.",
                key: "usage.bad_subject.with-everything-open",
                help: "\(line) code"
            )
        }
        let spec = RuleSpec(
            kind: .session,
            member: invocation.value("--member"),
            targets: items,
            durationMs: durationMs,
            say: invocation.value("--say")
        )
        return try await RuleEditCommand.add(spec, invocation)
    }

    private static func stop(_ invocation: Invocation) async throws -> ExitCode {
        let name = invocation.subjects[0]
        guard invocation.subjects.count == 1 || invocation.subjects[1] == "now" else {
            throw Problem(
                "usage.bad_subject",
                "`stop` always takes effect immediately. Set how long it lasts with --for.",
                key: "usage.bad_subject.it-always-begins",
                help: "screentime stop \(name) now --for 1h"
            )
        }
        let spec = RuleSpec(
            kind: .session,
            member: name,
            durationMs: (try invocation.duration("--for") ?? untilMidnight(invocation.now)).ms,
            say: invocation.value("--say")
        )
        return try await RuleEditCommand.add(spec, invocation)
    }

    /// Returns the time until midnight, rounded up to whole seconds because rules use whole seconds.
    private static func untilMidnight(_ now: WallTime) -> Duration {
        let restMs = LocalDay(zone: LocalZone.identifier()).end(ofDayAtWallMs: now.ms) - now.ms
        // A day on which clocks go back has 25 hours, but a session has at most 24.
        return min(.seconds(86_400), .seconds((restMs + 999) / 1000))
    }
}
