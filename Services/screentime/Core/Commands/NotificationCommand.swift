import STContracts
import STPlatform

/// `screentime notification …`.
enum NotificationCommand {
    static let commands: [Command] = [
        Command(
            ["notification", "list"],
            "Lists the notifications of Screen Time and its apps, newest first",
            options: [
                .init(
                    "--follow",
                    value: nil,
                    summary: "shows the latest notifications, and then each new one",
                    key: "help.--follow.shows-the-last-ones-and"
                ),
                .init(
                    "--member",
                    value: "NAME",
                    summary: "limits the output to this person",
                    key: "help.--member.only-this-persons"
                ),
                .init(
                    "--app",
                    value: "APP",
                    summary: "only notifications of this app",
                    key: "help.--app.only-those-of-this-app"
                ),
                .init(
                    "--state",
                    value: "STATE",
                    summary: "only notifications in this state, such as waiting, uncertain or scheduled",
                    key: "help.--state.only-those-in-this-state"
                ),
                .init(
                    "--count",
                    value: "N",
                    summary: "number of notifications; 20 by default. With --follow, ends after this number",
                    key: "help.--count.how-many-of-them-20-by"
                ),
                .init(
                    "--for",
                    value: "DURATION",
                    summary: "with --follow: ends after this time",
                    key: "help.--for.with-follow-ends-after-this"
                ),
                .json,
            ],
            example: "screentime notification list --follow"
        ) { try await list($0) },
        Command(
            ["notification", "show"],
            "Shows everything about a notification: its text, its buttons and its outcome",
            subjects: [.init("N", "number of the notification")],
            options: [.json],
            example: "screentime notification show 12"
        ) { try await showOne($0) },
        Command(
            ["notification", "answer"],
            "Presses a button of a notification from the command line",
            subjects: [
                .init("N", "number of the notification"),
                .init("ACTION", "the button; `default` is the notification itself"),
            ],
            options: [.json],
            example: "screentime notification answer 12 more"
        ) { try await answer($0) },
        Command(
            ["notification", "remove"],
            "Withdraws a notification: removes it from the screen, or cancels it before it is shown",
            subjects: [.init("N", "number of the notification")],
            options: [.json],
            example: "screentime notification remove 12"
        ) { try await remove($0) },
    ]

