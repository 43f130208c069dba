import STContracts
import STPlatform

/// `screentime report`.
enum ReportCommand {
    static let commands: [Command] = [
        Command(
            ["report"],
            "The use of one day, per app, site or member",
            options: [
                .init("--day", "YYYY-MM-DD", "another day than today"),
                .init("--member", "NAME", "only this person's use"),
                .init("--by", "app|site|member", "what the rows stand for"),
                .json,
            ],
            example: "screentime report --by site"
        ) { try await run($0) }
    ]

    /// As many pages as a person will ever scroll through; what is beyond is still in the totals.
    private static let pagesMax = 20

    private static func wholeDay(
        _ request: ReportDay.Request,
        _ clients: ServiceClients
    ) async throws -> ReportDay.Reply {
        var day = try await clients.call(ReportDay.self, request)
        for _ in 1..<pagesMax {
            guard let next = day.next else { break }
            var more = request
            more.next = next
            let page = try await clients.call(ReportDay.self, more)
            day.rows += page.rows
            day.next = page.next
        }
        return day
    }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let day = invocation.value("--day")
        if let day, CivilDate(text: day) == nil {
            throw Problem(
                "usage.bad_day",
                "--day is “\(day)”, and wants a day of the calendar written as 2026-11-20.",
                help: "screentime report --day 2026-11-20"
            )
        }
        let grouping = try invocation.choice("--by", ReportGrouping.self)
        let member = invocation.value("--member")
        let report = try await ServiceClients.with(invocation.directories) { clients in
            try await KnownMembers.check(member, "report", clients)
            return try await wholeDay(.init(day: day, member: member, by: grouping), clients)
        }
        let terminal = invocation.terminal
        let isDemo = Banner.isDemo(invocation.directories)
        if invocation.wantsJSON {
            var value = try JSONOutput.value(of: report)
            if case .object(var members) = value {
                members["demo"] = .bool(isDemo)
                value = .object(members)
            }
            terminal.write(JSONOutput.pretty(value))
        } else {
            let lines = ReportText.lines(
                report,
                member: member,
                by: grouping ?? .app,
                isDemo: isDemo,
                terminal
            )
            terminal.write(lines.joined(separator: "\n"))
        }
        return .done
    }
}
