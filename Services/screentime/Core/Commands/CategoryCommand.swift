package import STContracts
import STPlatform

/// `screentime category …`.
enum CategoryCommand {
    static let commands: [Command] = [
        Command(
            ["category", "list"],
            "Lists the categories, the apps and sites that were moved, and added lists of sites",
            options: [.json],
            example: "screentime category list"
        ) { try await list($0) },
        Command(
            ["category", "set"],
            "Moves an app or a site into a category, for usage from now on",
            subjects: [
                .init("SUBJECT", "an app, or site:DOMAIN", key: "help.arg-subject.an-app-or-site-domain"),
                .init("CATEGORY", "the category, such as social; `default` undoes the move"),
            ],
            options: [ProofPrompt.option, .json],
            example: "screentime category set firefox social"
        ) { try await set($0) },
        Command(
            ["category", "show"],
            "Shows the category and name of an app or a site, and why it is in that category",
            subjects: [
                .init("SUBJECT", "an app, or site:DOMAIN", key: "help.arg-subject.an-app-or-site-domain")
            ],
            options: [.json],
            example: "screentime category show site:reddit.com"
        ) { try await show($0) },
        Command(
            ["category", "add"],
            "Adds a list of sites to a category, and replaces any list of the same name",
            subjects: [.init("LIST", "the name of the list")],
            options: [
                .init(
                    "--from",
                    place: .file,
                    summary: "a file with one site per line, or a hosts file; - reads standard input",
                    key: "help.--from.one-site-a-line-or"
                ),
                .init(
                    "--to",
                    value: "CATEGORY",
                    summary: "the category, such as games",
                    key: "help.--to.such-as-games"
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime category add gaming-sites --from hosts.txt --to games"
        ) { try await DomainListUpload.add($0) },
        Command(
            ["category", "remove"],
            "Removes a list of sites",
            subjects: [
                .init(
                    "LIST",
                    "the name of the list; `category list` shows it",
                    key: "help.arg-list.its-name-category-list-shows"
                )
            ],
            options: [ProofPrompt.option, .json],
            example: "screentime category remove gaming-sites"
        ) { try await remove($0) },
    ]

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            var all = try await clients.call(CategoryList.self, .init())
            while let next = all.next {
                let page = try await clients.call(CategoryList.self, .init(next: next))
                all.choices += page.choices
                all.next = page.next
            }
            let ids = invocation.wantsJSON ? [] : all.choices.map(\.subject)
            return (
                all,
                ids.isEmpty
                    ? DisplayNames() : await DisplayNames.load(ids, invocation: invocation, clients: clients)
            )
        }
        let terminal = invocation.terminal
        var lines = [
            Speech.say("category.categories", "Categories: ") + reply.categories.joined(separator: ", ")
        ]
        if reply.choices.isEmpty {
            lines += [
                "",
                ProblemText.asTyped(
                    Speech.say(
                        "category.no-app-or-site",
                        "No app or site has been moved yet; `screentime category set SUBJECT CATEGORY` moves one."
                    )
                ),
            ]
        } else {
            var table = TextTable([
                (Speech.say("category.moved", "MOVED"), .left), (Speech.say("category.to", "TO"), .left),
            ])
            for choice in reply.choices {
                table.add([.init(apps.titled(choice.subject)), .init(choice.category)])
            }
            lines += [""] + table.lines(columns: terminal.columns, terminal)
        }
        if let lists = reply.lists, !lists.isEmpty {
            var table = TextTable([
                (Speech.say("category.list", "LIST"), .left), (Speech.say("category.sites", "SITES"), .right),
                (Speech.say("category.in", "IN"), .left), (Speech.say("category.added", "ADDED"), .left),
            ])
            for list in lists {
                table.add([
                    .init(list.name), .init(String(list.count)), .init(list.category),
                    .init(TimeText.text(wire: list.addedAt), .dim),
                ])
            }
            lines += [""] + table.lines(columns: terminal.columns, terminal)
        }
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) { lines }
    }

    private static func set(_ invocation: Invocation) async throws -> ExitCode {
        let category = invocation.subjects[1] == "default" ? nil : invocation.subjects[1]
        let (reply, apps) = try await ServiceClients.with(invocation.directories) { clients in
            let reply = try await ProofPrompt(invocation).run { proof in
                try await clients.call(
                    CategorySet.self,
                    .init(subject: invocation.subjects[0], category: category, proof: proof)
                )
            }
            if invocation.wantsJSON { return (reply, DisplayNames()) }
            return (reply, await DisplayNames.load([reply.subject], invocation: invocation, clients: clients))
        }
        let rest = reply.isOwn ? "" : Speech.say("category.which-is-the-default", ", which is the default")
        let name = apps[reply.subject]
        return try invocation.show(
            json: try JSONOutput.pretty(of: reply),
            text: Speech.say(
                "category.counts-as-from-now",
                "From now on, \(name, "name") counts as \(reply.category, "category")\(rest, "rest")."
            )
        )
    }

    private static func show(_ invocation: Invocation) async throws -> ExitCode {
        let reply = try await ServiceClients.with(invocation.directories) {
            try await $0.call(CategoryFacts.self, .init(subjects: [invocation.subjects[0]]))
        }
        guard let facts = reply.facts.first else { return .no }
        return try invocation.show(json: try JSONOutput.pretty(of: facts)) {
            CategoryText.facts(facts, invocation.terminal)
        }
    }

    private static func remove(_ invocation: Invocation) async throws -> ExitCode {
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await ProofPrompt(invocation).run { proof in
                try await clients.call(
                    CategoryListRemove.self,
                    .init(name: invocation.subjects[0], proof: proof)
                )
            }
        }
        let name = DisplayWidth.sanitized(reply.name)
        return try invocation.show(
            json: try JSONOutput.pretty(of: reply),
            text: Speech.say(
                "category.removed-from-now-on",
                """
                Removed \(name, "name") (sites: \(reply.count, "count")). Its sites now belong to their \
                previous categories again.
                """
            )
        )
    }
}

