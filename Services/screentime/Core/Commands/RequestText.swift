package import STContracts
package import STDomain
import STPlatform

/// Requests for more time on a terminal.
package enum RequestText {
    /// `15m of Firefox and social`.
    package static func what(_ request: RequestView, _ apps: DisplayNames = DisplayNames()) -> String {
        "\(TextFormat.duration(ms: request.durationMs)) of \(things(request, apps))"
    }

    /// `Firefox and social`, or `everything`.
    static func things(_ request: RequestView, _ apps: DisplayNames) -> String {
        let names = RuleSentence.names(request.items, apps)
        return names.isEmpty ? SubjectReader.everything : names
    }

    package static func list(
        _ requests: [RequestView],
        _ apps: DisplayNames,
        _ moments: MomentWords,
        _ terminal: Terminal
    ) -> [String] {
        var table = TextTable([
            ("REQUEST", .left), ("FOR", .left), ("WHAT", .left), ("STATE", .left), ("BECAUSE", .left),
        ])
        for request in requests {
            table.add([
                .init(request.request, isOpen(request) ? .bold : nil), .init(request.member),
                .init(what(request, apps)), .init(request.standing(moments), style(request)),
                .init(request.because ?? "", .dim),
            ])
        }
        return table.lines(columns: terminal.columns, expendable: ["BECAUSE", "FOR"], terminal)
    }

    /// All that is known of one, and what can be done with it.
    package static func one(
        _ request: RequestView,
        _ apps: DisplayNames,
        _ moments: MomentWords,
        provers: [String]?,
        _ terminal: Terminal
    ) -> [String] {
        let member = DisplayWidth.harmless(request.member)
        var lines = [terminal.styled("\(request.request): \(what(request, apps)) for \(member)", .bold)]
        if let because = request.because { lines.append("  Because: “\(DisplayWidth.harmless(because))”") }
        lines.append("  " + TextWrap.sentence(DisplayWidth.harmless(request.standing(moments))))
        if request.state == .granted, let from = request.fromWallMs {
            let by = DisplayWidth.harmless(request.answeredBy ?? "")
            lines.append("  Granted by \(by) \(moments.at(from)).")
        }
        if let next = next(request, provers: provers) { lines.append("  " + next) }
        lines.append(terminal.styled("  Asked \(moments.at(wire: request.askedAt)).", .dim))
        return lines
    }

    /// The line to type next; `provers`: who can answer for others, nil where that is not known.
    package static func next(_ request: RequestView, provers: [String]?) -> String? {
        switch request.state {
        case .waiting where request.grantsAt == nil:
            guard provers?.contains(where: { $0 != request.member }) ?? true else { return nil }
            return ProblemText.asTyped(
                "A guardian answers: screentime request approve \(request.request), or deny \(request.request); "
                    + "with a code from a phone: screentime request code \(request.request) 123456"
            )
        case .waiting:
            return ProblemText.asTyped("To withdraw it: screentime request revoke \(request.request)")
        case .granted:
            return ProblemText.asTyped("To take it back: screentime request revoke \(request.request)")
        case .denied, .revoked, .ended, .withdrawn, .expired, .unknown: return nil
        }
    }

    /// How one's own requests are answered, in plain words.
    package static func rule(_ rule: RequestRule) -> [String] {
        let member = DisplayWidth.harmless(rule.member)
        let expires = TextFormat.duration(ms: rule.expiresMs ?? RequestRule.expiresMs)
        let guardian = "A request that a guardian has to answer ends after \(expires)."
        guard rule.aDay > 0 else {
            return ["Only a guardian answers the requests of \(member).", guardian]
        }
        let forGuardian = rule.expiresMs == nil ? [] : [guardian]
        let times = rule.aDay == 1 ? "Once" : "\(rule.aDay) times"
        let most = TextFormat.duration(ms: rule.mostMs)
        let first = "\(times) a day \(member) gets up to \(most) more without a guardian."
        if rule.delayMs == 0 { return [first, "It is granted at once."] + forGuardian }
        let more = rule.growthPercent == 100 ? "twice as long" : "\(rule.growthPercent)% longer"
        let growth =
            rule.growthPercent == 0 || rule.aDay == 1 ? "." : "; each further one that day waits \(more)."
        return [first, "The first waits \(TextFormat.duration(ms: rule.delayMs))\(growth)"] + forGuardian
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
