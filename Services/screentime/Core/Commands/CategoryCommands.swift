import STContracts
import STPlatform

/// `screentime category …`.
enum CategoryCommands {
    static let commands: [Command] = [
        Command(
            ["category", "list"],
            "The categories, and what was moved into another one",
            options: [.json],
            example: "screentime category list"
        ) { try await list($0) },
        Command(
            ["category", "set"],
            "Moves an app or a site into a category, for use from now on",
            subjects: [
                .init("SUBJECT", "an app, or site:DOMAIN"),
                .init("CATEGORY", "such as social; `default` goes back to our own list"),
            ],
            options: [.json],
            example: "screentime category set firefox social"
        ) { try await set($0) },
    ]

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            var all = try await clients.call(CategoryList.self, .init())
            while let next = all.next {
                let page = try await clients.call(CategoryList.self, .init(next: next))
                all.choices += page.choices
                all.next = page.next
            }
            return all
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return .done
        }
        var lines = ["Categories: " + reply.categories.joined(separator: ", ")]
        if reply.choices.isEmpty {
            lines += [
                "",
                "Nothing was moved yet; `screentime category set SUBJECT CATEGORY` moves an app or a site.",
            ]
        } else {
            var table = TextTable([("MOVED", .left), ("TO", .left)])
            for choice in reply.choices { table.add([.init(choice.subject), .init(choice.category)]) }
            lines += [""] + table.lines(columns: terminal.columns, terminal)
        }
        terminal.write(lines.joined(separator: "\n"))
        return .done
    }

    private static func set(_ invocation: Invocation) async throws -> ExitCode {
        let category = invocation.subjects[1] == "default" ? nil : invocation.subjects[1]
        let reply = try await ServiceClients.with(invocation.directories) {
            try await $0.call(CategorySet.self, .init(subject: invocation.subjects[0], category: category))
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return .done
        }
        let subject = DisplayWidth.harmless(reply.subject)
        terminal.write(
            "\(subject) counts as \(reply.category) from now on\(reply.isOwn ? "" : ", by our own list")."
        )
        return .done
    }
}
