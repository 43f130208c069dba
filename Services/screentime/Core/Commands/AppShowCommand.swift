import STContracts
import STPlatform

/// `screentime app show APP`: the app's permissions, its monitored activities, and the progress of each event.
enum AppShowCommand {
    static let command = Command(
        ["app", "show"],
        "Shows the permissions of an app, what it monitors, and the usage counted so far",
        subjects: [.init("APP", "the id of an installed app", key: "help.arg-app.the-id-of-an-installed")],
        options: [
            .init(
                "--member",
                value: "NAME",
                summary: "only for this person",
                key: "help.--member.only-for-this-person"
            ),
            .json,
        ],
        example: "screentime app show promise"
    ) { try await run($0) }

    private static let linesMax: Int64 = 2_000

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let app = invocation.subjects[0]
        let member = invocation.options["--member"]
        let found = try await ServiceClients.with(invocation.directories) { clients in
            try await gather(app, member: member, invocation: invocation, clients: clients)
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(
                JSONOutput.pretty([
                    "app": .string(app),
                    "authorizations": .array(try found.words.map { try JSONOutput.value(of: $0) }),
                    "activities": .array(try found.activities.map { try JSONOutput.value(of: $0) }),
                    "without_effect": .array(found.idle.map { .string($0) }),
                ])
            )
            return .done
        }
        var lines = AppShowText.lines(
            app,
            words: found.words,
            activities: found.activities,
            names: found.names,
            terminal: terminal
        )
        if !found.idle.isEmpty {
            lines += [
                "", Speech.say("app.what-it-calls-that", "Calls by this app that have no effect here:"),
            ]
            lines += found.idle.map { "  \($0.sanitized)" }
        }
        terminal.write(lines.joined(separator: "\n"))
        return .done
    }

    private static func gather(
        _ app: String,
        member: String?,
        invocation: Invocation,
        clients: ServiceClients
    ) async throws -> (
        words: [Authorization], activities: [ExplainedActivity], names: DisplayNames, idle: [String]
    ) {
        let words = try await clients.authorizations().filter {
            $0.app == app && (member == nil || $0.member == member)
        }
        let activities = try await clients.all(
            ActivityExplain.self,
            .init(app: app, member: member),
            rows: \.activities,
            next: (\.next, \.next)
        )
        // An item is an app, or an app and the site open in it.
        let ids = activities.flatMap(\.events).flatMap(\.parts).flatMap { $0.item.split(separator: " ") }
        if words.isEmpty, activities.isEmpty { try await NameCheck.checkApp(app, clients) }
        let names =
            invocation.wantsJSON
            ? DisplayNames() : await .load(ids.map(String.init), invocation: invocation, clients: clients)
        return (words, activities, names, await idle(app, clients))
    }

    /// Returns the calls in the app's extensions that have no effect on Linux, from the frameworks' log lines.
    private static func idle(_ app: String, _ clients: ServiceClients) async -> [String] {
        var calls: Set<String> = []
        for var source in AppLogSource.all {
            // A service that does not reply is skipped.
            let lines = try? await source.lines(app, fromEnd: linesMax, clients)
            for line in lines ?? [] where line.category == "screentime:extension" {
                for words in [" has no effect on Linux", " does nothing here: "] {
                    guard let place = line.text.firstRange(of: words) else { continue }
                    calls.insert(String(line.text[..<place.lowerBound]) + at(line.text[place.upperBound...]))
                }
            }
        }
        return calls.sorted()
    }

    /// Returns ` (at File.swift:12)` if the log line has a location.
    private static func at(_ rest: Substring) -> String {
        rest.hasPrefix(" (at ") ? String(rest) : rest.isEmpty ? "" : " (\(rest))"
    }
}

/// Text about the permissions and monitored activities of an app.
enum AppShowText {
    /// Upper bound on the reasons shown for one event.
    private static let partsMax = 8

