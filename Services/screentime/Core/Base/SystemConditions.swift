package import STContracts
package import STPlatform

extension SystemView {
    /// The unhealthy states of this computer, the most severe first.
    package func conditions(_ directories: Directories, nowMs: Int64) -> [Condition] {
        guard isRunning else { return [.notRunning] }
        let found =
            [
                Condition.recordsMissing(losses.map { HistoryText.message($0) }),
                Condition.desktop(desktop ?? .failure(Self.noAnswer)),
                Condition.clock(asideMs: clockAsideMs),
                Condition.notifications(notifications),
                Condition.uncertain(uncertain),
                link.flatMap { Condition.household($0, nowMs: nowMs) },
            ] + services.map { condition(of: $0, directories, nowMs: nowMs) }
        return ConditionSeverity.allCases.flatMap { severity in
            found.compactMap(\.self).filter { $0.severity == severity }
        }
    }

    private static let noAnswer = Problem("desktop.agent_silent", "desktop-agent did not answer.")

    private func condition(of service: ServiceName, _ directories: Directories, nowMs: Int64) -> Condition? {
        let log = directories.log(service: service.rawValue)
        let remedy = Message("condition.its-log", "Its log: \(log, "path")")
        switch reports[service] {
        case nil: return nil
        case .success(let report):
            return report.problem.map { .failed(service.rawValue, $0, remedy: remedy) }
        case .failure(let problem):
            let supervised = supervisor?.service(service.rawValue)
            // Never started, or left out by `--only`: the table of `status` shows it.
            if supervised == nil, problem.code == "service.not_running" { return nil }
            if let supervisor, let supervised, supervised.isStarting,
                let startedMs = RFC3339.wallMs(supervisor.startedAt),
                nowMs - startedMs < ConditionCode.serviceSilent.shownAfterMs
            {
                return nil
            }
            let reason = TextWrap.sentence(
                supervised?.failure.map { Speech.say($0) } ?? Speech.say(problem)
            )
            let exit = supervised?.lastExit.map {
                " " + TextWrap.sentence(Speech.say("status.it-last", "It last \(Speech.say($0), "exit")"))
            }
            return .silent(
                service.rawValue,
                Message(verbatim: DisplayWidth.harmless(reason + (exit ?? ""))),
                remedy: remedy
            )
        }
    }
}

/// Conditions as people read them in a terminal.
package enum ConditionText {
    package static func lines(_ conditions: [Condition], _ terminal: Terminal) -> [String] {
        conditions.flatMap { condition in
            let style: Terminal.Style = condition.severity == .high ? .red : .yellow
            let text = Speech.say(condition.text).harmless
            return TextWrap.lines(text, terminal).map { terminal.styled($0, style) }
                + (condition.remedy.map { remedy($0, indent: 2, terminal) } ?? [])
        }
    }

    /// A condition in one line; nil where it was not found.
    static func whole(_ code: ConditionCode, of conditions: [Condition]) -> String? {
        conditions.first { $0.code == code }?.whole(in: Speech.language)
    }

    /// An arrow and what to do.
    static func remedy(_ remedy: Message, indent: Int, _ terminal: Terminal) -> [String] {
        let margin = String(repeating: " ", count: indent)
        let room = max(20, terminal.columns - indent - 2)
        let lines = TextWrap.lines(Speech.say(remedy).harmless, columns: room)
        return lines.enumerated().map { margin + ($0 == 0 ? "→ " : "  ") + $1 }
    }
}

extension DoctorFinding {
    package init(_ condition: Condition, topic: DoctorTopic = .system) {
        self.init(
            topic: topic,
            state: condition.severity == .high ? .missing : .limited,
            text: condition.text,
            mend: condition.remedy
        )
    }
}
