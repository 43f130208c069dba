import STContracts
import STPlatform

/// `screentime app show APP`: what it may do, what it watches, and how near each of its events is.
enum AppShowCommand {
    static let command = Command(
        ["app", "show"],
        "What an app may do, what it watches, and what has counted so far",
        subjects: [.init("APP", "the id of an installed app")],
        options: [.init("--member", "NAME", "only for this person"), .json],
        example: "screentime app show promise"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let app = invocation.subjects[0]
        let member = invocation.options["--member"]
        let found = try await ServiceClients.with(invocation.directories) { clients in
            try await gather(app, member, invocation, clients)
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(
                JSONOutput.pretty([
                    "app": .string(app),
                    "authorizations": .array(try found.words.map { try JSONOutput.value(of: $0) }),
                    "activities": .array(try found.activities.map { try JSONOutput.value(of: $0) }),
                ])
            )
            return .done
        }
        let lines = AppShowText.lines(app, found.words, found.activities, found.names, terminal)
        terminal.write(lines.joined(separator: "\n"))
        return .done
    }

    private static func gather(
        _ app: String,
        _ member: String?,
        _ invocation: Invocation,
        _ clients: ServiceClients
    ) async throws -> (words: [Authorization], activities: [ExplainedActivity], names: DisplayNames) {
        let words = try await clients.authorizations().filter {
            $0.app == app && (member == nil || $0.member == member)
        }
        let activities = try await clients.all(
            ActivityExplain.self,
            .init(app: app, member: member),
            \.activities,
            (\.next, \.next)
        )
        // An item is an app, or an app and the site open in it.
        let ids = activities.flatMap(\.events).flatMap(\.parts).flatMap { $0.item.split(separator: " ") }
        if words.isEmpty, activities.isEmpty { try await KnownNames.checkApp(app, clients) }
        let names =
            invocation.wantsJSON ? DisplayNames() : await .load(ids.map(String.init), invocation, clients)
        return (words, activities, names)
    }
}

/// What an app may do and watches, in words.
enum AppShowText {
    /// The reasons shown for one event.
    private static let partsMax = 8

    static func lines(
        _ app: String,
        _ words: [Authorization],
        _ activities: [ExplainedActivity],
        _ names: DisplayNames,
        _ terminal: Terminal
    ) -> [String] {
        var lines: [String] = []
        if words.isEmpty { lines.append("\(app.harmless) has no permission yet.") }
        for word in words { lines.append(sentence(word)) }
        if !words.isEmpty || !activities.isEmpty {
            lines.append(
                SpawnBounds.areKept
                    ? "Its extensions open the app's own files, and no others of yours."
                    : "Its extensions can open your files: this kernel has no Landlock."
            )
        }
        if activities.isEmpty { lines.append("It watches nothing.") }
        for explained in activities { lines += [""] + block(explained, names, terminal) }
        return lines
    }

    private static func sentence(_ word: Authorization) -> String {
        let who = word.member.harmless
        let app = word.app.harmless
        return switch word.status {
        case .approved where !word.access: "\(who) allowed \(app), then switched its access off."
        case .approved where !word.enforce: "\(who) allows \(app) to watch; its settings are not in force."
        case .approved: "\(who) allows \(app)."
        case .denied: "\(who) does not allow \(app)."
        case .notDetermined, .unknown: "\(who) has not decided about \(app)."
        }
    }

    private static func block(_ explained: ExplainedActivity, _ names: DisplayNames, _ terminal: Terminal)
        -> [String]
    {
        let activity = explained.activity
        let state = explained.isOngoing ? "under way" : "not under way"
        var lines = [
            "\(activity.activity.harmless) of \(activity.member.harmless): \(activity.understood.harmless) (\(state))"
        ]
        for event in explained.events { lines += block(event, names, terminal) }
        return lines
    }

    private static func block(_ event: ExplainEvent, _ names: DisplayNames, _ terminal: Terminal) -> [String]
    {
        let counted = TextFormat.duration(ms: event.countedMs)
        let threshold = TextFormat.duration(ms: event.thresholdMs)
        let state = event.reached ? ", reached" : event.warned ? ", warned" : ""
        var lines = [
            "  \(event.event.harmless): counted \(counted) of \(threshold)\(state), since \(TimeText.text(wallMs: event.sinceWallMs))"
        ]
        for part in event.parts.prefix(partsMax) {
            let text =
                "    \(TextFormat.duration(ms: part.ms)) of \(names.replacing(in: part.item)) \(part.because.harmless)"
            lines.append(part.counted ? text : terminal.styled(text, .dim))
        }
        if event.parts.count > partsMax {
            lines.append("    and \(event.parts.count - partsMax) more; --json has all.")
        }
        return lines
    }
}
