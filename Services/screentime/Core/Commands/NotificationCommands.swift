import STContracts
import STPlatform

/// `screentime notification …`.
enum NotificationCommands {
    static let commands: [Command] = [
        Command(
            ["notification", "list"],
            "What people were told, newest first, and what they are told from now on",
            options: [
                .init("--follow", nil, "the last ones, and then each as it comes"),
                .init("--member", "NAME", "only what this person was told"),
                .init("--app", "APP", "only what this app said"),
                .init("--count", "N", "so many of them, 20 by default; with --follow it ends after so many"),
                .init("--for", "DURATION", "with --follow: ends after so long"),
                .json,
            ],
            example: "screentime notification list --follow"
        ) { try await list($0) }
    ]

    private static let countDefault = 20

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let count = try invocation.count("--count")
        let forMs = try invocation.durationMs("--for")
        guard forMs == nil || invocation.has("--follow") else {
            throw Problem(
                "usage.option_value",
                "--for says when --follow ends; without it the list ends by itself.",
                help: "screentime notification list --follow --for 10m"
            )
        }
        return try await ServiceClients.with(invocation.directories) { clients in
            try await KnownMembers.check(invocation.value("--member"), "notification list", clients)
            if invocation.has("--follow") {
                try await NotificationFollow(invocation, clients).run(count: count, forMs: forMs)
            } else {
                let request = NotificationCommands.request(invocation)
                let reply = try await latest(count ?? countDefault, request, clients)
                show(reply, invocation)
            }
            return .done
        }
    }

    static func request(_ invocation: Invocation) -> NotifyList.Request {
        .init(app: invocation.value("--app"), member: invocation.value("--member"))
    }

    /// As many as asked for, over as many pages as they take.
    private static func latest(
        _ count: Int,
        _ request: NotifyList.Request,
        _ clients: ServiceClients
    ) async throws -> [PostedNotification] {
        var request = request
        var rows: [PostedNotification] = []
        repeat {
            request.limit = Int64(min(count - rows.count, BusLimits.pageRows))
            let page = try await clients.call(NotifyList.self, request)
            rows += page.notifications
            request.next = page.next
        } while request.next != nil && rows.count < count
        return rows
    }

    private static func show(_ rows: [PostedNotification], _ invocation: Invocation) {
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            let list = rows.compactMap { try? JSONOutput.value(of: $0) }
            terminal.write(JSONOutput.pretty(["notifications": .array(list)]))
            return
        }
        let isDemo = Banner.isDemo(invocation.directories)
        var lines = [Banner.titled("What people were told, newest first", isDemo: isDemo, terminal), ""]
        if rows.isEmpty { lines.append("  Nobody was told anything yet.") }
        lines += rows.flatMap { NotificationText.lines($0, terminal) }
        lines += ["", "They are only shown here so far: on the desktop nothing appears yet."]
        terminal.write(lines.joined(separator: "\n"))
    }
}