    static func lines(
        _ app: String,
        words: [Authorization],
        activities: [ExplainedActivity],
        names: DisplayNames,
        terminal: Terminal
    ) -> [String] {
        var lines: [String] = []
        if words.isEmpty {
            lines.append(
                Speech.say("app.has-no-permission-yet", "\(app.sanitized, "app") has no permission yet.")
            )
        }
        for word in words { lines.append(sentence(word)) }
        if !words.isEmpty || !activities.isEmpty {
            lines.append(
                SpawnBounds.areEnforced
                    ? Speech.say(
                        "app.its-extensions-open-the",
                        "Its extensions can open the app's own files, but none of your other files."
                    )
                    : Speech.say(
                        "app.its-extensions-can-open",
                        "Its extensions can open your files: this kernel has no Landlock."
                    )
            )
        }
        if activities.isEmpty { lines.append(Speech.say("app.it-watches-nothing", "It monitors nothing.")) }
        for explained in activities { lines += [""] + block(explained, names: names, terminal: terminal) }
        return lines
    }

    private static func sentence(_ word: Authorization) -> String {
        let who = word.member.sanitized
        let app = word.app.sanitized
        return switch word.status {
        case .approved where !word.access:
            Speech.say(
                "app.allowed-then-switched-its",
                "\(who, "who") allowed \(app, "app"), then switched its access off."
            )
        case .approved where !word.enforce:
            Speech.say(
                "app.allows-to-watch-its",
                """
                \(who, "who") allows \(app, "app") to monitor usage, but Screen Time does not enforce the \
                settings of the app.
                """
            )
        case .approved: Speech.say("app.allows", "\(who, "who") allows \(app, "app") to use Screen Time.")
        case .denied:
            Speech.say(
                "app.does-not-allow",
                """
                \(who, "who") does not allow \(app, "app") to use Screen Time.
                """
            )
        case .notDetermined, .unknown:
            Speech.say("app.has-not-decided-about", "\(who, "who") has not decided about \(app, "app").")
        }
    }

    private static func block(_ explained: ExplainedActivity, names: DisplayNames, terminal: Terminal)
        -> [String]
    {
        let activity = explained.activity
        let (name, member) = (activity.activity.sanitized, activity.member.sanitized)
        let schedule = activity.understood.sanitized
        var lines = [
            explained.isOngoing
                ? Speech.say(
                    "app.activity-in-progress",
                    "\(name, "activity") of \(member, "member"): \(schedule, "schedule") (in progress)"
                )
                : Speech.say(
                    "app.activity-not-in-progress",
                    "\(name, "activity") of \(member, "member"): \(schedule, "schedule") (not in progress)"
                )
        ]
        for event in explained.events { lines += block(event, names: names, terminal: terminal) }
        return lines
    }

    private static func block(_ event: ExplainEvent, names: DisplayNames, terminal: Terminal) -> [String] {
        let name = event.event.sanitized
        let counted = MessageValue.duration(ms: event.countedMs)
        let threshold = MessageValue.duration(ms: event.thresholdMs)
        let since = TimeText.text(WallTime(ms: event.sinceWallMs))
        var lines = ["  " + state(event, name: name, counted: counted, of: threshold, since: since)]
        for part in event.parts.prefix(partsMax) {
            let (length, item) = (MessageValue.duration(ms: part.ms), names.replacing(in: part.item))
            let text = Speech.say(
                "app.usage-part",
                "\(length, "length") of \(item, "item") \(part.because, "because")"
            )
            let line = "    " + text.sanitized
            lines.append(part.counted ? line : terminal.styled(line, .dim))
        }
        if event.parts.count > partsMax {
            let rest = event.parts.count - partsMax
            lines.append(
                "    " + Speech.say("app.and-more-parts", "and \(rest, "count") more; --json lists all")
            )
        }
        return lines
    }

    private static func state(
        _ event: ExplainEvent,
        name: String,
        counted: MessageValue,
        of threshold: MessageValue,
        since: String
    ) -> String {
        if event.reached {
            return Speech.say(
                "app.event-reached",
                """
                \(name, "event"): \(counted, "counted") of \(threshold, "threshold") counted since \
                \(since, "since"), threshold reached
                """
            )
        }
        return event.warned
            ? Speech.say(
                "app.event-warned",
                """
                \(name, "event"): \(counted, "counted") of \(threshold, "threshold") counted since \
                \(since, "since"), warning sent
                """
            )
            : Speech.say(
                "app.event-counted",
                """
                \(name, "event"): \(counted, "counted") of \(threshold, "threshold") counted since \
                \(since, "since")
                """
            )
    }
}
