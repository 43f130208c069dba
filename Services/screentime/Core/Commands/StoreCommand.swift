import STContracts
import STDomain
import STPlatform

/// `screentime store …`: the named stores of settings of apps and rules.
enum StoreCommand {
    static let commands: [Command] = [
        Command(
            ["store", "list"],
            "Lists the stores of settings, and whether each is in force",
            options: [
                .init(
                    "--app",
                    value: "APP",
                    summary: "only stores of this app",
                    key: "help.--app.only-of-this-app"
                ),
                .init(
                    "--member",
                    value: "NAME",
                    summary: "only stores of this person",
                    key: "help.--member.only-of-this-person"
                ),
                .json,
            ],
            example: "screentime store list"
        ) { try await list($0) },
        Command(
            ["store", "show"],
            "Shows the settings in a store, and how this computer applies each",
            subjects: [
                .init(
                    "APP/STORE",
                    "the app and the store, such as worklog/social; the store `default` can be left out"
                )
            ],
            options: [
                .init(
                    "--member",
                    value: "NAME",
                    summary: "the person; by default the owner of this account",
                    key: "help.--member.whose-by-default-the-owner"
                ), .json,
            ],
            example: "screentime store show worklog/social"
        ) { try await show($0) },
        Command(
            ["store", "clear"],
            "Removes all settings of a store; its app may set them again",
            subjects: [
                .init(
                    "APP/STORE",
                    "the app and the store, such as worklog/social",
                    key: "help.arg-app-store.such-as-worklog-social"
                )
            ],
            options: [
                .init(
                    "--member",
                    value: "NAME",
                    summary: "the person; by default the owner of this account",
                    key: "help.--member.whose-by-default-the-owner"
                ), .json,
            ],
            example: "screentime store clear worklog/social"
        ) { try await clear($0) },
    ]

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let app = invocation.value("--app")
        let member = invocation.value("--member")
        let stores = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(member, clients)
            return try await all(app: app, member: member, clients)
        }
        return try invocation.show(json: try JSONOutput.pretty(of: stores, named: "stores")) {
            StoreText.list(stores, invocation.terminal)
        }
    }

    private static func show(_ invocation: Invocation) async throws -> ExitCode {
        let (app, store) = try address(invocation.subjects[0])
        let request = SettingsGet.Request(app: app, member: invocation.value("--member"), store: store)
        let found = try await ServiceClients.with(invocation.directories) { clients in
            let view = try await view(request, clients)
            return (view: view, held: try await clients.call(SettingsGet.self, request))
        }
        let terminal = invocation.terminal
        return try invocation.show(
            json:
                JSONOutput.pretty([
                    "store": try JSONOutput.value(of: found.view),
                    "settings": .object(found.held.settings),
                ]),
            text: StoreText.show(found.view, held: found.held, terminal: terminal).joined(separator: "\n")
        )
    }

    private static func clear(_ invocation: Invocation) async throws -> ExitCode {
        let (app, store) = try address(invocation.subjects[0])
        let member = invocation.value("--member")
        let request = SettingsGet.Request(app: app, member: member, store: store)
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            _ = try await view(request, clients)
            return try await clients.call(SettingsClear.self, .init(app: app, member: member, store: store))
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(try JSONOutput.pretty(of: reply))
        } else {
            let name = "\(app)/\(store)".sanitized
            terminal.write(
                Speech.say(
                    "store.is-empty-now-may",
                    "\(name, "name") is empty now. \(app.sanitized, "app") may set its settings again."
                )
            )
        }
        return .done
    }

    /// Returns the store by that name. Throws for an unknown name, which would otherwise look like an empty store.
    private static func view(_ request: SettingsGet.Request, _ clients: ServiceClients)
        async throws -> StoreView
    {
        try await NameCheck.checkMember(request.member, clients)
        let stores = try await all(app: nil, member: request.member, clients)
        let names = stores.map { "\($0.app)/\($0.store)" }
        let wanted = "\(request.app)/\(request.store)"
        // Without a member, the store of the account's owner is meant.
        let owner =
            request.member == nil
            ? try? await clients.call(MemberList.self, Empty()).members.ofThisAccount : nil
        let found = stores.filter { "\($0.app)/\($0.store)" == wanted }
        if let view = found.first(where: { $0.member == (request.member ?? owner?.name ?? $0.member) }) {
            return view
        }
        let near = TextFormat.closest(to: wanted, in: names)
        throw Problem(
            "settings.no_store",
            text: near.map {
                Message(
                    "settings.no_store.did-you-mean",
                    "There is no store \(wanted.prefix(80), "store"). Did you mean \($0, "near")?"
                )
            }
                ?? Message(
                    "settings.no_store.there-is-none",
                    "There is no store \(wanted.prefix(80), "store")."
                ),
            help: "screentime store list",
            details: ProblemText.retyping(wanted, near)
        )
    }

    private static func all(app: String?, member: String?, _ clients: ServiceClients) async throws
        -> [StoreView]
    {
        try await clients.all(
            SettingsList.self,
            .init(app: app, member: member),
            rows: \.stores,
            next: (\.next, \.next)
        )
    }

    private static func address(_ text: String) throws(Problem) -> (app: String, store: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let store = parts.count == 2 ? String(parts[1]) : "default"
        guard let app = parts.first, !app.isEmpty, !store.isEmpty else {
            throw Problem(
                "usage.bad_subject",
                "“\(text, "text")” is not a store; write its app and its name, such as worklog/social.",
                key: "usage.bad_subject.is-not-a-store",
                help: "screentime store list"
            )
        }
        return (String(app), store)
    }
}

