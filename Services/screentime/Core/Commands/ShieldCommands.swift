import STContracts
import STPlatform

/// `screentime shield …`.
enum ShieldCommands {
    static let commands: [Command] = [
        Command(
            ["shield", "preview"],
            "What a person would see when an app or a site is shielded",
            subjects: [.init("SUBJECT", "an app, or site:DOMAIN")],
            options: [
                .init("--png", "FILE", "draws it into this file, too, as the desktop will show it"),
                .init("--dark", nil, "the picture as on a dark desktop"),
                .init("--light", nil, "the picture as on a light desktop, which is the default"),
                .init("--size", "WIDTHxHEIGHT", "of the window, in pixels; 1280x800 by default"),
                .init("--language", "CODE", "such as ko or en; yours by default"),
                .init("--app", "BUNDLE", "as though this app shielded it"),
                .init("--member", "NAME", "before this person; before you by default"),
                .json,
            ],
            example: "screentime shield preview firefox --png firefox.png --dark"
        ) { try await ShieldPreview.run($0) },
        Command(
            ["shield", "list"],
            "The shields that came up, newest first, and how often each did",
            options: [
                .init("--member", "NAME", "only before this person"),
                .init("--count", "N", "so many of them, 20 by default"),
                .json,
            ],
            example: "screentime shield list --count 5"
        ) { try await list($0) },
    ]

    private static let countDefault = 20

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let count = try invocation.count("--count") ?? countDefault
        let member = invocation.value("--member")
        let found = try await ServiceClients.with(invocation.directories) { clients in
            try await KnownMembers.check(member, "shield list", clients)
            return try await latest(count, .init(member: member), clients)
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: found)))
        } else {
            terminal.write(ShieldTable.lines(found, terminal).joined(separator: "\n"))
        }
        return .done
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
