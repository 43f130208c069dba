package import STContracts
package import STDomain
import STPlatform

/// Requests for more time on a terminal.
package enum RequestText {
    /// `15m of Firefox and social`.
    package static func what(_ request: RequestView, _ apps: DisplayNames = DisplayNames()) -> String {
        let (amount, things) = (Speech.duration(ms: request.durationMs), things(request, apps))
        return Speech.say("\(amount) of \(things)", "\(things) \(amount)")
    }

    /// `Firefox and social`, or `everything`.
    static func things(_ request: RequestView, _ apps: DisplayNames) -> String {
        let names = RuleSentence.names(request.items, apps)
        return names.isEmpty ? Speech.say(SubjectReader.everything, "모든 앱") : names
    }

    package static func list(
        _ requests: [RequestView],
        _ apps: DisplayNames,
        _ moments: MomentWords,
        _ terminal: Terminal
    ) -> [String] {
        let titles = [
            ("REQUEST", "요청"), ("FOR", "사람"), ("WHAT", "내용"), ("STATE", "상태"), ("BECAUSE", "까닭"),
        ].map { Speech.say($0.0, $0.1) }
        var table = TextTable(titles.map { ($0, .left) })
        for request in requests {
            table.add([
                .init(request.request, isOpen(request) ? .bold : nil), .init(request.member),
                .init(what(request, apps)), .init(request.standing(moments), style(request)),
                .init(request.because ?? "", .dim),
            ])
        }
        return table.lines(columns: terminal.columns, expendable: [titles[4], titles[1]], terminal)
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
        let what = what(request, apps)
        let title = Speech.say(
            "\(request.request): \(what) for \(member)",
            "\(request.request): \(member) 님의 \(what)"
        )
        var lines = [terminal.styled(title, .bold)]
        if let because = request.because.map({ DisplayWidth.harmless($0) }) {
            lines.append("  " + Speech.say("Because: “\(because)”", "까닭: “\(because)”"))
        }
        lines.append("  " + TextWrap.sentence(DisplayWidth.harmless(request.standing(moments))))
        if request.state == .granted, let from = request.fromWallMs {
            let by = DisplayWidth.harmless(request.answeredBy ?? "")
            let at = moments.at(from)
            lines.append("  " + Speech.say("Granted by \(by) \(at).", "\(by) 님이 \(at) 승인."))
        }
        if let next = next(request, provers: provers) { lines.append("  " + next) }
        let asked = moments.at(wire: request.askedAt)
        lines.append(terminal.styled("  " + Speech.say("Asked \(asked).", "\(asked) 요청."), .dim))
        return lines
    }

    /// The line to type next; `provers`: who can answer for others, nil where that is not known.
    package static func next(_ request: RequestView, provers: [String]?) -> String? {
        switch request.state {
        case .waiting where request.grantsAt == nil:
            guard provers?.contains(where: { $0 != request.member }) ?? true else { return nil }
            return ProblemText.asTyped(
                Speech.say("A guardian answers: ", "보호자가 답합니다: ")
                    + "screentime request approve \(request.request), or deny \(request.request); "
                    + Speech.say("with a code from a phone: ", "전화기의 코드로: ")
                    + "screentime request code \(request.request) 123456"
            )
        case .waiting:
            return ProblemText.asTyped(
                Speech.say("To withdraw it: ", "거두려면: ") + "screentime request revoke \(request.request)"
            )
        case .granted:
            return ProblemText.asTyped(
                Speech.say("To take it back: ", "되돌리려면: ") + "screentime request revoke \(request.request)"
            )
        case .denied, .revoked, .ended, .withdrawn, .expired, .unknown: return nil
        }
    }

    /// How one's own requests are answered, in plain words.
    package static func rule(_ rule: RequestRule) -> [String] {
        let member = DisplayWidth.harmless(rule.member)
        let expires = Speech.duration(ms: rule.expiresMs ?? RequestRule.expiresMs)
        let guardian = Speech.say(
            "A request that a guardian has to answer ends after \(expires).",
            "보호자가 답해야 하는 요청은 \(expires) 뒤에 끝납니다."
        )
        guard rule.aDay > 0 else {
            let only = Speech.say(
                "Only a guardian answers the requests of \(member).",
                "\(member) 님의 요청에는 보호자만 답합니다."
            )
            return [only, guardian]
        }
        let forGuardian = rule.expiresMs == nil ? [] : [guardian]
        let times = rule.aDay == 1 ? "Once" : "\(rule.aDay) times"
        let most = Speech.duration(ms: rule.mostMs)
        let first = Speech.say(
            "\(times) a day \(member) gets up to \(most) more without a guardian.",
            "\(member) 님은 보호자 없이 하루 \(rule.aDay)번, 한 번에 \(most)까지 더 쓸 수 있습니다."
        )
        if rule.delayMs == 0 {
            return [first, Speech.say("It is granted at once.", "바로 승인됩니다.")] + forGuardian
        }
        let percent = rule.growthPercent
        let grows = percent > 0 && rule.aDay > 1
        let more = Speech.say(percent == 100 ? "twice as long" : "\(percent)% longer", "\(percent)% 더")
        let delay = Speech.duration(ms: rule.delayMs)
        let waits = Speech.say(
            "The first waits \(delay)" + (grows ? "; each further one that day waits \(more)." : "."),
            "처음은 \(delay) 기다립니다." + (grows ? " 그날 다음 번마다 \(more) 기다립니다." : "")
        )
        return [first, waits] + forGuardian
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
