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
            try await checkMember(member, clients)
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

    /// A mistyped name would otherwise look like somebody who did nothing all day.
    private static func checkMember(_ name: String?, _ clients: ServiceClients) async throws {
        guard let name, let list = try? await clients.call(MemberList.self, Empty(), timeoutMs: 1_500) else {
            return
        }
        let names = list.members.map(\.name)
        guard !names.contains(name) else { return }
        let near = TextFormat.closest(to: name, in: names)
        throw Problem(
            "member.not_found",
            "Nobody here is called “\(name)”" + (near.map { "; did you mean \($0)?" } ?? "."),
            help: near.map { "screentime report --member \($0)" } ?? "screentime member list"
        )
    }
}
