import STContracts
import STDomain
import STPlatform

/// `screentime limit|downtime|window|goal|allow …`, and `rule …` for rules of all kinds.
enum RuleCommand {
    static let commands: [Command] = kinds.flatMap(commands(of:)) + union

    /// The syntax of the commands for one kind of rule.
    private struct Kind {
        var kind: RuleKind
        var summary: Message
        var subjects: [Command.Subject]
        var example: String
        /// The subject that `edit` may change in addition to the options, and an example of it.
        var change: Command.Subject
        var changeExample: String
    }

    private static let subject = Command.Subject(
        "SUBJECT",
        "an app such as firefox, category:social or site:reddit.com",
        key: "help.arg-subject.an-app-such-as-firefox",
        // `--selection` can replace them.
        isOptional: true,
        isRepeated: true
    )
    private static let duration = Command.Subject("DURATION", "such as 30m or 1h30m")
    private static let window = Command.Subject("WINDOW", "a time range, such as 17:00-20:00")

    private static let kinds: [Kind] = [
        Kind(
            kind: .limit,
            summary: Message("help.kind-limit", "a daily time limit; SUBJECT may be `everything`"),
            subjects: [subject, duration],
            example: "screentime limit add firefox 30m --say 'You promised' --warn 5m",
            change: duration,
            changeExample: "screentime limit edit firefox 45m"
        ),
        Kind(
            kind: .downtime,
            summary: Message("help.kind-downtime", "a time without the computer"),
            subjects: [window],
            example: "screentime downtime add 21:30-07:00 --on sun-thu",
            change: window,
            changeExample: "screentime downtime edit downtime 22:00-07:00"
        ),
        Kind(
            kind: .window,
            summary: Message(
                "help.kind-window",
                "the hours in which an app, a site or a category may be used"
            ),
            subjects: [subject, window],
            example: "screentime window add category:social 17:00-20:00",
            change: window,
            changeExample: "screentime window edit social-window 18:00-20:00"
        ),
        Kind(
            kind: .goal,
            summary: Message(
                "help.kind-goal",
                "an amount of use after which other apps, sites or categories open"
            ),
            subjects: [subject, duration],
            example: "screentime goal add code 2h --opens category:games",
            change: duration,
            changeExample: "screentime goal edit code-goal 1h30m"
        ),
        Kind(
            kind: .break,
            summary:
                Message(
                    "help.kind-break",
                    """
                    a break that is due after an amount of use; it waits until media playback, a call or \
                    full-screen use ends
                    """
                ),
            subjects: [
                Command.Subject(
                    "DURATION",
                    "length of the break, such as 5m",
                    key: "help.arg-duration.how-long-the-break-is"
                )
            ],
            example: "screentime break add 5m --after 50m",
            change: duration,
            changeExample: "screentime break edit break 10m"
        ),
        Kind(
            kind: .allow,
            summary: Message("help.kind-allow", "apps, sites and categories that rules never block"),
            subjects: [subject],
            example: "screentime allow add org.keepassxc.KeePassXC",
            change: subject,
            changeExample: "screentime allow edit keepassxc-allowed org.keepassxc.KeePassXC"
        ),
    ]

    private static let name = Command.Subject(
        "NAME",
        "the rule's name; `rule list` shows it",
        key: "help.arg-name.the-rules-name-rule-list"
    )

    private static func commands(of kind: Kind) -> [Command] {
        let noun = kind.kind.rawValue
        let isAllow = kind.kind == .allow
        let options = options(of: kind.kind)
        var change = kind.change
        change.isOptional = true
        return [
            Command(
                [noun, "add"],
                "Adds a rule: \(kind.summary, "rule")",
                key: "help.rule-add",
                subjects: kind.subjects,
                options: options + selection(of: kind.kind)
                    + [
                        .init(
                            "--member",
                            value: "NAME",
                            summary: "for this person; for you by default",
                            key: "help.--member.for-this-person-for-you"
                        ), ProofPrompt.option,
                    ] + naming(of: kind.kind) + [
                        .json
                    ],
                example: kind.example
            ) { try await RuleEditCommand.add(kind.kind, $0) },
            isAllow
                ? Command(
                    [noun, "list"],
                    "Shows the always-allowed list",
                    key: "help.allow-list",
                    options: [memberOption, .ids, .json],
                    example: "screentime allow list"
                ) { try await RuleListCommand.list(.allow, $0) }
                : Command(
                    [noun, "list"],
                    "Lists the rules of this kind, and how much of each is used up",
                    key: "help.rule-list-of-kind",
                    options: [memberOption, .ids, .json],
                    example: "screentime \(noun) list"
                ) { try await RuleListCommand.list(kind.kind, $0) },
            Command(
                [noun, "show"],
                "Shows everything about one rule of this kind",
                key: "help.rule-show-of-kind",
                subjects: [name],
                options: [.ids, .json],
                example: "screentime \(noun) show evening"
            ) { try await RuleListCommand.show(kind.kind, $0) },
            Command(
                [noun, "edit"],
                "Changes only the values that you give",
                key: "help.rule-edit-of-kind",
                subjects: [name, change],
                options: options + [ProofPrompt.option, .json],
                example: kind.changeExample
            ) { try await RuleEditCommand.edit(kind.kind, $0) },
            Command(
                [noun, "remove"],
                "Removes one rule of this kind",
                key: "help.rule-remove-of-kind",
                subjects: [name],
                options: [ProofPrompt.option, .json],
                example: "screentime \(noun) remove evening"
            ) { try await RuleEditCommand.remove(kind.kind, $0) },
        ]
    }

