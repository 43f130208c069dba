package import STContracts
package import STPlatform

extension SystemView {
    /// Returns the unhealthy states of this computer, the most severe first.
    package func conditions(_ directories: Directories, now: WallTime) -> [Condition] {
        guard isRunning else { return [.notRunning] }
        let found =
            [
                Condition.recordsMissing(losses.map { HistoryText.message($0) }),
                desktopCondition(directories, now: now),
                Condition.clock(asideMs: clockOffset?.ms),
                Condition.notifications(notifications),
                Condition.uncertain(uncertain),
                householdCondition(now: now),
            ] + services.map { condition(of: $0, directories, now: now) }
        return ConditionSeverity.allCases.flatMap { severity in
            found.compactMap(\.self).filter { $0.severity == severity }
        }
    }

    private func desktopCondition(_ directories: Directories, now: WallTime) -> Condition? {
        switch desktop {
        case .success(let status): return .desktop(.success(status))
        case .failure(let problem):
            guard !isStarting(.desktop, now: now) else { return nil }
            let isOwn = supervisor?.service(ServiceName.desktop.rawValue) != nil
            return .agentUnreachable(
                reason(.desktop, problem),
                remedy: isOwn ? log(.desktop, directories) : problem.help.map { Message(verbatim: $0) }
            )
        case nil:
            return .agentUnreachable(
                Message("desktop.agent_silent", "desktop-agent did not answer."),
                remedy: log(.desktop, directories)
            )
        }
    }

    private func householdCondition(now: WallTime) -> Condition? {
        guard let link else { return nil }
        let silence = link.heardAt.flatMap(RFC3339.wallMs).map { (now - WallTime(ms: $0)).ms } ?? .max
        let uptimeMs = (try? reports[.link]?.get())?.uptimeMs ?? .max
        return .household(link, silentMs: min(silence, uptimeMs))
    }

    private func condition(of service: ServiceName, _ directories: Directories, now: WallTime) -> Condition? {
        switch reports[service] {
        case nil: return nil
        case .success(let report):
            return report.problem.map { .failed(service.rawValue, $0, remedy: log(service, directories)) }
        case .failure(let problem):
            // `ofDesktop` describes this state.
            if service == .desktop { return nil }
            let isSupervised = supervisor?.service(service.rawValue) != nil
            // The service was left out by `--only`, or belongs to another machine. The table of `status` shows it.
            if !isSupervised, supervisor != nil || RemoteMachine.current != nil,
                problem.code == "service.not_running"
            {
                return nil
            }
            guard !isStarting(service, now: now) else { return nil }
            return .unreachable(
                service.rawValue,
                reason(service, problem),
                remedy: log(service, directories)
            )
        }
    }

    /// True if the whole system has just started, and this service with it.
    private func isStarting(_ service: ServiceName, now: WallTime) -> Bool {
        guard let supervisor, supervisor.service(service.rawValue)?.isStarting == true,
            let startedMs = RFC3339.wallMs(supervisor.startedAt)
        else { return false }
        return (now - WallTime(ms: startedMs)).ms < ConditionCode.serviceSilent.shownAfterMs
    }

    /// Returns the reason why a service does not reply, and how its process ended.
    private func reason(_ service: ServiceName, _ problem: Problem) -> Message {
        let supervised = supervisor?.service(service.rawValue)
        let reason = TextWrap.sentence(supervised?.failure.map { Speech.say($0) } ?? Speech.say(problem))
        let exit = supervised?.lastExit.map {
            " " + TextWrap.sentence(Speech.say("status.it-last", "It last \(Speech.say($0), "exit")"))
        }
        return Message(verbatim: DisplayWidth.sanitized(reason + (exit ?? "")))
    }

    private func log(_ service: ServiceName, _ directories: Directories) -> Message {
        let path = directories.log(service: service.rawValue)
        return Message("condition.its-log", "Its log: \(path, "path")")
    }
}

/// Formats conditions for a terminal.
package enum ConditionText {
    package static func lines(_ conditions: [Condition], _ terminal: Terminal) -> [String] {
        conditions.flatMap { condition in
            let style: Terminal.Style = condition.severity == .high ? .red : .yellow
            let text = Speech.say(condition.text).sanitized
            return TextWrap.lines(text, terminal).map { terminal.styled($0, style) }
                + (condition.remedy.map { remedy($0, indent: 2, terminal) } ?? [])
        }
    }

    /// Returns a condition in one line, or `nil` if the list does not contain it.
    static func whole(_ code: ConditionCode, of conditions: [Condition]) -> String? {
        conditions.first { $0.code == code }?.fullText(in: Speech.language)
    }

    /// Returns the source of observations, or the reason for their absence.
    static func observationText(_ view: SystemView, _ conditions: [Condition]) -> String? {
        view.source ?? whole(.desktopUnobserved, of: conditions) ?? whole(.notRunning, of: conditions)
    }

    /// Returns the remedy after an arrow, on one or several lines.
    static func remedy(_ remedy: Message, indent: Int, _ terminal: Terminal) -> [String] {
        let margin = String(repeating: " ", count: indent)
        let room = max(20, terminal.columns - indent - 2)
        let lines = TextWrap.lines(Speech.say(remedy).sanitized, columns: room)
        return lines.enumerated().map { margin + ($0 == 0 ? "→ " : "  ") + $1 }
    }
}

extension DoctorFinding {
    package init(_ condition: Condition, topic: DoctorTopic = .system) {
        self.init(
            topic: topic,
            state: condition.severity == .high ? .missing : .limited,
            text: condition.text,
            mend: condition.remedy,
            code: condition.code
        )
    }
}