/// Text about stores of settings.
enum StoreText {
    static func list(_ stores: [StoreView], _ terminal: Terminal) -> [String] {
        guard !stores.isEmpty else {
            return [
                Speech.say(
                    "store.no-app-has-set",
                    """
                    There are no settings yet. Apps set them with ManagedSettingsStore, and rules set them \
                    automatically.
                    """
                )
            ]
        }
        var table = TextTable([
            (Speech.say("store.store", "STORE"), .left), (Speech.say("store.for", "FOR"), .left),
            (Speech.say("store.settings", "SETTINGS"), .right),
            (Speech.say("store.in-force", "IN FORCE"), .left),
            (Speech.say("store.since", "SINCE"), .left),
        ])
        for store in stores {
            table.add([
                .init("\(store.app)/\(store.store)"), .init(store.member), .init(String(store.count)),
                .init(
                    store.isInForce
                        ? Speech.say("store.yes", "yes")
                        : Speech.say("store.no", "no: ") + problem(store)
                ),
                .init(TimeText.text(wire: store.changedAt)),
            ])
        }
        return table.lines(columns: terminal.columns, terminal)
    }

    static func show(_ view: StoreView, held: SettingsGet.Reply, terminal: Terminal) -> [String] {
        let name = "\(view.app)/\(view.store)".sanitized
        let force =
            view.isInForce
            ? Speech.say("store.in-force-2", "in force")
            : Speech.say("store.not-in-force", "not in force: ") + problem(view).sanitized
        let member = view.member.sanitized
        let title = Speech.say("store.of", "\(name, "name") of \(member, "member"): \(force, "force")")
        var lines = [terminal.styled(title, .bold)]
        guard !held.settings.isEmpty else {
            return lines + [Speech.say("store.it-holds-nothing", "The store is empty.")]
        }
        for (setting, value) in held.settings.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(setting.sanitized): \(valueText(value).sanitized)")
            if let key = SettingKey.named(setting), key.reach != .enforced {
                lines.append(terminal.styled("    " + Speech.say(key.message), .dim))
            }
        }
        return lines
    }

    private static func problem(_ store: StoreView) -> String { store.problem.map { Speech.say($0) } ?? "" }

    /// Returns the text of a value. Tokens have no meaning for people, so a list of tokens is shown by its length.
    static func valueText(_ value: JSONValue) -> String {
        switch value {
        case .array(let items):
            let names = items.compactMap { $0["id"]?.string }
            return names.count == items.count
                ? names.joined(separator: ", ")
                : Speech.say("store.count-chosen", "\(items.count, "count") chosen")
        case .object(let members):
            if let note = ShieldNote(value) { return valueText(note) }
            guard case .string(let policy)? = members["policy"] else { break }
            let parts = ["categories", "domains", "except"].compactMap { key -> String? in
                guard let list = members[key], case .array(let items) = list, !items.isEmpty else {
                    return nil
                }
                return "\(key): \(valueText(list))"
            }
            return ([policy] + parts).joined(separator: "; ")
        default: break
        }
        return JSONOutput.line(value)
    }

    private static func valueText(_ note: ShieldNote) -> String {
        let opens = note.opensMs.map { TimeText.text(WallTime(ms: $0)) }
            .map { Speech.say("store.shut-until", "shielded until \($0, "time")") }
        return [note.rule, note.message.map { "“\($0)”" }, opens].compactMap(\.self).joined(separator: "; ")
    }
}
