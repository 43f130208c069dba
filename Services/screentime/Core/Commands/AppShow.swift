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
