import STContracts
import STPlatform

/// The screen of `member show`.
enum MemberStoryText {
    static func lines(_ reply: MemberShow.Reply, isDemo: Bool, _ terminal: Terminal) -> [String] {
        let name = DisplayWidth.harmless(reply.member.name)
        var lines = [Banner.titled("\(name), \(reply.member.role.rawValue)", isDemo: isDemo, terminal), ""]
        lines += passcode(reply.passcode, name, terminal)
        lines += ["", terminal.styled("What is recorded about \(name), and who sees it", .bold)]
        for record in reply.records {
            lines += ["", "  " + terminal.styled(DisplayWidth.harmless(record.service), .cyan)]
            for (title, text) in [("", record.what), ("Kept: ", record.kept), ("Seen by: ", record.seenBy)] {
                lines += indented(title + DisplayWidth.harmless(text), terminal)
            }
        }
        lines += ["", terminal.styled("What \(name) lets apps do", .bold), ""]
        if reply.authorizations.isEmpty { lines.append("  No app has asked yet.") }
        for known in reply.authorizations { lines += indented(AppCommands.sentence(known), terminal) }
        guard !reply.notices.isEmpty else { return lines }
        lines += ["", terminal.styled("What happened", .bold), ""]
        for notice in reply.notices {
            lines += indented(
                LocalTime.text(wire: notice.at) + "  " + DisplayWidth.harmless(notice.text),
                terminal
            )
        }
        return lines
    }

    private static func passcode(_ view: PasscodeView, _ name: String, _ terminal: Terminal) -> [String] {
        guard view.isSet else {
            return ["Passcode: none. To set one: screentime member passcode \(name)"]
        }
        var lines = ["Passcode: set on \(LocalTime.text(wire: view.changedAt ?? ""))."]
        if view.wrong > 0 {
            let times = view.wrong == 1 ? "once" : "\(view.wrong) times in a row"
            let pause = view.lockedForMs.map { "; none is taken for \(TextFormat.duration(ms: $0))" } ?? ""
            lines.append(terminal.styled("A wrong one was given \(times)\(pause).", .yellow))
        }
        if !view.attempts.isEmpty { lines.append("Wrong ones so far:") }
        for attempt in view.attempts {
            lines.append(
                "  \(LocalTime.text(wire: attempt.at))  to \(DisplayWidth.harmless(attempt.purpose))"
            )
        }
        return lines
    }

    private static func indented(_ text: String, _ terminal: Terminal) -> [String] {
        var narrow = terminal
        narrow.columns = max(20, terminal.columns - 2)
        return TextWrap.lines(text, narrow).map { "  " + $0 }
    }
}
