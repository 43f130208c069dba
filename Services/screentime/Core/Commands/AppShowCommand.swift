import STContracts
import STPlatform

/// `screentime app show APP`: what it may do, what it watches, and how near each of its events is.
enum AppShow {
    static let command = Command(
        ["app", "show"],
        "What an app may do and watches, what has counted so far, and why",
        subjects: [.init("APP", "the id of an installed app")],
        options: [.init("--member", "NAME", "only for this person"), .json],
        example: "screentime app show promise"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let app = invocation.subjects[0]
        let member = invocation.options["--member"]
        let found = try await ServiceClients.with(invocation.directories) { clients in
            try await gather(app, member, clients)
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
        terminal.write(
            AppShowText.lines(app, found.words, found.activities, terminal).joined(separator: "\n")
        )
        return .done
    }

    private static func gather(_ app: String, _ member: String?, _ clients: ServiceClients) async throws -> (
        words: [Authorization], activities: [ExplainedActivity]
    ) {
        var words: [Authorization] = []
        var next: String?
        repeat {
            let page = try await clients.call(AuthorizationList.self, .init(next: next))
            words += page.authorizations.filter { $0.app == app && (member == nil || $0.member == member) }
            next = page.next
        } while next != nil
        var activities: [ExplainedActivity] = []
        repeat {
            let request = ActivityExplain.Request(app: app, member: member, next: next)
            let page = try await clients.call(ActivityExplain.self, request)
            activities += page.activities
            next = page.next
        } while next != nil
        return (words, activities)
    }
}

/// What an app may do and watches, in words.
enum AppShowText {
    /// Reasons that are named for one event.
    private static let partsMax = 8

    static func lines(
        _ app: String,
        _ words: [Authorization],
        _ activities: [ExplainedActivity],
        _ terminal: Terminal
    ) -> [String] {
        var lines: [String] = []
        if words.isEmpty { lines.append("\(harmless(app)) has not been allowed anything.") }
        for word in words { lines.append(sentence(word)) }
        if activities.isEmpty { lines.append("It watches nothing.") }
        for explained in activities { lines += [""] + block(explained, terminal) }
        return lines
    }

    private static func sentence(_ word: Authorization) -> String {
        let who = harmless(word.member)
        let app = harmless(word.app)
        return switch word.status {
        case .approved where !word.access: "\(who) allowed \(app), and has switched its access off."
        case .approved where !word.enforce: "\(who) allows \(app) to watch; what it sets is not enforced."
        case .approved: "\(who) allows \(app)."
        case .denied: "\(who) does not allow \(app)."
        case .notDetermined, .unknown: "\(who) has not said anything about \(app)."
        }
    }

    private static func block(_ explained: ExplainedActivity, _ terminal: Terminal) -> [String] {
        let activity = explained.activity
        let state = explained.isOngoing ? "under way" : "not under way"
        var lines = [
            "\(harmless(activity.activity)) of \(harmless(activity.member)): \(harmless(activity.understood)) (\(state))"
        ]
        for event in explained.events { lines += block(event, terminal) }
        return lines
    }

    private static func block(_ event: ExplainEvent, _ terminal: Terminal) -> [String] {
        let counted = TextFormat.duration(ms: event.countedMs)
        let threshold = TextFormat.duration(ms: event.thresholdMs)
        let state = event.reached ? ", reached" : event.warned ? ", warned" : ""
        var lines = [
            "  \(harmless(event.event)): counted \(counted) of \(threshold)\(state), since \(LocalTime.text(wallMs: event.sinceWallMs))"
        ]
        for part in event.parts.prefix(partsMax) {
            let text =
                "    \(TextFormat.duration(ms: part.ms)) of \(harmless(part.item)) \(harmless(part.because))"
            lines.append(part.counted ? text : terminal.styled(text, .dim))
        }
        if event.parts.count > partsMax {
            lines.append("    and \(event.parts.count - partsMax) more; --json has all.")
        }
        return lines
    }

    private static func harmless(_ text: String) -> String { DisplayWidth.harmless(text) }
}
