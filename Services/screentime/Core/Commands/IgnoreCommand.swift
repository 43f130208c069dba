import STContracts
import STDomain
import STPlatform

/// `screentime ignore …`: apps and sites whose names are not recorded.
enum IgnoreCommand {
    private static let subject = Command.Subject(
        "SUBJECT",
        "an app, or site:DOMAIN",
        key: "help.arg-subject.an-app-or-site-domain"
    )

    static let commands: [Command] = [
        Command(
            ["ignore", "list"],
            "Lists the apps and sites that are not recorded under their names",
            options: [.json],
            example: "screentime ignore list"
        ) { try await list($0) },
        Command(
            ["ignore", "add"],
            "Records an app as “Private” from now on, or a site only as usage of its browser",
            subjects: [subject],
            options: [
                .init(
                    "--anyway",
                    value: nil,
                    summary: "accepts the name of an app that is not installed here yet"
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime ignore add firefox"
        ) { try await set($0, to: CategoryChoice.private) },
        Command(
            ["ignore", "remove"],
            "Records an app or a site under its name again, from now on",
            subjects: [subject],
            options: [ProofPrompt.option, .json],
            example: "screentime ignore remove firefox"
        ) { try await set($0, to: nil) },
    ]

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let (subjects, apps) = try await ServiceClients.with(invocation.directories) { clients in
            let all = try await ignored(clients)
            return (all, await DisplayNames.load(all, invocation: invocation, clients: clients))
        }
        let lines =
            subjects.isEmpty
            ? [
                ProblemText.asTyped(
                    Speech.say(
                        "ignore.everything-is-kept-by",
                        "Everything is recorded under its name. To ignore an app, for example: "
                    )
                        + "screentime ignore add firefox"
                )
            ]
            : subjects.map { "  " + apps.titled($0) }
        return invocation.show(
            json: JSONOutput.pretty(["ignored": .array(subjects.map { .string($0) })])
        ) { lines }
    }

    private static func ignored(_ clients: ServiceClients) async throws -> [String] {
        let choices = try await clients.all(
            CategoryList.self,
            CategoryList.Request(),
            rows: \.choices,
            next: (\.next, \.next)
        )
        return choices.filter { $0.category == CategoryChoice.private }.map(\.subject)
    }

    private static func set(_ invocation: Invocation, to category: String?) async throws -> ExitCode {
        let typed = try SubjectReader.items(invocation.subjects, after: "screentime ignore add")
        guard let item = typed.first, item.kind != .category else {
            throw Problem(
                "usage.bad_subject",
                "Name an app or a site; a category cannot be ignored.",
                key: "usage.bad_subject.name-an-app",
                help: "screentime ignore add firefox"
            )
        }
        let (reply, notes, rules, apps) = try await ServiceClients.with(invocation.directories) { clients in
            var resolving = AppArgumentResolver(
                await AppFinder.load(invocation, clients),
                takesAny: invocation.has("--anyway") || category == nil
            )
            let item = try resolving.items([item])[0]
            let subject = item.kind == .domain ? "site:\(item.id)" : item.id
            let known = category == nil ? try await ignored(clients) : [subject]
            guard known.contains(subject) else {
                throw Problem(
                    "ignore.not_found",
                    "“\(DisplayWidth.sanitized(invocation.subjects[0]), "subjects")” is not ignored.",
                    help: "screentime ignore list"
                )
            }
            let reply = try await ProofPrompt(invocation).run { proof in
                try await clients.call(
                    CategorySet.self,
                    .init(subject: subject, category: category, proof: proof)
                )
            }
            let rules = try await RuleListCommand.all(clients).filter { $0.rule.targets.contains(item) }
            return (
                reply, resolving.remarks, rules,
                await DisplayNames.load([subject], invocation: invocation, clients: clients)
            )
        }
        let name = apps[reply.subject]
        let kept =
            item.kind == .domain
            ? Speech.say("ignore.as-use-of-the", "only as usage of the browser")
            : Speech.say("ignore.as-private", "as “Private”")
        var lines = [
            category == nil
                ? Speech.say(
                    "ignore.is-kept-by-its",
                    "\(name, "name") is recorded under its name from now on."
                )
                : Speech.say(
                    "ignore.is-kept-from-now",
                    """
                    \(name, "name") is recorded \(kept, "days") from now on. Earlier records stay; \
                    `screentime data forget` deletes them.
                    """
                )
        ]
        if category != nil, !rules.isEmpty {
            let names = rules.map { DisplayWidth.sanitized($0.rule.name ?? $0.id) }.joined(separator: ", ")
            lines.append(
                Speech.say(
                    "ignore.its-use-no-longer",
                    "Its usage no longer counts for these rules: \(names, "names")."
                )
            )
        }
        lines += notes.map { Speech.say("ignore.note", "Note: ") + DisplayWidth.sanitized($0) }
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            lines.map(ProblemText.asTyped)
        }
    }
}
