import STContracts
import STPlatform

/// `screentime rule delay`: whoever wants to loosen a rule waits first.
enum RuleDelayCommand {
    static let command = Command(
        ["rule", "delay"],
        "Lets what loosens a rule wait, while what tightens it is immediate; without DURATION, says how long",
        subjects: [.init("DURATION", "such as 1h, at most 7d; 0 for no wait", isOptional: true)],
        options: [.init("--member", "NAME", "this person's rules; yours by default"), .json],
        example: "screentime rule delay 1h"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let delayMs = try duration(invocation.subjects.first)
        let member = invocation.value("--member")
        let reply = try await ServiceClients.with(invocation.directories) { clients in
            try await KnownMembers.check(member, "rule delay", clients)
            return try await RequestAsking.ask(
                RuleDelay.self,
                .init(member: member, delayMs: delayMs),
                clients
            )
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return .done
        }
        RequestAsking.write(text(reply), terminal)
        return .done
    }

    private static func duration(_ text: String?) throws(Problem) -> Int64? {
        guard let text else { return nil }
        if text == "0" || text == "off" { return 0 }
        guard let ms = TextFormat.durationMs(text) else {
            throw Problem(
                "usage.bad_duration",
                "“\(text)” is no time such as 30m, 1h or 2d.",
                help: "screentime rule delay 1h"
            )
        }
        return ms
    }

    static func text(_ reply: RuleDelay.Reply) -> [String] {
        let member = DisplayWidth.harmless(reply.member)
        var lines: [String] = []
        if reply.delayMs == 0 {
            lines.append("Every change of a rule for \(member) holds at once.")
        } else {
            lines.append(
                "What loosens a rule for \(member) waits \(TextFormat.duration(ms: reply.delayMs)); "
                    + "what tightens it holds at once."
            )
            lines.append(
                "Moving an app or a site to another category holds at once, also where a rule names one of them."
            )
        }
        if let next = reply.nextDelayMs, let from = reply.nextFromWallMs {
            let wait = next == 0 ? "nothing waits any more" : "it waits \(TextFormat.duration(ms: next))"
            lines.append(
                "From \(LocalTime.text(wallMs: from)) \(wait): a shorter wait waits, too. To keep the longer one: "
                    + "screentime rule delay \(TextFormat.duration(ms: reply.delayMs))"
            )
        }
        return lines
    }
}
