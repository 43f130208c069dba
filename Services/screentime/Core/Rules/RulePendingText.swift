package import STContracts
import STPlatform

/// A change of a rule that waits, because it makes the rule looser.
package enum RulePendingText {
    package static func short(_ pending: PendingChange) -> String {
        "\(LocalTime.text(wallMs: pending.takesEffectWallMs)): \(DisplayWidth.harmless(pending.text))"
    }

    package static func lines(_ view: RuleView, _ pending: PendingChange) -> [String] {
        [
            "From \(LocalTime.text(wallMs: pending.takesEffectWallMs)) \(DisplayWidth.harmless(pending.text)), "
                + "and not before: that is looser, so it waits.",
            "To keep it as it is: \(line(view, pending))",
        ]
    }

    /// What asks for the rule as it stands.
    private static func line(_ view: RuleView, _ pending: PendingChange) -> String {
        let rule = view.rule
        let name = ShellText.quoted(DisplayWidth.harmless(rule.name ?? view.id))
        switch pending.change {
        case "pause": return "screentime rule pause \(name) --end"
        case "add": return "screentime allow remove \(name)"
        default: break
        }
        let subject: String
        switch rule.kind {
        case .limit, .goal: subject = TextFormat.duration(ms: rule.durationMs ?? 0)
        case .downtime, .window: subject = rule.window.map { "\($0.from)-\($0.to)" } ?? ""
        case .allow:
            let names = rule.targets.map { item in
                let prefix =
                    switch item.kind {
                    case .category: "category:"
                    case .domain: "site:"
                    case .application, .unknown: ""
                    }
                return prefix + item.id
            }
            subject = names.joined(separator: " ")
        case .unknown: subject = ""
        }
        return "screentime \(rule.kind.rawValue) edit \(name) \(subject)"
    }
}
