import STContracts
import STPlatform

/// `screentime request edit`: how one's own requests are answered.
enum RequestRuleEditing {
    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let delayMs = try duration("--delay", invocation)
        let mostMs = try invocation.durationMs("--most")
        let growth = try number("--growth", invocation)
        let aDay = try number("--a-day", invocation)
        let member = invocation.value("--member")
        let isChange = delayMs != nil || mostMs != nil || growth != nil || aDay != nil
        let (changed, now) = try await ServiceClients.with(invocation.directories) { clients in
            try await KnownMembers.check(member, "request edit", clients)
            let known = try await clients.call(RequestRuleShow.self, .init(member: member))
            guard isChange else { return (RequestRuleSet.Reply?.none, known) }
            // What waits is what was wanted last, so a further change is one of that.
            var rule = known.next ?? known.rule
            rule.delayMs = delayMs ?? rule.delayMs
            rule.mostMs = mostMs ?? rule.mostMs
            rule.growthPercent = growth ?? rule.growthPercent
            rule.aDay = aDay ?? rule.aDay
            let changed = try await ProofPrompt(invocation).run { by, passcode in
                let request = RequestRuleSet.Request(rule: rule, by: by, passcode: passcode)
                let reply = try await RequestAsking.ask(RequestRuleSet.self, request, clients)
                return (reply, reply.refusal)
            }
            return (changed, try await clients.call(RequestRuleShow.self, .init(member: member)))
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            let value = try changed.map { try JSONOutput.value(of: $0) } ?? JSONOutput.value(of: now)
            terminal.write(JSONOutput.pretty(value))
            return .done
        }
        var lines = RequestText.rule(now.rule)
        if now.grantedToday > 0 { lines.append("Granted of that today: \(now.grantedToday).") }
        if let next = now.next, let from = now.nextFromWallMs {
            lines.append("From \(LocalTime.text(wallMs: from)), because it is looser:")
            lines += RequestText.rule(next).map { "  " + $0 }
            lines.append("To keep the stricter one, ask for it again: \(line(now.rule, invocation))")
        }
        RequestAsking.write(lines, terminal)
        return .done
    }

    private static func line(_ rule: RequestRule, _ invocation: Invocation) -> String {
        let member = invocation.value("--member").map { " --member \($0)" } ?? ""
        let delay = rule.delayMs == 0 ? "0" : TextFormat.duration(ms: rule.delayMs)
        return "screentime request edit\(member) --delay \(delay) --growth \(rule.growthPercent)% "
            + "--most \(TextFormat.duration(ms: rule.mostMs)) --a-day \(rule.aDay)"
    }

    private static func duration(_ option: String, _ invocation: Invocation) throws(Problem) -> Int64? {
        invocation.value(option) == "0" ? 0 : try invocation.durationMs(option)
    }

    /// `4`, or `100%`.
    private static func number(_ option: String, _ invocation: Invocation) throws(Problem) -> Int64? {
        guard let text = invocation.value(option) else { return nil }
        let digits = option == "--growth" && text.hasSuffix("%") ? text.dropLast() : text[...]
        guard let number = Int64(digits), (0...1_000_000).contains(number) else {
            let example = option == "--growth" ? "100%" : "4"
            throw Problem(
                "usage.bad_number",
                "\(option) is “\(text)”, and wants a number such as \(example).",
                help: "\(option) \(example)"
            )
        }
        return number
    }
}
