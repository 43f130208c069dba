import STContracts
import STPlatform

/// `screentime shield …`.
enum ShieldCommand {
    static let commands: [Command] = [
        Command(
            ["shield", "preview"],
            "Shows the shield that a person would see over an app or a site",
            subjects: [
                .init("SUBJECT", "an app, or site:DOMAIN", key: "help.arg-subject.an-app-or-site-domain")
            ],
            options: [
                .init(
                    "--png",
                    place: .file,
                    summary: "also saves a picture of the shield, as it appears on the desktop, to this file"
                ),
                .init("--dark", value: nil, summary: "draws the picture for a dark desktop"),
                .init(
                    "--light",
                    value: nil,
                    summary: "draws the picture for a light desktop, which is the default"
                ),
                .init(
                    "--size",
                    value: "WIDTHxHEIGHT",
                    summary: "size of the window, in pixels; 1280x800 by default"
                ),
                .init(
                    "--language",
                    value: "CODE",
                    summary: "language of the shield, such as ko or en; yours by default",
                    key: "help.--language.such-as-ko-or-en"
                ),
                .init(
                    "--app",
                    value: "BUNDLE",
                    summary: "shows the shield as if this app had set it",
                    key: "help.--app.as-if-this-app-shielded"
                ),
                .init(
                    "--member",
                    value: "NAME",
                    summary: "shows the shield as this person would see it; by default, as you would see it",
                    key: "help.--member.as-this-person-sees-it"
                ),
                .json,
            ],
            example: "screentime shield preview firefox --png firefox.png --dark"
        ) { try await ShieldPreview.run($0) },
        Command(
            ["shield", "list"],
            "Lists the shields that were shown, newest first, and how often each was shown",
            options: [
                .init(
                    "--member",
                    value: "NAME",
                    summary: "only shields that this person saw",
                    key: "help.--member.only-those-that-this-person"
                ),
                .init(
                    "--count",
                    value: "N",
                    summary: "how many to show; 20 by default",
                    key: "help.--count.how-many-of-them-20"
                ),
                .json,
            ],
            example: "screentime shield list --count 5"
        ) { try await list($0) },
    ]

    private static let countDefault = 20

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let count = try invocation.count("--count") ?? countDefault
        let member = invocation.value("--member")
        let (found, apps) = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(member, clients)
            let found = try await latest(count, request: .init(member: member), clients: clients)
            let ids = (found.shields.map(\.subject) + found.counts.map(\.subject)).compactMap(\.app)
            return (
                found,
                invocation.wantsJSON
                    ? DisplayNames() : await DisplayNames.load(ids, invocation: invocation, clients: clients)
            )
        }
        return try invocation.show(json: try JSONOutput.pretty(of: found)) {
            ShieldListText.lines(found, apps: apps, terminal: invocation.terminal)
        }
    }

    /// Returns `count` shields, from as many pages as needed. The counts are those of the first page.
    private static func latest(
        _ count: Int,
        request: ShieldList.Request,
        clients: ServiceClients
    ) async throws -> ShieldList.Reply {
        var request = request
        var result = ShieldList.Reply(shields: [], counts: [])
        var isFirst = true
        repeat {
            request.limit = Int64(min(count - result.shields.count, BusLimits.pageRows))
            let page = try await clients.call(ShieldList.self, request)
            if isFirst { result.counts = page.counts }
            isFirst = false
            result.shields += page.shields
            request.next = page.next
        } while request.next != nil && result.shields.count < count
        return result
    }
}

/// The screen of `shield list`: the shields that were shown, and how often.
enum ShieldListText {
    static func lines(_ found: ShieldList.Reply, apps: DisplayNames, terminal: Terminal) -> [String] {
        guard !found.shields.isEmpty || !found.counts.isEmpty else {
            return [Speech.say("shield.no-shield-has-come", "No shield has been shown yet.")]
        }
        let titles = [
            Speech.say("shield.when", "WHEN"), Speech.say("shield.what", "WHAT"),
            Speech.say("shield.who", "WHO"),
            Speech.say("shield.shielded-by", "SHIELDED BY"), Speech.say("shield.then", "OUTCOME"),
        ]
        var shown = TextTable(titles.map { ($0, .left) })
        for shield in found.shields {
            shown.add([
                .init(TimeText.text(WallTime(ms: shield.wallMs))),
                .init(name(shield.subject, apps), .bold),
                .init(shield.member),
                .init(author(shield.causes)),
                .init(outcome(shield), .dim),
            ])
        }
        var lines = shown.lines(columns: terminal.columns, expendable: [titles[2], titles[3]], terminal)
        guard !found.counts.isEmpty else { return lines }
        var counts = TextTable([
            (Speech.say("shield.how-often", "APP OR SITE"), .left),
            (Speech.say("shield.shown", "SHOWN"), .right),
            (Speech.say("shield.pressed", "PRESSED"), .right),
        ])
        for count in found.counts {
            counts.add([
                .init(name(count.subject, apps)), .init(String(count.shown)), .init(String(count.pressed)),
            ])
        }
        lines += [""] + counts.lines(columns: terminal.columns, terminal)
        return lines
    }

    private static func name(_ subject: ShieldSubject, _ apps: DisplayNames) -> String {
        switch (subject.app, subject.domain) {
        case (let app?, let domain?):
            Speech.say("shield.site-in", "site:\(domain, "domain") in \(apps[app], "apps")")
        case (nil, let domain?): "site:\(domain)"
        case (let app?, nil): apps[app]
        case (nil, nil): Speech.say("shield.nothing", "nothing")
        }
    }

    private static func author(_ causes: [ShieldCauseBody]) -> String {
        guard let first = causes.first else { return "-" }
        let name = first.app == BuiltInRules.app ? first.store : first.app
        let more = causes.count - 1
        return more == 0 ? name : Speech.say("shield.and-more", "\(name, "name") and \(more, "more") more")
    }

    private static func outcome(_ shield: ShownShield) -> String {
        guard let button = shield.button else { return Speech.say("shield.no-button", "no button") }
        let pressed =
            switch button {
            case .primary: Speech.say("shield.first-button-pressed", "first button pressed")
            case .secondary: Speech.say("shield.second-button-pressed", "second button pressed")
            case .firstSubmenu, .secondSubmenu, .thirdSubmenu, .fourthSubmenu:
                Speech.say("shield.menu-pressed", "menu pressed")
            case .unknown: Speech.say("shield.a-button-pressed", "a button pressed")
            }
        switch shield.response {
        case .close: return pressed + Speech.say("shield.app-put-away", "; app moved to background")
        case .defer: return pressed + Speech.say("shield.shield-came-back", "; shield came back")
        case .openApp: return pressed + Speech.say("shield.its-app-opened", "; shield's app opened")
        case .some(.none), .unknown, nil: return pressed
        }
    }
}
