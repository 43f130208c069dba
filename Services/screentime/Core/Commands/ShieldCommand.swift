import STContracts
import STPlatform

/// `screentime shield …`.
enum ShieldCommand {
    static let commands: [Command] = [
        Command(
            ["shield", "preview"],
            "What a person would see when an app or a site is shielded",
            subjects: [.init("SUBJECT", "an app, or site:DOMAIN")],
            options: [
                .init("--png", .file, "draws it into this file, too, as the desktop will show it"),
                .init("--dark", nil, "the picture as on a dark desktop"),
                .init("--light", nil, "the picture as on a light desktop, which is the default"),
                .init("--size", "WIDTHxHEIGHT", "of the window, in pixels; 1280x800 by default"),
                .init("--language", "CODE", "such as ko or en; yours by default"),
                .init("--app", "BUNDLE", "as if this app shielded it"),
                .init("--member", "NAME", "as this person sees it; as you see it by default"),
                .json,
            ],
            example: "screentime shield preview firefox --png firefox.png --dark"
        ) { try await ShieldPreview.run($0) },
        Command(
            ["shield", "list"],
            "The shields that came up, newest first, and how often each did",
            options: [
                .init("--member", "NAME", "only those that this person saw"),
                .init("--count", "N", "how many of them; 20 by default"),
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
            try await KnownNames.checkMember(member, clients)
            let found = try await latest(count, .init(member: member), clients)
            let ids = (found.shields.map(\.subject) + found.counts.map(\.subject)).compactMap(\.app)
            return (
                found,
                invocation.wantsJSON ? DisplayNames() : await DisplayNames.load(ids, invocation, clients)
            )
        }
        return try invocation.show(json: try JSONOutput.pretty(of: found)) {
            ShieldListText.lines(found, apps, invocation.terminal)
        }
    }

    /// As many as asked for, over as many pages as they take; the counts are those of the first.
    private static func latest(
        _ count: Int,
        _ request: ShieldList.Request,
        _ clients: ServiceClients
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

/// The screen of `shield list`: the shields that came up, and how often each did.
enum ShieldListText {
    static func lines(_ found: ShieldList.Reply, _ apps: DisplayNames, _ terminal: Terminal) -> [String] {
        guard !found.shields.isEmpty || !found.counts.isEmpty else {
            return [Speech.say("No shield has come up yet.", "아직 차단 화면이 나타난 적이 없습니다.")]
        }
        let titles = [
            Speech.say("WHEN", "때"), Speech.say("WHAT", "대상"), Speech.say("WHO", "사람"),
            Speech.say("SHIELDED BY", "제한한 것"), Speech.say("THEN", "그다음"),
        ]
        var shown = TextTable(titles.map { ($0, .left) })
        for shield in found.shields {
            shown.add([
                .init(TimeText.text(wallMs: shield.wallMs)),
                .init(name(shield.subject, apps), .bold),
                .init(shield.member),
                .init(author(shield.causes)),
                .init(outcome(shield), .dim),
            ])
        }
        var lines = shown.lines(columns: terminal.columns, expendable: [titles[2], titles[3]], terminal)
        guard !found.counts.isEmpty else { return lines }
        var counts = TextTable([
            (Speech.say("HOW OFTEN", "얼마나 자주"), .left), (Speech.say("SHOWN", "나타남"), .right),
            (Speech.say("PRESSED", "누름"), .right),
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
            Speech.say("site:\(domain) in \(apps[app])", "\(apps[app])의 site:\(domain)")
        case (nil, let domain?): "site:\(domain)"
        case (let app?, nil): apps[app]
        case (nil, nil): Speech.say("nothing", "없음")
        }
    }

    private static func author(_ causes: [ShieldCauseBody]) -> String {
        guard let first = causes.first else { return "-" }
        let name = first.app == BuiltInRules.app ? first.store : first.app
        let more = causes.count - 1
        return more == 0 ? name : Speech.say("\(name) and \(more) more", "\(name) 외 \(more)개")
    }

    private static func outcome(_ shield: ShownShield) -> String {
        guard let button = shield.button else { return Speech.say("no button", "누르지 않음") }
        let pressed =
            switch button {
            case .primary: Speech.say("first button pressed", "첫 버튼을 누름")
            case .secondary: Speech.say("second button pressed", "둘째 버튼을 누름")
            case .firstSubmenu, .secondSubmenu, .thirdSubmenu, .fourthSubmenu:
                Speech.say("menu pressed", "메뉴를 누름")
            case .unknown: Speech.say("a button pressed", "버튼을 누름")
            }
        switch shield.response {
        case .close: return pressed + Speech.say("; app put away", ". 앱을 치움")
        case .defer: return pressed + Speech.say("; shield came back", ". 차단 화면이 다시 나타남")
        case .openApp: return pressed + Speech.say("; its app opened", ". 앱이 열림")
        case .some(.none), .unknown, nil: return pressed
        }
    }
}
