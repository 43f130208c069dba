import STContracts
import STPlatform

/// `screentime member …`.
enum MemberCommands {
    static let commands: [Command] = [
        Command(
            ["member", "list"],
            "The people of this household",
            options: [.json],
            example: "screentime member list"
        ) { try await list($0) },
        Command(
            ["member", "add"],
            "Adds a person to the household",
            subjects: [.init("NAME", "what this person is called here")],
            options: [
                .init("--role", "individual|guardian|child", "what this person is; individual by default"),
                .json,
            ],
            example: "screentime member add kid --role child"
        ) { try await add($0) },
        Command(
            ["member", "show"],
            "What is recorded about a person, for how long, and who sees it",
            subjects: [.init("NAME", "whom; the owner of this account without it", isOptional: true)],
            options: [.json],
            example: "screentime member show kid"
        ) { try await show($0) },
        PasscodeCommand.command,
    ]

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let reply = try await ServiceClients.with(invocation.directories) {
            try await $0.call(MemberList.self, Empty())
        }
        let terminal = invocation.terminal
        let isDemo = Banner.isDemo(invocation.directories)
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return .done
        }
        terminal.write(text(reply, isDemo: isDemo, terminal).joined(separator: "\n"))
        return .done
    }

    static func text(_ reply: MemberList.Reply, isDemo: Bool, _ terminal: Terminal) -> [String] {
        let title = "On this computer, \(DisplayWidth.harmless(reply.device.name)):"
        var lines = [Banner.titled(title, isDemo: isDemo, terminal), ""]
        guard !reply.members.isEmpty else {
            return lines + ["Nobody has been added yet; `screentime member add NAME` adds a person."]
        }
        var table = TextTable([("NAME", .left), ("ROLE", .left)])
        for member in reply.members { table.add([.init(member.name), .init(member.role.rawValue)]) }
        lines += table.lines(columns: terminal.columns, terminal)
        return lines
    }

    private static func show(_ invocation: Invocation) async throws -> ExitCode {
        let request = MemberShow.Request(member: invocation.subjects.first)
        let reply = try await ServiceClients.with(invocation.directories) {
            try await $0.call(MemberShow.self, request)
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return .done
        }
        let isDemo = Banner.isDemo(invocation.directories)
        terminal.write(MemberStoryText.lines(reply, isDemo: isDemo, terminal).joined(separator: "\n"))
        return .done
    }

    private static func add(_ invocation: Invocation) async throws -> ExitCode {
        let role = try invocation.choice("--role", MemberRole.self) ?? .individual
        let name = invocation.subjects[0]
        let reply = try await ServiceClients.with(invocation.directories) {
            try await $0.call(MemberAdd.self, Member(name: name, role: role))
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return .done
        }
        let member = "\(DisplayWidth.harmless(reply.member.name)) (\(reply.member.role.rawValue))"
        let text = reply.added ? "Added \(member)." : "\(member) was there already."
        let isDemo = Banner.isDemo(invocation.directories)
        terminal.write(isDemo ? text + "  " + Banner.demo(terminal) : text)
        return .done
    }
}