    private static func naming(of kind: RuleKind) -> [Command.Option] {
        guard kind != .break else { return [] }
        return [
            .init("--all", value: nil, summary: "if several apps have this name, uses all of them"),
            .init(
                "--anyway",
                value: nil,
                summary: "accepts the name of an app that is not installed here yet"
            ),
        ]
    }

    private static let memberOption = Command.Option(
        "--member",
        value: "NAME",
        summary: "limits the output to this person",
        key: "help.--member.only-this-persons"
    )

    private static func options(of kind: RuleKind) -> [Command.Option] {
        let name = Command.Option(
            "--name",
            value: "NAME",
            summary: "name of the rule; by default the name of its app, site or category"
        )
        guard kind != .allow else { return [name] }
        let words =
            switch kind {
            case .limit, .goal: "{app}, {used}, {left}, {limit}"
            case .window: "{app}, {limit}"
            case .break: "{used}, {limit}"
            case .downtime, .allow, .session, .unknown: "{left}, {limit}"
            }
        let warning =
            kind == .limit
            ? Command.Option(
                "--warn",
                value: "DURATION",
                summary: """
                    warns this long before the limit is reached; 5m by default for limits of 10m and more, 0 for \
                    no warning
                    """
            )
            : Command.Option(
                "--warn",
                value: "DURATION",
                summary: "warns this long in advance; 0 removes the warning",
                key: "help.--warn.zero-takes-it-away"
            )
        return own(kind) + [
            .init(
                "--on",
                value: "DAYS",
                summary: "the days, such as mon-fri or sat,sun; every day by default"
            ),
            .init(
                "--except",
                value: "DATES",
                summary: """
                    dates on which the rule does not apply, such as 2026-12-24..2027-01-06, or a file such as \
                    holidays.ics; 0 for none
                    """
            ),
            warning,
            .init(
                "--say",
                value: "TEXT",
                summary: "your own text for the notification; \(words, "words") are replaced by their values"
            ),
            .init(
                "--then",
                value: "notify|shield",
                summary: """
                    what happens: a notification (default for your own rules) or a shield (default for a \
                    child's rules)
                    """
            ),
            name,
        ]
    }

    /// Returns the options that other kinds of rules do not have.
    private static func own(_ kind: RuleKind) -> [Command.Option] {
        let amounts: [Command.Option] = [
            .init(
                "--weekend",
                value: "DURATION",
                summary: """
                    amount on Saturdays and Sundays, and on the dates of --except; 0 for the same as on other \
                    days
                    """
            ),
            .init(
                "--overlap",
                value: "each|once",
                summary:
                    "whether simultaneous use on two machines counts on each or only once; each by default"
            ),
        ]
        return switch kind {
        case .limit: amounts
        case .goal:
            [
                .init(
                    "--opens",
                    value: "SUBJECTS",
                    summary:
                        "apps, categories and sites that open once the goal is reached, separated by commas"
                )
            ]
                + amounts
        case .downtime:
            [
                .init(
                    "--only",
                    value: "LIST",
                    summary:
                        "apps and sites that stay open during the downtime, separated by commas; 0 for none"
                )
            ]
        case .break:
            [
                .init(
                    "--after",
                    value: "DURATION",
                    summary: "amount of use without a break after which the break is due, such as 50m"
                )
            ]
        case .window, .allow, .session, .unknown: []
        }
    }

    private static func selection(of kind: RuleKind) -> [Command.Option] {
        guard kind != .downtime, kind != .break else { return [] }
        return [
            .init(
                "--selection",
                place: .file,
                summary: "more apps, sites and categories, from a file that `screentime pick` wrote"
            )
        ]
    }

