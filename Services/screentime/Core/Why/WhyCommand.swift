import STContracts
import STDomain
import STPlatform

/// `screentime why SUBJECT`: the recorded causes of a shield.
enum WhyCommand {
    static let commands: [Command] = [
        Command(
            ["why"],
            "Explains why something is or is not shielded, from the observation to the shield",
            subjects: [
                .init(
                    "SUBJECT",
                    "an app, site:DOMAIN, category:NAME, setting:NAME, window:ID or window:front",
                    key: "help.arg-subject.an-app-site-domain-category"
                )
            ],
            options: [
                .init(
                    "--at",
                    value: "TIME",
                    summary: "explains the state at this time: \(LocalMoment.expectation, "expectation")"
                ),
                .init(
                    "--member",
                    value: "NAME",
                    summary: "the person; by default the owner of this account",
                    key: "help.--member.whose-by-default-the-owner"
                ),
                .json,
            ],
            example: "screentime why firefox --at 17:00"
        ) { try await run($0) }
    ]

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let subject = invocation.subjects[0]
        let terminal = invocation.terminal
        let member = invocation.value("--member")
        if subject.hasPrefix(WhySetting.prefix) {
            let key = try WhySetting.key(subject)
            let effective = try await ServiceClients.with(invocation.directories) { clients in
                try await NameCheck.checkMember(member, clients)
                return try await clients.call(SettingsEffective.self, .init(member: member))
            }
            terminal.write(
                invocation.wantsJSON
                    ? JSONOutput.pretty(try WhySetting.json(key, effective))
                    : WhySetting.lines(key, effective: effective, terminal: terminal).joined(separator: "\n")
            )
            return .done
        }
        if subject.hasPrefix(WhyWindow.prefix) {
            return try await window(subject, member: member, invocation: invocation)
        }
        let thing = try thing(subject)
        let wall = try invocation.value("--at").map { text throws(Problem) in
            try moment(text, now: invocation.now)
        }
        let story = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(member, clients)
            let sources = WhySources.live(clients, invocation)
            guard let typed = thing.app else {
                return try await show(
                    subject,
                    thing: thing,
                    member: member,
                    at: wall,
                    sources: sources,
                    clients: clients
                )
            }
            // Rules accept the short name of an app, so this does too.
            var resolving = AppArgumentResolver(await AppFinder.load(invocation, clients))
            let id = try resolving.items([.init(kind: .application, id: typed)])[0].id
            return try await show(
                id,
                thing: ShieldSubject(app: id),
                member: member,
                at: wall,
                sources: sources,
                clients: clients
            )
        }
        terminal.write(
            invocation.wantsJSON
                ? try JSONOutput.pretty(of: story)
                : WhyText.lines(story, terminal).joined(separator: "\n")
        )
        return .done
    }

    private static func window(_ subject: String, member: String?, invocation: Invocation) async throws
        -> ExitCode
    {
        let id = try WhyWindow.id(subject)
        try WhyWindow.refuse(invocation)
        let (story, name) = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(member, clients)
            let sources = WhySources.live(clients, invocation)
            var story = try await WhyWindow.explanation(id, member: member, clients) { app, member in
                try await show(
                    app,
                    thing: ShieldSubject(app: app),
                    member: member,
                    at: nil,
                    sources: sources,
                    clients: clients
                )
            }
            guard let app = story.window.app else { return (story, "") }
            guard let own = story.window.name, own != app else { return (story, await sources.appName(app)) }
            if let why = story.why { story.why?.headline = WhyText.headline(why, own) }
            return (story, own)
        }
        invocation.terminal.write(
            invocation.wantsJSON
                ? try JSONOutput.pretty(of: story)
                : WhyWindowText.lines(story, name: name, terminal: invocation.terminal).joined(
                    separator: "\n"
                )
        )
        return .done
    }

    private static func show(
        _ subject: String,
        thing: ShieldSubject,
        member: String?,
        at wall: WallTime?,
        sources: WhySources,
        clients: ServiceClients
    ) async throws -> WhyExplanation {
        let request = ShieldExplain.Request(member: member, subject: thing, wallMs: wall?.ms)
        let explained = try await clients.call(ShieldExplain.self, request)
        let teller = WhyExplainer(sources: sources)
        let shownAs = if let app = thing.app { await sources.appName(app) } else { subject }
        var story = WhyExplanation(
            subject: subject,
            isNow: wall == nil,
            explained: explained,
            chains: [],
            shown: [],
            budgets: []
        )
        let pressed = explained.shown.flatMap { $0.button == nil ? nil : $0.shield }
        for cause in explained.causes {
            story.chains.append(await teller.chain(cause, thing: shownAs, pressed: pressed))
        }
        if let shown = explained.shown { story.shown = await teller.shown(shown) }
        if wall == nil, explained.causes.isEmpty {
            story.budgets = try await budgets(thing, member: explained.member, clients)
        }
        story.headline = WhyText.headline(story, shownAs)
        return story
    }

    /// Returns the budgets of current intervals to which the subject has contributed.
    private static func budgets(_ thing: ShieldSubject, member: String, _ clients: ServiceClients)
        async throws -> [WhyBudget]
    {
        guard let name = thing.domain ?? thing.app else { return [] }
        let request = ActivityExplain.Request(member: member)
        let activities = try await clients.all(
            ActivityExplain.self,
            request,
            rows: \.activities,
            next: (\.next, \.next)
        )
        return activities.filter(\.isOngoing).flatMap { explained in
            explained.events.compactMap { event in
                let own = event.parts.filter { $0.counted && names($0.item, name) }.map(\.ms).reduce(0, +)
                guard own > 0 else { return nil }
                let (app, activity) = (explained.activity.app, explained.activity.activity)
                let rule = BuiltInRules.rule(watching: activity)
                return WhyBudget(
                    app: app,
                    activity: activity,
                    event: event.event,
                    name: app == BuiltInRules.app
                        ? Speech.say("why.the-rule", "the rule \(rule, "rule")")
                        : "\(app) \(activity)/\(event.event)",
                    countedMs: event.countedMs,
                    thresholdMs: event.thresholdMs,
                    ownMs: own
                )
            }
        }
    }

    /// Returns true if the item is `name`. An item is an app, or an app and the site that is open in it.
    private static func names(_ item: String, _ name: String) -> Bool {
        item == name || item.split(separator: " ").contains { $0 == name }
    }

    private static func thing(_ subject: String) throws(Problem) -> ShieldSubject {
        let items = try SubjectReader.items([subject], after: "screentime why")
        guard let item = items.first else {
            throw Problem(
                "usage.bad_subject",
                "Name one app, site:DOMAIN or category:NAME. “everything” is not allowed here.",
                key: "usage.bad_subject.name-one-app",
                help: "screentime why firefox"
            )
        }
        return switch item.kind {
        case .domain: ShieldSubject(domain: item.id)
        case .category: ShieldSubject(category: item.id)
        case .application, .unknown: ShieldSubject(app: item.id)
        }
    }

    private static func moment(_ text: String, now: WallTime) throws(Problem) -> WallTime {
        guard let moment = LocalMoment.wall(text, now: now) else {
            throw Problem(
                "usage.bad_time",
                "--at is “\(text, "text")”; it must be \(LocalMoment.expectation, "expectation").",
                help: "--at 'yesterday 17:00'"
            )
        }
        guard moment <= now else {
            throw Problem(
                "usage.bad_time",
                "--at is “\(text, "text")”, which is in the future. Only the past is recorded.",
                key: "usage.bad_time.at-is-which",
                help: "--at 'yesterday 17:00'"
            )
        }
        return moment
    }
}

