package import STContracts
package import STDomain
import STPlatform

/// Text about requests for more time on a terminal.
package enum RequestText {
    /// Returns the time and the items, for example `15m of Firefox and social`.
    package static func summary(_ request: RequestView, _ apps: DisplayNames = DisplayNames()) -> String {
        let (amount, things) = (Speech.duration(ms: request.durationMs), itemNames(request, apps))
        return Speech.say("request.amount-of-things", "\(amount, "amount") of \(things, "things")")
    }

    /// Returns the items, for example `Firefox and social`, or `everything`.
    static func itemNames(_ request: RequestView, _ apps: DisplayNames) -> String {
        let names = RuleSentence.names(request.items, apps)
        return names.isEmpty ? Speech.say("request.everything", "everything") : names
    }

    package static func list(
        _ requests: [RequestView],
        apps: DisplayNames,
        moments: MomentFormatter,
        terminal: Terminal
    ) -> [String] {
        let titles = [
            Speech.say("request.title-request", "REQUEST"), Speech.say("request.title-for", "FOR"),
            Speech.say("request.title-what", "WHAT"), Speech.say("request.title-state", "STATE"),
            Speech.say("request.title-because", "REASON"),
        ]
        var table = TextTable(titles.map { ($0, .left) })
        for request in requests {
            table.add([
                .init(request.request, isOpen(request) ? .bold : nil), .init(request.member),
                .init(summary(request, apps)), .init(request.statusText(moments), style(request)),
                .init(request.because ?? "", .dim),
            ])
        }
        return table.lines(columns: terminal.columns, expendable: [titles[4], titles[1]], terminal)
    }

    /// Returns all details of one request, and the commands for it.
    package static func details(
        _ request: RequestView,
        apps: DisplayNames,
        moments: MomentFormatter,
        provers: [String]?,
        terminal: Terminal
    ) -> [String] {
        let member = DisplayWidth.sanitized(request.member)
        let what = summary(request, apps)
        let title = Speech.say(
            "request.for",
            "\(request.request, "request"): \(what, "what") for \(member, "member")"
        )
        var lines = [terminal.styled(title, .bold)]
        if let because = request.because.map({ DisplayWidth.sanitized($0) }) {
            lines.append("  " + Speech.say("request.because", "Reason: “\(because, "reason")”"))
        }
        lines.append("  " + TextWrap.sentence(DisplayWidth.sanitized(request.statusText(moments))))
        if request.state == .granted, let from = request.fromWallMs {
            let by = DisplayWidth.sanitized(request.answeredBy ?? "")
            let at = moments.at(from)
            lines.append("  " + Speech.say("request.granted-by", "Granted by \(by, "by") \(at, "at")."))
        }
        if let next = next(request, provers: provers) { lines.append("  " + next) }
        let asked = moments.at(wire: request.askedAt)
        lines.append(
            terminal.styled("  " + Speech.say("request.asked", "Requested \(asked, "asked")."), .dim)
        )
        return lines
    }

    /// Returns the line to type next. `provers` lists who can answer for others, `nil` if that is unknown.
    package static func next(_ request: RequestView, provers: [String]?) -> String? {
        switch request.state {
        case .waiting where request.grantsAt == nil:
            guard provers?.contains(where: { $0 != request.member }) ?? true else { return nil }
            let name = request.request
            return ProblemText.asTyped(
                Speech.say(
                    "request.how-guardian-answers",
                    """
                    To answer as a guardian, run `screentime request approve \(name, "name")` or `screentime \
                    request deny \(name, "name")`. To use a code from a phone, run `screentime request code \
                    \(name, "name") 123456`.
                    """
                )
            )
        case .waiting:
            return ProblemText.asTyped(
                Speech.say("request.to-withdraw-it", "To withdraw it: ")
                    + "screentime request revoke \(request.request)"
            )
        case .granted:
            return ProblemText.asTyped(
                Speech.say("request.to-take-it-back", "To revoke it: ")
                    + "screentime request revoke \(request.request)"
            )
        case .denied, .revoked, .ended, .withdrawn, .expired, .unknown: return nil
        }
    }

    /// Describes the rule for answering a person's own requests.
    package static func rule(_ rule: RequestRule) -> [String] {
        let member = DisplayWidth.sanitized(rule.member)
        let expires = Speech.duration(ms: rule.expiresMs ?? RequestRule.expiresMs)
        let guardian = Speech.say(
            "request.a-request-that-a",
            "A request that needs a guardian's answer expires after \(expires, "expires")."
        )
        guard rule.aDay > 0 else {
            let only = Speech.say(
                "request.only-a-guardian-answers",
                "Only a guardian can answer the requests of \(member, "member")."
            )
            return [only, guardian]
        }
        let forGuardian = rule.expiresMs == nil ? [] : [guardian]
        let (count, most) = (Int(rule.aDay), Speech.duration(ms: rule.mostMs))
        let first = Speech.say(
            "request.times-a-day",
            count: count,
            one: "Once a day, \(member, "member") can get up to \(most, "most") more without a guardian.",
            other:
                """
                \(count, "count") times a day, \(member, "member") can get up to \(most, "most") more \
                without a guardian.
                """
        )
        if rule.delayMs == 0 {
            return [first, Speech.say("request.it-is-granted-at", "The time is granted immediately.")]
                + forGuardian
        }
        return [first, delayText(rule)] + forGuardian
    }

    private static func delayText(_ rule: RequestRule) -> String {
        let (delay, percent) = (Speech.duration(ms: rule.delayMs), rule.growthPercent)
        if percent <= 0 || rule.aDay <= 1 {
            return Speech.say("request.the-first-waits", "The first request waits \(delay, "delay").")
        }
        if percent == 100 {
            return Speech.say(
                "request.each-further-one-twice",
                """
                The first request waits \(delay, "delay"). Each further request that day waits twice as long \
                as the one before.
                """
            )
        }
        return Speech.say(
            "request.each-further-one-longer",
            """
            The first request waits \(delay, "delay"). Each further request that day waits \
            \(percent, "percent")% longer than the one before.
            """
        )
    }

    private static func isOpen(_ request: RequestView) -> Bool {
        request.state == .waiting || request.state == .granted
    }

    private static func style(_ request: RequestView) -> Terminal.Style? {
        switch request.state {
        case .waiting: .yellow
        case .granted: .green
        case .denied, .revoked, .ended, .withdrawn, .expired, .unknown: nil
        }
    }
}