    private static let countDefault = 20

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let count = try invocation.count("--count")
        let length = try invocation.duration("--for")
        _ = try invocation.choice("--state", NotifyState.self)
        guard length == nil || invocation.has("--follow") else {
            throw Problem(
                "usage.option_value",
                "--for is the time after which --follow ends; use them together.",
                help: "screentime notification list --follow --for 10m"
            )
        }
        return try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkMember(invocation.value("--member"), clients)
            if invocation.has("--follow") {
                try await NotificationFollow(invocation, clients).run(count: count, for: length)
            } else {
                let reply = try await latest(
                    count ?? countDefault,
                    request: request(invocation),
                    clients: clients
                )
                show(reply, apps: await names(reply.notifications, clients), invocation: invocation)
            }
            return .done
        }
    }

    /// Loads the names of the apps that posted these notifications.
    private static func names(_ posted: [PostedNotification], _ clients: ServiceClients) async -> DisplayNames
    {
        posted.contains { $0.app != BuiltInRules.app } ? await .installed(clients) : DisplayNames()
    }

    static func request(_ invocation: Invocation) -> NotifyList.Request {
        .init(
            app: invocation.value("--app"),
            member: invocation.value("--member"),
            state: invocation.value("--state").flatMap(NotifyState.init(rawValue:))
        )
    }

    /// Returns `count` notifications, from as many pages as needed.
    private static func latest(
        _ count: Int,
        request: NotifyList.Request,
        clients: ServiceClients
    ) async throws -> NotifyList.Reply {
        var request = request
        var all = NotifyList.Reply(notifications: [], next: nil)
        repeat {
            request.limit = Int64(min(count - all.notifications.count, BusLimits.pageRows))
            let page = try await clients.call(NotifyList.self, request)
            all.notifications += page.notifications
            (all.desktop, all.uncertain) = (page.desktop, page.uncertain)
            request.next = page.next
        } while request.next != nil && all.notifications.count < count
        return all
    }

    private static func show(_ reply: NotifyList.Reply, apps: DisplayNames, invocation: Invocation) {
        let terminal = invocation.terminal
        let rows = reply.notifications
        if invocation.wantsJSON {
            let list = rows.compactMap { try? JSONOutput.value(of: $0) }
            var members: [String: JSONValue] = ["notifications": .array(list)]
            members["desktop"] = reply.desktop.flatMap { try? JSONOutput.value(of: $0) }
            members["uncertain"] = reply.uncertain.map { .integer($0) }
            terminal.write(JSONOutput.pretty(.object(members)))
            return
        }
        let isDemo = Banner.isDemo(invocation.directories)
        var lines = [
            Banner.titled(
                Speech.say("notification.notifications-newest-first", "Notifications, newest first"),
                isDemo: isDemo,
                terminal
            ), "",
        ]
        if rows.isEmpty {
            let state = invocation.value("--state")
            lines.append(
                "  "
                    + (state.map {
                        Speech.say("notification.no-notification-is", "No notification is \($0, "item").")
                    }
                        ?? Speech.say(
                            "notification.there-is-no-notification",
                            "There are no notifications yet."
                        ))
            )
        }
        for var row in rows {
            // The line below the list gives the reason once for all that wait.
            if row.state == .waiting, reply.desktop?.state == .absent, row.attempts == nil { row.note = nil }
            lines += NotificationText.lines(row, apps: apps, terminal: terminal)
        }
        lines += footer(reply, terminal)
        terminal.write(lines.joined(separator: "\n"))
    }

    private static func footer(_ reply: NotifyList.Reply, _ terminal: Terminal) -> [String] {
        let conditions = [Condition.uncertain(reply.uncertain ?? 0), .notifications(reply.desktop)]
        let lines =
            ConditionText.lines(conditions.compactMap(\.self), terminal)
            + (NotificationText.desktop(reply.desktop).map { text in
                TextWrap.lines(text, terminal).map { terminal.styled($0, .dim) }
            } ?? [])
        return lines.isEmpty ? [] : [""] + lines
    }

    // MARK: - One notification

    private static func number(_ invocation: Invocation) throws(Problem) -> Int64 {
        let text = invocation.subjects.first ?? ""
        guard let number = Int64(text.hasPrefix("#") ? text.dropFirst() : text[...]), number > 0 else {
            throw Problem(
                "usage.bad_number",
                "“\(text, "text")” is not a notification number; see the numbers after # in the list.",
                key: "usage.bad_number.is-not-a",
                help: "screentime notification list"
            )
        }
        return number
    }

    private static func find(_ number: Int64, _ clients: ServiceClients) async throws -> PostedNotification {
        let reply = try await clients.call(NotifyList.self, .init(number: number))
        guard let found = reply.notifications.first else {
            throw Problem(
                "notify.not_found",
                "There is no notification \(number, "number"), or another one replaced it.",
                help: "screentime notification list"
            )
        }
        return found
    }

    private static func showOne(_ invocation: Invocation) async throws -> ExitCode {
        let number = try number(invocation)
        return try await ServiceClients.with(invocation.directories) { clients in
            let found = try await find(number, clients)
            let apps = await names([found], clients)
            showPosted(found, invocation: invocation) {
                NotificationText.details($0, apps: apps, terminal: $1)
            }
            return .done
        }
    }

    private static func answer(_ invocation: Invocation) async throws -> ExitCode {
        let number = try number(invocation)
        let action = invocation.subjects.last ?? ""
        return try await ServiceClients.with(invocation.directories) { clients in
            let request = NotifyAnswer.Request(number: number, action: action, via: .terminal)
            let answered = try await clients.call(NotifyAnswer.self, request)
            showPosted(answered, invocation: invocation) { [NotificationText.answer($0, $1)] }
            return .done
        }
    }

    private static func remove(_ invocation: Invocation) async throws -> ExitCode {
        let number = try number(invocation)
        return try await ServiceClients.with(invocation.directories) { clients in
            let found = try await find(number, clients)
            let request = NotifyWithdraw.Request(app: found.app, member: found.member, ids: [found.id])
            let count = try await clients.call(NotifyWithdraw.self, request).withdrawn
            let after = count > 0 ? try await find(number, clients) : found
            showPosted(after, invocation: invocation) { posted, _ in
                let title = DisplayWidth.sanitized(posted.title)
                return [
                    (count > 0
                        ? Speech.say("notification.taken-back", "Withdrawn: ")
                        : Speech.say(
                            "notification.there-was-nothing-left",
                            "There was nothing left to withdraw: "
                        )) + title
                ]
            }
            return .done
        }
    }

    private static func showPosted(
        _ posted: PostedNotification,
        invocation: Invocation,
        text: (PostedNotification, Terminal) -> [String]
    ) {
        if invocation.wantsJSON {
            if let value = try? JSONOutput.value(of: posted) {
                invocation.terminal.write(JSONOutput.pretty(value))
            }
        } else {
            invocation.terminal.write(text(posted, invocation.terminal).joined(separator: "\n"))
        }
    }
}