/// `screentime why setting:NAME`: the meaning of a setting on this computer, and the apps that have set it.
enum WhySetting {
    static let prefix = "setting:"

    static func key(_ subject: String) throws(Problem) -> SettingKey {
        let name = String(subject.dropFirst(prefix.count))
        if let key = SettingKey.named(name) { return key }
        let names = SettingKey.all.map(\.name)
        // People remember the property better than its group.
        let inGroup = names.filter { $0.hasSuffix("." + name) }
        let near = inGroup.first ?? TextFormat.closest(to: name, in: names)
        throw Problem(
            "settings.unknown",
            text: near.map {
                Message(
                    "settings.unknown.why-did-you-mean",
                    "There is no setting “\(name.prefix(60), "setting")”. Did you mean \($0, "near")?"
                )
            } ?? Message("settings.unknown.why", "There is no setting “\(name.prefix(60), "setting")”."),
            help: near.map { "screentime why setting:\($0)" } ?? "screentime why setting:shield.applications"
        )
    }

    static func json(_ key: SettingKey, _ effective: SettingsEffective.Reply) throws -> JSONValue {
        let set = effective.settings.first { $0.setting == key.name }
        return [
            "setting": .string(key.name),
            "reach": .string(key.reach.rawValue),
            "sentence": .string(key.message.english),
            "member": .string(effective.member),
            "effective": try set.map { try JSONOutput.value(of: $0) } ?? .null,
        ]
    }

    static func lines(_ key: SettingKey, effective: SettingsEffective.Reply, terminal: Terminal)
        -> [String]
    {
        let set = effective.settings.first { $0.setting == key.name }
        let member = effective.member.sanitized
        var lines = [
            terminal.styled("\(key.name): \(reachText(key.reach))", .bold), "  " + Speech.say(key.message),
            "",
        ]
        if let set {
            let value = value(set.value)
            lines.append(
                Speech.say("why.in-force-for", "In force for \(member, "member"): \(value, "value")")
            )
            lines += set.by.map { by in
                let store = "\(by.app.sanitized)/\(by.store.sanitized)"
                return Speech.say("why.set-by", "  set by \(store, "store")")
            }
        } else {
            lines.append(Speech.say("why.no-app-has-set", "No app has set it for \(member, "member")."))
        }
        return lines
    }

    private static func reachText(_ reach: SettingReach) -> String {
        switch reach {
        case .enforced: Speech.say("why.kept-it-decides-what", "stored; it determines what is shielded")
        case .later: Speech.say("why.kept-but-not-enforced", "stored, but not enforced yet")
        case .notPossible:
            Speech.say("why.kept-but-there-is", "stored, but Linux has no equivalent")
        }
    }

    private static func value(_ value: JSONValue) -> String {
        StoreText.valueText(value).sanitized
    }
}
