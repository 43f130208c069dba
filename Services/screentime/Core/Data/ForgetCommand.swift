package import STContracts
import STPlatform

/// `screentime data forget`.
package enum ForgetCommand {
    static let command = Command(
        ["data", "forget"],
        "Deletes what was recorded about your own past, or about a person who was removed",
        options: [
            .init("--from", "WHEN", "where it begins: a day, a day and a time, or a time today"),
            .init("--to", "WHEN", "where it ends; may be `now`"),
            .init("--member", "NAME", "whose past; by default the owner of this account"),
            .init("--yes", nil, "does not ask first"),
            ProofPrompt.option,
            .json,
        ],
        example: "screentime data forget --from 2026-11-20 --to now"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let nowMs = invocation.nowMs
        let from = try moment("--from", nowMs, invocation)
        let to = try moment("--to", nowMs, invocation)
        guard from < to else {
            throw Problem(
                "usage.bad_range",
                "--to is not after --from, so there is nothing between them.",
                help: "screentime data forget --from 09:00 --to 10:00"
            )
        }
        let member = invocation.value("--member")
        guard try await isMeant(from, to, member, invocation) else {
            invocation.terminal.note(Speech.say("Nothing was deleted.", "아무것도 지우지 않았습니다."))
            return .no
        }
        let prompt = ProofPrompt(invocation)
        let total = try await ServiceClients.with(invocation.directories) { clients in
            try await forget(.init(member: member, fromWallMs: from, toWallMs: to), prompt, clients)
        }
        return try invocation.show(
            json: try JSONOutput.pretty(of: total),
            text: lines(total, from, to).joined(separator: "\n")
        )
    }

    private static func moment(_ option: String, _ nowMs: Int64, _ invocation: Invocation) throws(Problem)
        -> Int64
    {
        guard let text = invocation.value(option) else {
            throw Problem(
                "usage.option_missing",
                "\(option) is missing: \(LocalMoment.expectation).",
                help: "screentime data forget --from 2026-11-20 --to now"
            )
        }
        guard let moment = LocalMoment.wallMs(text, nowMs: nowMs) else {
            throw Problem(
                "usage.bad_moment",
                "\(option) is “\(text)”; it must be \(LocalMoment.expectation).",
                help: "screentime data forget --from 2026-11-20 --to now"
            )
        }
        return moment
    }

    private static func isMeant(_ from: Int64, _ to: Int64, _ member: String?, _ invocation: Invocation)
        async throws
        -> Bool
    {
        if invocation.has("--yes") { return true }
        let keyboard: Keyboard
        do {
            keyboard = try Keyboard(invocation.terminal.keyboard)
        } catch {
            throw Problem(
                "usage.not_agreed",
                "This deletes records for good, and there is no terminal to ask at. Add --yes to go ahead.",
                help: "screentime data forget --from … --to … --yes"
            )
        }
        let whose = member.map { DisplayWidth.harmless($0) }
        let (start, end) = (TimeText.text(wallMs: from), TimeText.text(wallMs: to))
        keyboard.say(
            Speech.say(
                "This deletes what was recorded \(whose.map { "of \($0) " } ?? "")from \(start) to \(end), for good. "
                    + "Stretches that only partly lie in that time are deleted whole.",
                "\(start)부터 \(end)까지 \(whose.map { "\($0) 님의 " } ?? "")기록을 영영 지웁니다. "
                    + "그 시간에 일부만 걸친 구간도 통째로 지웁니다."
            )
        )
        let question = Speech.say("Type yes to go on: ", "계속하려면 yes를 입력하세요: ")
        return try await keyboard.line(question) == "yes"
    }

    /// Deletes a few thousand rows at a time, so that other requests are served in between.
    package static func forget(
        _ request: UsageForget.Request,
        _ prompt: ProofPrompt,
        _ clients: ServiceClients,
        tell: (_ rows: Int64) -> Void = { _ in }
    ) async throws -> UsageForget.Reply {
        func part() async throws -> UsageForget.Reply {
            try await prompt.run { proof in
                var request = request
                request.proof = proof
                return try await clients.call(UsageForget.self, request, timeoutMs: BusLimits.timeoutMsMax)
            }
        }
        var total = try await part()
        while total.more {
            tell(total.rows)
            let next = try await part()
            total.rows += next.rows
            total.events += next.events
            total.more = next.more && next.rows + next.events > 0
            total.keptOpen = next.keptOpen
        }
        return total
    }

    static func lines(_ total: UsageForget.Reply, _ from: Int64, _ to: Int64) -> [String] {
        let (start, end) = (TimeText.text(wallMs: from), TimeText.text(wallMs: to))
        let range = Speech.say("from \(start) to \(end)", "\(start)부터 \(end)까지")
        let name = DisplayWidth.harmless(total.member)
        var lines: [String] = []
        if total.rows == 0, total.events > 0 {
            lines.append(
                Speech.say(
                    "Deleted the notifications that \(name) got \(range).",
                    "\(name) 님이 \(range) 받은 알림을 지웠습니다."
                )
            )
        } else if total.rows == 0 {
            lines.append(
                Speech.say(
                    "Nothing was recorded about \(name) \(range), except what may still be going on.",
                    "\(name) 님의 \(range) 기록은 없습니다. 지금 이어지는 것은 있을 수 있습니다."
                )
            )
        } else {
            lines.append(
                Speech.say(
                    "Deleted \(total.rows) \(total.rows == 1 ? "stretch" : "stretches") of time of \(name) \(range).",
                    "\(name) 님의 \(range) 구간 \(total.rows)개를 지웠습니다."
                )
            )
            lines.append(
                Speech.say(
                    "Reports are made again without it. Backups made earlier still have it.",
                    "보고서를 그것 없이 다시 만듭니다. 전에 만든 백업에는 남아 있습니다."
                )
            )
        }
        if total.keptOpen {
            lines.append(
                Speech.say(
                    "What is in front now stays in the record until it is over.",
                    "지금 앞에 있는 것은 끝날 때까지 기록에 남습니다."
                )
            )
        }
        return lines
    }
}
