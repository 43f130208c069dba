import STContracts
import STPlatform

/// How far shields go here, and what they never hold.
extension DoctorReport {
    static func pausing(_ choice: AdapterChoice, _ facts: DoctorFacts) -> [DoctorFinding] {
        guard !choice.isBlind else { return [] }
        var findings = escalation(facts)
        if facts.escalation != .cover, let canFreeze = facts.canFreeze {
            let why = facts.freezer.map { " (\($0))" } ?? ""
            findings.append(
                DoctorFinding(
                    topic: .pausing,
                    state: .fine,
                    text: canFreeze
                        ? "Pausing freezes an app's cgroup, and stops its processes by SIGSTOP where it has none of its own."
                        : "Pausing stops an app's processes by SIGSTOP\(why)."
                )
            )
        }
        findings += facts.never.map { DoctorFinding(topic: .never, state: .fine, text: $0) }
        findings.append(
            DoctorFinding(
                topic: .never,
                state: .fine,
                text: facts.neverApps.isEmpty
                    ? "Apps that you name: never_pause = gimp,code under [desktop-agent]."
                    : "By your settings (never_pause): \(facts.neverApps.joined(separator: ", "))."
            )
        )
        return findings
    }

    private static func escalation(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let escalation = facts.escalation else { return [] }
        let wait = facts.escalateAfterMs.map { " \(TextFormat.duration(ms: $0))" } ?? " a while"
        let text =
            switch escalation {
            case .cover: "Shields cover apps and let them go on beneath."
            case .close: "Shields cover apps, pause them, and after\(wait) close them politely."
            case .end:
                "Shields cover apps, pause them, after\(wait) close them politely and after\(wait) more end them."
            default: "Shields cover apps and pause them: nothing of their work is lost."
            }
        return [
            DoctorFinding(
                topic: .pausing,
                state: .fine,
                text: text + " To change it: escalation = cover, pause, close or end under [desktop-agent]."
            )
        ]
    }
}
