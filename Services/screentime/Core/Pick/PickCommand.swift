import Glibc
import STContracts
import STDomain
import STPlatform

/// `screentime pick`: writes a selection of apps, categories and sites to a file.
enum PickCommand {
    static let command = Command(
        ["pick"],
        "Lets you choose apps, categories and sites in the terminal, and writes a selection file",
        subjects: [
            .init(
                "SUBJECT",
                "selects without prompting: firefox, category:social, site:reddit.com",
                isOptional: true,
                isRepeated: true
            )
        ],
        options: [
            .init(
                "--from",
                place: .file,
                summary:
                    "starts with the selection in this file; keeps and marks apps that are no longer installed",
                key: "help.--from.starts-with-the-choice-saved"
            ),
            .init("--output", place: .file, summary: "file for the selection; standard output by default"),
            .init(
                "--app",
                value: "APP",
                summary: "writes tokens for this app, in the form that apps store",
                key: "help.--app.writes-tokens-for-this-app"
            ),
            .init(
                "--names",
                value: nil,
                summary: "writes names instead of tokens; --app then applies only to the tokens in --from"
            ),
            .init(
                "--member",
                value: "NAME",
                summary: "the person whose permission the tokens of --app belong to",
                key: "help.--member.the-person-whose-permission-the"
            ),
            .init(
                "--entire-categories",
                value: nil,
                summary: """
                    a selected category includes everything in it, as with includeEntireCategory in Apple's \
                    FamilyActivitySelection
                    """
            ),
            .init("--list", value: nil, summary: "only lists what can be chosen"),
            .init("--search", value: "TEXT", summary: "only lists entries with this text in their names"),
            .init("--language", value: "CODE", summary: "the language of names; yours by default"),
            .json,
        ],
        example: "screentime pick --from selection.json --output selection.json"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        try check(invocation)
        let language = try LanguageOption.read(invocation)
        if invocation.has("--list") || invocation.has("--search") {
            return try await PickListing.run(invocation, language)
        }
        let named = try SubjectReader.items(invocation.subjects, after: "screentime pick")
        let before = try invocation.value("--from").map { try PickFile.read($0) }
        return try await ServiceClients.with(invocation.directories) { clients in
            let app = invocation.value("--app")
            let member = invocation.value("--member")
            try await NameCheck.checkMember(member, clients)
            try await NameCheck.checkApp(app, clients)
            var selection = PickSelection()
            if let before {
                selection = try await PickTokens.names(before, app: app, member: member, clients)
            }
            if invocation.has("--entire-categories") { selection.includesEntireCategories = true }
            if invocation.subjects.isEmpty {
                guard
                    let chosen = try await choose(
                        selection,
                        invocation: invocation,
                        language: language,
                        clients: clients
                    )
                else {
                    let text = Speech.say(
                        "pick.left-without-saving",
                        "You left without saving. Nothing was changed."
                    )
                    invocation.terminal.note(text)
                    return .no
                }
                selection = chosen
            } else {
                selection.add(try named.map(checked))
            }
            guard selection.items.count <= PickFile.itemsMax else {
                throw Problem(
                    "selection.too_many",
                    "A selection can have at most \(PickFile.itemsMax, "most") entries. Leave some out."
                )
            }
            var file = PickFile(selection)
            if let app, !invocation.has("--names") {
                let tokens = try await PickTokens.issue(selection, app: app, member: member, clients)
                file = PickFile(selection, tokens: tokens)
            }
            try save(file, selection: selection, invocation: invocation)
            return .done
        }
    }

