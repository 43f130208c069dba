package import STContracts
import STPlatform

/// `screentime data forget`.
package enum DeleteUsageCommand {
    static let command = Command(
        ["data", "forget"],
        "Deletes your own records of a period, or those of a person who was removed",
        options: [
            .init(
                "--from",
                value: "WHEN",
                summary: "start of the period: a day, a day and a time, or a time today",
                key: "help.--from.where-it-begins-a-day-a"
            ),
            .init(
                "--to",
                value: "WHEN",
                summary: "end of the period; can be `now`",
                key: "help.--to.where-it-ends-may-be"
            ),
            .init(
                "--member",
                value: "NAME",
                summary: "the person whose records to delete; by default the owner of this account",
                key: "help.--member.whose-past-by-default-the"
            ),
            .init("--yes", value: nil, summary: "does not ask for confirmation"),
            ProofPrompt.option,
            .json,
        ],
        example: "screentime data forget --from 2026-11-20 --to now"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let now = invocation.now
        let from = try moment("--from", now: now, invocation: invocation)
        let to = try moment("--to", now: now, invocation: invocation)
        guard from < to else {
            throw Problem(
                "usage.bad_range",
                "--to must be later than --from.",
                help: "screentime data forget --from 09:00 --to 10:00"
            )
        }
        let member = invocation.value("--member")
        guard try await confirm(from, to: to, member: member, invocation: invocation) else {
            invocation.terminal.note(Speech.say("data.nothing-was-deleted", "Nothing was deleted."))
            return .no
        }
        let prompt = ProofPrompt(invocation)
        let total = try await ServiceClients.with(invocation.directories) { clients in
            try await delete(
                .init(member: member, fromWallMs: from.ms, toWallMs: to.ms),
                prompt: prompt,
                clients: clients
            )
        }
        return try invocation.show(
            json: try JSONOutput.pretty(of: total),
            text: lines(total, from: from, to: to).joined(separator: "\n")
        )
    }

    private static func moment(_ option: String, now: WallTime, invocation: Invocation) throws(Problem)
        -> WallTime
    {
        guard let text = invocation.value(option) else {
            throw Problem(
                "usage.option_missing",
                "\(option, "option") is missing. Give \(LocalMoment.expectation, "expectation").",
                key: "usage.option_missing.is-missing",
                help: "screentime data forget --from 2026-11-20 --to now"
            )
        }
        guard let moment = LocalMoment.wall(text, now: now) else {
            throw Problem(
                "usage.bad_moment",
                "\(option, "option") is “\(text, "text")”; it must be \(LocalMoment.expectation, "expectation").",
                help: "screentime data forget --from 2026-11-20 --to now"
            )
        }
        return moment
    }

    private static func confirm(_ from: WallTime, to: WallTime, member: String?, invocation: Invocation)
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
                """
                This deletes records permanently. Without a terminal, Screen Time cannot ask for \
                confirmation. Add --yes to confirm.
                """,
                key: "usage.not_agreed.this-deletes-records",
                help: "screentime data forget --from … --to … --yes"
            )
        }
        let (start, end) = (TimeText.text(from), TimeText.text(to))
        if let member = member.map({ DisplayWidth.sanitized($0) }) {
            keyboard.say(
                Speech.say(
                    "data.this-deletes-what-was-recorded-of",
                    """
                    This permanently deletes the records of \(member, "member") from \(start, "start") to \
                    \(end, "end"). Intervals that are only partly in this period are deleted completely.
                    """
                )
            )
        } else {
            keyboard.say(
                Speech.say(
                    "data.this-deletes-what-was-recorded",
                    """
                    This permanently deletes the records from \(start, "start") to \(end, "end"). Intervals \
                    that are only partly in this period are deleted completely.
                    """
                )
            )
        }
        let question = Speech.say("data.type-yes-to-go", "Type yes to continue: ")
        return try await keyboard.line(question) == "yes"
    }

    /// Deletes a few thousand rows per request, so that the service can serve other requests in between.
    package static func delete(
        _ request: UsageForget.Request,
        prompt: ProofPrompt,
        clients: ServiceClients,
        tell: (_ rows: Int64) -> Void = { _ in }
    ) async throws -> UsageForget.Reply {
        func part() async throws -> UsageForget.Reply {
            try await prompt.run { proof in
                var request = request
                request.proof = proof
                return try await clients.call(
                    UsageForget.self,
                    request,
                    timeout: ServiceClients.longestTimeout
                )
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

    static func lines(_ total: UsageForget.Reply, from: WallTime, to: WallTime) -> [String] {
        let (start, end) = (TimeText.text(from), TimeText.text(to))
        let range = Speech.say("data.from-to", "from \(start, "start") to \(end, "end")")
        let name = DisplayWidth.sanitized(total.member)
        var lines: [String] = []
        if total.rows == 0, total.events > 0 {
            lines.append(
                Speech.say(
                    "data.deleted-the-notifications-that",
                    "Deleted the notifications that \(name, "name") received \(range, "range")."
                )
            )
        } else if total.rows == 0 {
            lines.append(
                Speech.say(
                    "data.nothing-was-recorded-about",
                    """
                    Nothing was recorded about \(name, "name") \(range, "range"), except possibly usage that \
                    is still in progress.
                    """
                )
            )
        } else {
            lines.append(
                Speech.say(
                    "data.deleted-stretches",
                    count: Int(total.rows),
                    one: "Deleted 1 usage interval of \(name, "name") \(range, "range").",
                    other:
                        "Deleted \(total.rows, "count") usage intervals of \(name, "name") \(range, "range")."
                )
            )
            lines.append(
                Speech.say(
                    "data.reports-are-made-again",
                    "Reports are recalculated without the deleted usage. Earlier backups still contain it."
                )
            )
        }
        if total.keptOpen {
            lines.append(
                Speech.say(
                    "data.what-is-in-front",
                    """
                    The interval that is still in progress stays in the record. It can be deleted after it \
                    has ended.
                    """
                )
            )
        }
        return lines
    }
}
