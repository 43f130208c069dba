import STContracts
import STPlatform

/// The screen of `member show`.
enum MemberSummaryText {
    static func lines(_ reply: MemberShow.Reply, apps: DisplayNames, isDemo: Bool, terminal: Terminal)
        -> [String]
    {
        let name = DisplayWidth.sanitized(reply.member.name)
        var lines = [
            Banner.titled("\(name), \(Speech.say(reply.member.role.label))", isDemo: isDemo, terminal), "",
        ]
        lines += passcode(reply.passcode, name: name, terminal: terminal)
        let recorded = Speech.say(
            "member.what-is-recorded-about",
            "Records about \(name, "name"), and who sees them"
        )
        lines += ["", terminal.styled(recorded, .bold)]
        let seen = Speech.say("member.seen-by", "Seen by: ")
        // If the observers are the same for all records, they are shown once.
        let seers = Set(reply.records.map(\.seenBy))
        if seers.count == 1, let all = seers.first {
            lines += [""] + indented(seen + DisplayWidth.sanitized(Speech.say(all)), terminal)
        }
        for record in reply.records {
            lines += ["", "  " + terminal.styled(DisplayWidth.sanitized(record.service), .cyan)]
            var texts = [("", record.what), (Speech.say("member.kept", "Kept: "), record.kept)]
            if seers.count > 1 { texts.append((seen, record.seenBy)) }
            for (title, text) in texts {
                lines += indented(title + DisplayWidth.sanitized(Speech.say(text)), terminal)
            }
        }
        let allowed = Speech.say("member.what-lets-apps-do", "App permissions of \(name, "name")")
        lines += ["", terminal.styled(allowed, .bold), ""]
        if reply.authorizations.isEmpty {
            lines.append(Speech.say("member.no-app-has-asked", "  No app has requested permission yet."))
        }
        for known in reply.authorizations {
            lines += indented(AppInstallCommand.sentence(known, name: apps[known.app]), terminal)
        }
        guard !reply.notices.isEmpty else { return lines }
        lines += ["", terminal.styled(Speech.say("member.what-happened", "Events"), .bold), ""]
        for notice in reply.notices {
            lines += indented(
                TimeText.text(wire: notice.at) + "  " + DisplayWidth.sanitized(Speech.say(notice.text)),
                terminal
            )
        }
        return lines
    }

    private static func passcode(_ view: PasscodeView, name: String, terminal: Terminal) -> [String] {
        guard view.isSet else {
            let none = Speech.say("member.passcode-none-to-set", "Passcode: none. To set one: ")
            return [ProblemText.asTyped(none + "screentime member passcode \(name)")]
        }
        let changed = TimeText.text(wire: view.changedAt ?? "")
        var lines = [Speech.say("member.passcode-set-on", "Passcode: set on \(changed, "changed").")]
        if view.wrong > 0 {
            let pause = view.lockedForMs.map { Duration.milliseconds($0) }
            lines.append(terminal.styled(wrong(Int(view.wrong), lockedFor: pause), .yellow))
        }
        if !view.attempts.isEmpty {
            lines.append(Speech.say("member.wrong-passcodes-so-far", "Wrong passcodes so far:"))
        }
        for attempt in view.attempts {
            let purpose = DisplayWidth.sanitized(Speech.say(attempt.purpose))
            lines.append(
                "  \(TimeText.text(wire: attempt.at))  "
                    + Speech.say("member.passcode-was-for", "to \(purpose, "purpose")")
            )
        }
        return lines
    }

    private static func wrong(_ count: Int, lockedFor: Duration?) -> String {
        guard let pause = lockedFor.map({ Speech.duration($0) }) else {
            return Speech.say(
                "member.a-wrong-one-was-typed",
                count: count,
                one: "A wrong passcode was typed once.",
                other: "A wrong passcode was typed \(count, "count") times in a row."
            )
        }
        return Speech.say(
            "member.a-wrong-one-was-typed-wait",
            count: count,
            one: "A wrong passcode was typed once. Try again in \(pause, "time").",
            other:
                "A wrong passcode was typed \(count, "count") times in a row. Try again in \(pause, "time")."
        )
    }

    private static func indented(_ text: String, _ terminal: Terminal) -> [String] {
        var narrow = terminal
        narrow.columns = max(20, terminal.columns - 2)
        return TextWrap.lines(text, narrow).map { "  " + $0 }
    }
}