    private static func check(_ invocation: Invocation) throws(Problem) {
        if invocation.subjects.contains(SubjectReader.everything) {
            throw Problem(
                "usage.bad_subject",
                "A selection cannot contain “everything”. Only a limit can apply to everything.",
                key: "usage.bad_subject.a-selection-cannot",
                help: "screentime limit add everything 2h"
            )
        }
        let lists = invocation.has("--list") || invocation.has("--search")
        for name in ["--from", "--output", "--app", "--names", "--member", "--entire-categories"]
        where lists && invocation.has(name) {
            throw Problem(
                "usage.bad_option",
                "\(name, "name") cannot be combined with --list or --search, which do not make a selection.",
                help: "screentime pick --list"
            )
        }
        for name in ["--names", "--member"] where invocation.has(name) && !invocation.has("--app") {
            throw Problem(
                "usage.bad_option",
                "\(name, "name") applies to an app's tokens. Name the app with --app.",
                key: "usage.bad_option.is-about-an",
                help: "screentime pick --app APP \(name)"
            )
        }
    }

    private static func checked(_ item: TokenItem) throws -> TokenItem {
        guard item.kind != .domain else {
            return TokenItem(kind: .domain, id: try DomainName.checked(item.id, field: ""))
        }
        return try ItemCheck.checked(item, "", code: "usage.bad_subject")
    }

    private static func choose(
        _ selection: PickSelection,
        invocation: Invocation,
        language: String?,
        clients: ServiceClients
    ) async throws -> PickSelection? {
        let screen = try PickScreen(invocation.terminal, environment: invocation.environment)
        let source = await PickSource.load(invocation, language: language, clients)
        if let remark = source.remark { invocation.terminal.note(Speech.say(remark)) }
        let spoken = DisplayLanguage(of: language)
        return try await screen.run { columns, rows in
            PickerModel(
                apps: source.apps,
                selection: selection,
                language: spoken,
                map: source.map,
                columns: columns,
                rows: rows
            )
        }
    }

    private static func save(_ file: PickFile, selection: PickSelection, invocation: Invocation) throws {
        let text = try JSONOutput.pretty(of: file)
        guard let path = invocation.value("--output") else {
            invocation.terminal.write(text)
            return
        }
        try AtomicFile.write(Array((text + "\n").utf8), to: path, mode: 0o600)
        if invocation.wantsJSON {
            invocation.terminal.write(text)
            return
        }
        let words = PickStrings(language: Speech.language)
        let counts = [
            words.apps(selection.apps.count), words.countOfCategories(selection.categories.count),
            words.countOfSites(selection.sites.count),
        ].joined(separator: ", ")
        let shown = DisplayWidth.sanitized(path)
        invocation.terminal.write(
            Speech.say("pick.saved-in", "Saved in \(shown, "path"): \(counts, "counts").")
        )
    }
}

/// Converts names to the tokens of one app, and back. Only auth-service can do this.
enum PickTokens {
    private static let batch = 400

    static func issue(
        _ selection: PickSelection,
        app: String,
        member: String?,
        _ clients: ServiceClients
    ) async throws -> [String] {
        var tokens: [String] = []
        var rest = selection.items[...]
        while !rest.isEmpty {
            let items = Array(rest.prefix(batch))
            rest = rest.dropFirst(batch)
            tokens += try await clients.call(
                TokenIssue.self,
                .init(app: app, member: member, items: items)
            ).tokens
        }
        return tokens
    }

    /// Returns the names in a file, and the names that its tokens represent.
    static func names(_ file: PickFile, app: String?, member: String?, _ clients: ServiceClients) async throws
        -> PickSelection
    {
        var selection = file.names
        var rest = file.tokens[...]
        guard !rest.isEmpty else { return selection }
        guard let app else {
            throw Problem(
                "selection.has_tokens",
                """
                The selection contains an app's tokens, which only that app can read. Name the app with \
                --app.
                """,
                help: "screentime pick --from FILE --app APP"
            )
        }
        while !rest.isEmpty {
            let tokens = Array(rest.prefix(batch))
            rest = rest.dropFirst(batch)
            let reply = try await clients.call(
                TokenResolve.self,
                .init(app: app, member: member, tokens: tokens)
            )
            selection.add(reply.items)
        }
        return selection
    }
}