    private static let union: [Command] = [
        Command(
            ["rule", "list"],
            "Lists the rules of all kinds, and how much of each is used up",
            options: [memberOption, .ids, .json],
            example: "screentime rule list"
        ) { try await RuleListCommand.list(nil, $0) },
        Command(
            ["rule", "show"],
            "Shows everything about one rule",
            subjects: [name],
            options: [.ids, .json],
            example: "screentime rule show evening"
        ) { try await RuleListCommand.show(nil, $0) },
        Command(
            ["rule", "remove"],
            "Removes a rule",
            subjects: [name],
            options: [ProofPrompt.option, .json],
            example: "screentime rule remove evening"
        ) { try await RuleEditCommand.remove(nil, $0) },
        Command(
            ["rule", "apply"],
            """
            Creates and updates rules from files: `anna.rules` for a person, and `@class-5b.rules` for a \
            group of accounts
            """,
            subjects: [
                .init(
                    .folder,
                    "a folder of files with a line for each rule, such as `games: limit category:games 1h`"
                )
            ],
            options: [
                .init(
                    "--only",
                    value: nil,
                    summary: "removes all other rules of these people",
                    key: "help.--only.removes-all-other-rules-of"
                ),
                .init("--dry-run", value: nil, summary: "only shows what would happen"),
                .init(
                    "--passcode",
                    place: .file,
                    summary: "a file with a guardian's passcode, for the rules of a child"
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime rule apply /etc/screentime/rules --only"
        ) { try await RuleFolder.apply($0) },
        Command(
            ["rule", "except"],
            "Gives all rules of a person the same exception dates, and replaces earlier ones",
            subjects: [.init("DATES", "\(ExceptionDays.expectation, "days"); 0 for none")],
            options: [
                .init(
                    "--member",
                    value: "NAME",
                    summary: "this person's rules; yours by default",
                    key: "help.--member.this-persons-rules-yours-by"
                ), ProofPrompt.option, .json,
            ],
            example: "screentime rule except 2026-12-24..2027-01-06"
        ) { try await RuleEditCommand.except($0) },
        Command(
            ["rule", "pause"],
            "Pauses a rule for a while; notifications that still apply are delivered afterwards",
            subjects: [name],
            options: [
                .init("--for", value: "DURATION", summary: "length of the pause; at most 31 days"),
                .init(
                    "--end",
                    value: nil,
                    summary: "ends the pause now",
                    key: "help.--end.ends-the-pause-now"
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime rule pause evening --for 1h"
        ) { try await RuleEditCommand.pause($0) },
    ]
}

/// `screentime rule delay`: shows and sets the delay of changes that loosen a rule.
enum RuleDelayCommand {
    static let command = Command(
        ["rule", "delay"],
        """
        Delays changes that loosen a rule; stricter changes take effect immediately. Without DURATION, shows \
        the delay
        """,
        subjects: [
            .init(
                "DURATION",
                "such as 1h, at most 7d; 0 for no delay",
                key: "help.arg-duration.such-as-1h-at-most",
                isOptional: true
            )
        ],
        options: [
            .init(
                "--member",
                value: "NAME",
                summary: "this person's rules; yours by default",
                key: "help.--member.this-persons-rules-yours-by"
            ), ProofPrompt.option, .json,
        ],
        example: "screentime rule delay 1h"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let delayMs = try duration(invocation.subjects.first)
        let member = invocation.value("--member")
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(member, clients)
            return try await ProofPrompt(invocation).run { proof in
                try await clients.callTyped(
                    RuleDelay.self,
                    .init(member: member, delayMs: delayMs, proof: proof)
                )
            }
        }
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            text(reply, invocation.moments)
        }
    }

    private static func duration(_ text: String?) throws(Problem) -> Int64? {
        guard let text else { return nil }
        if text == "0" || text == "off" { return 0 }
        guard let ms = TextFormat.durationMs(text) else {
            throw Problem(
                "usage.bad_duration",
                "“\(text, "text")” is not a duration. Write it as 30m, 1h or 2d.",
                key: "usage.bad_duration.is-not-a-length",
                help: "screentime rule delay 1h"
            )
        }
        return ms
    }

    static func text(_ reply: RuleDelay.Reply, _ moments: MomentFormatter) -> [String] {
        let member = DisplayWidth.sanitized(reply.member)
        var lines: [String] = []
        if reply.delayMs == 0 {
            lines.append(
                Speech.say(
                    "rule.every-change-to-a",
                    "Every change to a rule for \(member, "member") takes effect immediately."
                )
            )
        } else {
            let length = Speech.duration(ms: reply.delayMs)
            lines.append(
                Speech.say(
                    "rule.a-change-that-loosens",
                    """
                    A change that loosens a rule for \(member, "member") takes effect after \
                    \(length, "length"). A stricter change takes effect immediately.
                    """
                )
            )
            lines.append(
                Speech.say(
                    "rule.moving-an-app-or",
                    """
                    Moving an app or a site to another category takes effect immediately, even if a rule \
                    applies to one of these categories.
                    """
                )
            )
        }
        if let next = reply.nextDelayMs, let from = reply.nextFromWallMs {
            let length = Speech.duration(ms: next)
            let wait =
                next == 0
                ? Speech.say("rule.no-change-waits", "there is no delay")
                : Speech.say("rule.it-waits", "the delay is \(length, "length")")
            let start = moments.text(from)
            lines.append(
                Speech.say(
                    "rule.from-making-the-wait",
                    """
                    From \(start, "start"), \(wait, "wait"). A change that shortens the delay is delayed \
                    too. To keep the longer delay: 
                    """
                ) + "screentime rule delay \(TextFormat.typedDuration(ms: reply.delayMs))"
            )
        }
        return lines
    }
}
