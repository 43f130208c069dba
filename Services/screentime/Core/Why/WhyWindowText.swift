import STContracts
import STPlatform

/// What is told of a window, as people read it.
enum WhyWindowText {
    static func lines(_ story: WhyWindow.Story, _ terminal: Terminal) -> [String] {
        let window = story.window
        var lines = [terminal.styled(headline(window), .bold)]
        lines += window.steps.map { "  " + harmless($0) }
        lines.append("")
        lines.append(place(window))
        if window.app != nil, story.shield == nil { lines.append(pausing(story)) }
        if let shield = story.shield {
            lines += ["", "On the screen: \(stage(shield))"]
            lines += shield.steps.map { step in
                "  \(terminal.styled(LocalTime.clock(wallMs: step.wallMs).prefix(8).description, .dim))  \(harmless(step.text))"
            }
        }
        if let why = story.why {
            lines += [""] + WhyText.lines(why, terminal)
        } else if let unknown = story.unknown {
            lines += ["", "Whether it is shielded cannot be said: \(harmless(unknown))"]
        }
        return lines
    }

    private static func headline(_ window: WindowView) -> String {
        let title = window.title.map { " “\(DisplayWidth.cut(harmless($0), 60))”" } ?? ""
        guard let app = window.app else { return "\(harmless(window.window))\(title) is no app." }
        let name = window.name.flatMap { $0 == app ? nil : " (\(harmless($0)))" } ?? ""
        return "\(harmless(window.window))\(title) is \(harmless(app))\(name)."
    }

    private static func place(_ window: WindowView) -> String {
        let pid = window.pid.map { ", process \($0)" } ?? ", process not known"
        if window.isInFront { return "It is in front\(pid)." }
        return window.isShown ? "It is on the screen, behind another\(pid)." : "It is not shown\(pid)."
    }

    private static func pausing(_ story: WhyWindow.Story) -> String {
        if let never = story.window.neverPaused {
            return "A shield would cover it and never pause it: \(harmless(never))"
        }
        switch story.escalation {
        case .cover: return "A shield would only cover it: that is how far shields go here."
        case .pause: return "A shield would cover it and pause it."
        case .close: return "A shield would cover it, pause it, and in the end ask it to close."
        case .end:
            return "A shield would cover it, pause it, and in the end ask it to close and then stop it."
        case .unknown, nil: return "Whether a shield would pause it is not known."
        }
    }

    private static func stage(_ shield: ScreenShield) -> String {
        let held =
            switch shield.means {
            case .freezer: ", its processes frozen"
            case .signal: ", its processes stopped"
            case .unknown, nil: shield.notPaused.map { ", not paused: \(harmless($0))" } ?? ""
            }
        return switch shield.stage {
        case .rising: "a shield is going up"
        case .covered: "covered" + held
        case .paused: "covered and paused" + held
        case .closing: "covered, and asked to close" + held
        case .ending: "covered, and told to stop" + held
        case .unknown: "a shield, in a way that this version does not know"
        }
    }

    private static func harmless(_ text: String) -> String { DisplayWidth.harmless(text) }
}