/// The screen of `category show`.
package enum CategoryText {
    package static func facts(_ facts: SubjectFacts, _ terminal: Terminal) -> [String] {
        let subject = DisplayWidth.sanitized(facts.subject)
        let title = facts.name.map { DisplayNames([facts.subject: $0]).titled(facts.subject) } ?? subject
        var lines = [terminal.styled(title, .bold) + ": \(facts.category)"]
        let why =
            switch facts.source {
            case .person:
                Speech.say("category.you-put-it-there", "you put it there with `category set`")
            case .desktop: Speech.say("category.its-desktop-entry-says", "its desktop entry says so")
            case .list:
                facts.list.map { DisplayWidth.sanitized($0) }
                    .map { Speech.say("category.your-list-has-it", "your list \($0, "item") includes it") }
                    ?? Speech.say(
                        "category.the-list-that-comes",
                        "the list that comes with this program includes it"
                    )
            case .unknown:
                Speech.say(
                    "category.no-list-knows-it",
                    """
                    no list includes it (to choose a category, run `category set \(subject, "subject") \
                    CATEGORY`)
                    """
                )
            }
        lines.append("  " + Speech.say("category.because", "Because \(why, "why")."))
        if let name = facts.name {
            let others = facts.names.sorted { $0.key < $1.key }.map { "\($0.value) (\($0.key))" }
            lines.append(
                "  " + Speech.say("category.name", "Name: ")
                    + DisplayWidth.sanitized(([name] + others).joined(separator: ", "))
            )
        }
        if let icon = facts.icon {
            lines.append("  " + Speech.say("category.icon", "Icon: ") + DisplayWidth.sanitized(icon))
        }
        return lines
    }
}
