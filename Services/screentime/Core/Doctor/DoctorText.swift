import STContracts
import STPlatform

/// The screen of `doctor`: what is blind first, then topic by topic.
package enum DoctorText {
    package static func lines(_ visit: DoctorVisit, _ terminal: Terminal) -> [String] {
        let report = visit.report
        var lines: [String] = []
        if report.isBlind {
            let way = report.wayOut.map { " " + $0 } ?? ""
            lines += TextWrap.lines(SightText.blind(report.reason) + way, terminal).map {
                terminal.styled($0, .yellow)
            }
        } else {
            lines += TextWrap.lines("This desktop is seen by way of \(name(report.adapter)).", terminal)
        }
        if !visit.isAgents {
            lines += TextWrap.lines(
                visit.isRunning
                    ? "desktop-agent does not say what it sees: it is told to look at no desktop, or does not answer. "
                        + "This is what it would find if it were started from here."
                    : "desktop-agent is not running; this is what it would find if it were started from here.",
                terminal
            )
        }
        for topic in DoctorTopic.allCases {
            let findings = report.findings.filter { $0.topic == topic }
            guard !findings.isEmpty else { continue }
            lines += ["", terminal.styled(title(topic), .bold)]
            for finding in findings { lines += self.lines(finding, terminal) }
        }
        return lines
    }

    private static func lines(_ finding: DoctorFinding, _ terminal: Terminal) -> [String] {
        var narrow = terminal
        narrow.columns = max(20, terminal.columns - 4)
        let text = TextWrap.lines(DisplayWidth.harmless(finding.text), narrow)
        var lines = text.enumerated().map { index, line in
            (index == 0 ? "  \(mark(finding.state, terminal)) " : "    ") + line
        }
        if let mend = finding.mend {
            lines += TextWrap.lines(DisplayWidth.harmless(mend), narrow).enumerated().map { index, line in
                (index == 0 ? "    → " : "      ") + line
            }
        }
        return lines
    }

    private static func mark(_ state: DoctorState, _ terminal: Terminal) -> String {
        switch state {
        case .fine: terminal.styled("✓", .green)
        case .limited: terminal.styled("~", .yellow)
        case .missing: terminal.styled("✗", .red)
        case .unknown: "?"
        }
    }

    private static func title(_ topic: DoctorTopic) -> String {
        switch topic {
        case .system: "Screen Time"
        case .session: "Session"
        case .adapter: "How it is looked at"
        case .sight: "What is in front"
        case .presence: "Whether somebody is there"
        case .apps: "Apps"
        case .notifications: "Notifications"
        case .shields: "Shields"
        case .pausing: "Pausing"
        case .never: "Never paused, only covered"
        case .unknown: "Other"
        }
    }

    private static func name(_ adapter: AdapterKind) -> String {
        switch adapter {
        case .x11: "X11"
        case .wlroots: "Wayland (wlroots)"
        case .scripted: "a script"
        case .none, .unknown: "nothing"
        }
    }
}
